import * as assert from "node:assert/strict";
import { parseReading, type Reading } from "../../../../provider/forecast/parse/reading";
import { recordedReadings } from "../../../support/queueReading";

const readings = recordedReadings();
const reading = readings.find(([name]) => name === "flux-0.88-queues.json")![1];

type Path = (string | number)[];

/** Paths of all values of a reading. Only the jobspecs of users have any form. */
const pathsIn = (value: unknown, path: Path = []): Path[] =>
  typeof value !== "object" || value === null || path.at(-1) === "resources"
    ? [path]
    : [path, ...Object.entries(value).flatMap(([key, part]) => pathsIn(part, [...path, key]))];

/** A reading with another value at a path. */
function changed(path: Path, value: unknown): unknown {
  const whole = { reading: structuredClone(reading) } as unknown as Record<string, unknown>;
  const [last, ...above] = ["reading", ...path].reverse();
  const holder = above.reverse().reduce((part, key) => part[key] as Record<string, unknown>, whole);
  holder[last!] = value;
  return whole["reading"];
}

const valueAt = (path: Path): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], reading);

/** Values that are wrong in place of another one, by its type. */
const wrongFor = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return [{}, "", null, undefined];
  if (typeof value === "string") return [7, null, undefined, [], {}];
  if (typeof value === "boolean") return ["true", 1, null, undefined];
  if (typeof value === "object" && value !== null) return [[], "", null, undefined];
  // A number, or null if there is none.
  return ["7", -1, NaN, Infinity, true, [], {}, undefined];
};

describe("the reading of a queue", () => {
  for (const [name, recorded] of readings)
    it(`is complete as Flux has given it: ${name}`, () => assert.deepEqual(parseReading(recorded), recorded));

  it("is the same from both versions of Flux", () => {
    const facts = ({ scheduler, hosts, queues, constraints, running, waiting, counts, drained }: Reading) => ({
      scheduler,
      hosts,
      queues,
      constraints,
      counts,
      drained,
      waiting: waiting.map(({ queue, limit, constraint, resources }) => ({ queue, limit, constraint, resources })),
      running: running.map(({ queue, takes }) => ({ queue, takes })),
    });
    const [old, fresh] = ["0.74", "0.88"].map((version) =>
      readings.filter(([name]) => name.includes(version)).map(([, each]) => facts(each)),
    );
    assert.deepEqual(old, fresh);
  });

  it("has the limits by which Flux plans: of 2 h and 15 min after changes, of 10 min, and none", () =>
    assert.deepEqual(
      reading.running.map(({ queue, limit }) => [queue, Math.ceil(limit)]),
      [
        ["day", 7200],
        ["night", 0],
        ["day", 900],
        ["day", 600],
      ],
    ));

  it("is not taken from a value of a wrong type at any place", () => {
    const wrong = pathsIn(reading).flatMap((path) => wrongFor(valueAt(path)).map((value) => ({ path, value })));
    assert.ok(wrong.length > 500);
    assert.deepEqual(
      wrong.filter(({ path, value }) => parseReading(changed(path, value)) !== undefined),
      [],
    );
  });

  const ranks = ["3-1", "1,", ",1", "1-", "a", " 1", "0-1000000", "1".repeat(30), "0,".repeat(50_000) + "0"];
  for (const set of ranks)
    it(`is not taken with the ranks ${set.slice(0, 30)}`, () => {
      for (const path of [["down"], ["constraints", 0], ["hosts", 0, "ranks"], ["running", 0, "takes", 0, 0]])
        assert.equal(parseReading(changed(path, set)), undefined);
    });

  it("is not taken if it is larger than any reading", () => {
    const many = (path: Path, count: number) => changed(path, Array(count).fill(valueAt([...path, 0])));
    assert.equal(parseReading(many(["waiting"], 1_001)), undefined);
    assert.equal(parseReading(many(["running"], 4_001)), undefined);
    assert.equal(parseReading(many(["constraints"], 101)), undefined);
    assert.ok(parseReading(many(["waiting"], 1_000)));
    assert.ok(parseReading(many(["running"], 4_000)));
  });

  it("is not taken if a job has a constraint that the reading does not have", () =>
    assert.equal(parseReading(changed(["waiting", 0, "constraint"], reading.constraints.length)), undefined));

  it("is not taken from another version, and has no value that it does not know", () => {
    assert.equal(parseReading({ ...reading, version: 2 }), undefined);
    assert.deepEqual(parseReading({ ...reading, more: 1 }), reading);
  });

  it("is taken with any resources of a job", () => {
    const resources = [null, { type: 7, with: "x" }, "node"];
    assert.deepEqual(parseReading(changed(["waiting", 0, "resources"], resources))?.waiting[0]?.resources, resources);
  });
});
