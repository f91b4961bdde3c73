import assert from "node:assert/strict";
import fc from "fast-check";
import { Refused, runStudyProgram } from "../../../../provider/server/study/lead";
import { Progress } from "../../../../provider/server/study/progress";
import { runsOf } from "../../../../provider/study/parse/runs";
import { Results } from "../../../../provider/study/results/collect";
import { textsOf } from "../../../../provider/study/results/texts";
import { ended, studySpec } from "../../../support/study";
import { exited, frame, lines, message, type Stream, withStudyServer } from "../../../support/studyServer";

const spec = studySpec({ sizes: [1, 2], repeats: 2, apps: { app: { command: "true" } } });
const ids = runsOf(spec).map(({ id }) => id);
const whole = ended(runsOf(spec)[0]!);

const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array));
const numbers = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, 1, 1e308, 1e15, -1));
const anything = fc.oneof(fc.jsonValue(), numbers, fc.string({ unit: "binary" }));

/** An entry of the journal of which some properties are missing, or have other values. */
const entry = fc
  .record({
    at: fc.constantFrom("submit", "start", "end", "cancel", "done", "alive", "other"),
    run: fc.constantFrom(...ids, "other"),
    attempt: fc.constantFrom(1, 2, 3),
    changed: fc.dictionary(fc.constantFrom(...Object.keys(whole), "at", "run", "attempt"), anything, { maxKeys: 2 }),
    removed: fc.constantFrom("", "", "", ...Object.keys(whole)),
  })
  .map(({ changed, removed, ...known }) => {
    const made = Object.entries({ ...whole, ...known, ...changed }).filter(([key]) => key !== removed);
    // JSON of other programs may have numbers that are not finite.
    return JSON.stringify(Object.fromEntries(made)).replace(":60,", ":1e999,");
  });

const text = fc.oneof(
  { weight: 3, arbitrary: entry },
  fc.constant('{"at":"done"}'),
  fc.string({ unit: "binary" }),
  fc.json(),
);
const chunk = fc.oneof(
  { weight: 4, arbitrary: text.map((line) => lines(line)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(0, 1, 2, 3, 4, 255), bytes).map(([channel, sent]) => message(channel, sent)),
  },
  fc.constantFrom(exited(), exited(1), exited(137), message(3, ""), frame(Buffer.alloc(0))),
  fc.tuple(bytes, fc.nat(15), fc.boolean()).map(([sent, opcode, isLast]) => frame(sent, opcode, isLast)),
  bytes,
);
const streams: fc.Arbitrary<Stream> = fc.record({
  chunks: fc.array(chunk, { maxLength: 6 }),
  withHandshake: fc.boolean(),
  end: fc.constantFrom("close", "destroy"),
});

describe("any bytes that a pod sends", function () {
  this.timeout(1_800_000);

  it("ends with results or with a sentence", async () => {
    const count = 10_000;
    const all = fc.sample(streams, { numRuns: count, seed: 55 });
    const sentences = new Map<string, number>();
    await withStudyServer({ exec: (request) => all[request] }, async ({ place }) => {
      const one = async () => {
        const results = new Results(spec, []);
        const progress = new Progress(spec, results, { info() {}, warn() {}, status() {} });
        const options = { signal: new AbortController().signal, silentMillis: 5_000 };
        const found = await runStudyProgram(place, "", (each) => void progress.take(each), options).then(
          () => "complete",
          (error: unknown) => {
            assert.ok(error instanceof Error && !(error instanceof Refused) && !(error instanceof TypeError));
            return error.message;
          },
        );
        assert.match(found, /\w/);
        assert.doesNotMatch(JSON.stringify(textsOf(spec, results.all())), /NaN|Infinity/);
        const kind = found.slice(0, 24);
        sentences.set(kind, (sentences.get(kind) ?? 0) + 1);
      };
      const side = 50;
      for (let done = 0; done < count; done += side) await Promise.all(Array.from({ length: side }, one));
    });
    const counts = [...sentences.values()];
    assert.equal(
      counts.reduce((sum, each) => sum + each, 0),
      count,
    );
    // The streams are of several kinds.
    for (const kind of ["complete", "the connection to the po", "the program of the study", "Invalid WebSocket frame:"])
      assert.ok((sentences.get(kind) ?? 0) > count / 100, kind);
  });
});
