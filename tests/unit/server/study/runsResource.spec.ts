import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { studyId } from "../../../../provider/server/study/id";
import { withoutSecrets } from "../../../../provider/server/study/secrets";
import { runsOf, type StudySpec } from "../../../../provider/study/parse/runs";
import { ended } from "../../../support/study";
import { aResource, inputsOf, nowhere, type Outs, spec, urn } from "../../../support/studyResource";
import {
  type Answer,
  exited,
  lines,
  message,
  podsAnswer,
  type StudyServer,
  withStudyServer,
} from "../../../support/studyServer";

const entriesOf = (of: StudySpec) => runsOf(of).map((run) => ended(run));
const submitted = { at: "submit", run: runsOf(spec)[0]?.id, attempt: 1 };
const complete: Answer = { chunks: [lines(...entriesOf(spec), { at: "done" }), exited()], end: "close" };

/** The reason why an operation has ended early, with the state that it has kept. */
async function endOf(operation: Promise<unknown>): Promise<{ message: string; properties: Outs }> {
  const error: unknown = await operation.then(
    () => assert.fail("the operation has succeeded"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  const { message: text, properties } = error as Error & { properties: Outs };
  return { message: text, properties };
}

/** The reason why the first `up` of a study ends early, and the number of commands that it has sent. */
async function failureOf(
  exec: (request: number) => Answer | undefined,
  more: { pods?: () => Answer & { status: number } } = {},
) {
  let found = { message: "", count: 0 };
  await withStudyServer({ exec, ...(more.pods && { pods: more.pods as never }) }, async (server) => {
    const { resource } = aResource();
    const { message: text } = await endOf(resource.create(urn, inputsOf(server)));
    found = { message: text, count: server.count() };
  });
  return found;
}

const begin = "study demo: 2 runs have no result: ";
const next = "; the next pulumi up continues with them";

describe("the runs of a study", function () {
  this.timeout(60_000);

  it("have their results, also beside a banner of the image", () =>
    withStudyServer(
      {
        exec: () => ({
          chunks: [
            lines("Welcome to the container", "", "null", '{"at":"end","run":5}', "{", '{"at":"new"}'),
            message(2, "warning\n"),
            lines(...entriesOf(spec), { at: "done" }),
            exited(),
          ],
          end: "close",
        }),
      },
      async (server) => {
        const { resource } = aResource();
        const { outs } = (await resource.create(urn, inputsOf(server))) as { outs: Outs };
        assert.equal(outs.results.length, 2);
      },
    ));

  it("have a lasting id, which is new for each study", async () => {
    const server = { place: nowhere.place };
    const { resource } = aResource();
    const idOf = async (more: object) => {
      const operation = resource.create(urn, inputsOf(server, spec, more));
      const error = (await operation.catch((reason: unknown) => reason)) as { id: string };
      return error.id;
    };
    assert.deepEqual([await idOf({ study: "abc" }), await idOf({ study: "abc" })], ["abc", "abc"]);
    assert.notEqual(await idOf({}), await idOf({}));
    const made = await Promise.all([studyId.create(), studyId.create()]);
    assert.equal(new Set(made.map(({ id }) => id)).size, 2);
    const keys = made.map(({ outs }) => withoutSecrets((outs as { key: unknown }).key));
    assert.equal(new Set(keys).size, 2);
  });

  const refused: [title: string, answer: Answer, want: string][] = [
    [
      "has no permission for commands in pods",
      { status: 403, body: JSON.stringify({ message: 'pods "demo-0" is forbidden: User "u" cannot create' }) },
      'the API server refuses the user of the Kubernetes provider: pods "demo-0" is forbidden: User "u" cannot ' +
        'create; grant it list on pods, and get and create on pods/exec, in the namespace "default"',
    ],
    [
      "runs a command that fails",
      { chunks: [message(2, "the study has ended early: OSError: no broker"), exited(1)], end: "close" },
      "the command has failed: the study has ended early: OSError: no broker",
    ],
  ];
  for (const [title, answer, want] of refused)
    it(`end at once if the study ${title}`, async () =>
      assert.deepEqual(await failureOf(() => answer), { message: `${begin}${want}${next}`, count: 1 }));

  it("end at once if the study may not list pods", async () => {
    const pods = () => ({ status: 403, body: "no" });
    const { message: text, count } = await failureOf(() => undefined, { pods });
    assert.match(text, /the API server refuses the user of the Kubernetes provider: no; grant it list on pods/);
    assert.equal(count, 0);
  });

  const repeated: [title: string, answer: Answer, want: string][] = [
    ["is not available", { status: 503, body: "etcd is away" }, "503: etcd is away"],
    ["requests a pause", { status: 429, headers: { "retry-after": "0" }, body: "slow" }, "429: slow"],
    ["requests a pause of an hour", { status: 429, headers: { "retry-after": "3600" }, body: "slow" }, "429: slow"],
    ["does not know the user", { status: 401, body: "Unauthorized" }, "401: Unauthorized"],
    [
      "sends the same entries with each connection, and then closes it",
      { chunks: [lines(submitted, { ...submitted, at: "start" })], end: "close" },
      "the connection to the pod has ended",
    ],
    [
      "sends a result without the last entry of the program",
      { chunks: [lines("Welcome \u001b[2J"), exited()], end: "close" },
      "the program of the study has ended without a last entry; the container has written: Welcome",
    ],
    [
      "ends the container",
      { chunks: [exited(137)], end: "close" },
      "the command has failed: command terminated with exit code 137",
    ],
    [
      "sends an empty result",
      { chunks: [message(3, "")], end: "close" },
      "the API server has sent a result of the command that is not valid",
    ],
  ];
  for (const [title, answer, want] of repeated)
    it(`are tried again, and end after the patience, if the API server ${title}`, async () => {
      const { message: text, count } = await failureOf(() => answer);
      assert.equal(text, `${begin}${want}${next}`);
      assert.ok(count > 1);
    });

  it("end after the patience without a pod, or with a list of pods that is none", async () => {
    const none = await failureOf(() => undefined, { pods: () => podsAnswer() });
    assert.match(none.message, /Job default\/demo has no Ready pod of the lead broker/);
    const other = await failureOf(() => undefined, { pods: () => podsAnswer({ kind: "Pod" }) });
    assert.match(other.message, /the API server has sent a list of pods that is not valid/);
  });

  it("are found after connections that were refused, lost and cut", () => {
    const [one, ...others] = entriesOf(spec);
    const answers: Answer[] = [
      { status: 500, body: "no" },
      { status: 429, headers: { "retry-after": "0" }, body: "slow" },
      { chunks: [lines(one!).subarray(0, 20)], end: "destroy" },
      { chunks: [lines(one!)], end: "close" },
      { chunks: [lines(...others, { at: "done" })], end: "close" },
    ];
    return withStudyServer({ exec: (request) => answers[request] }, async (server) => {
      const { resource } = aResource({ patienceMillis: 30_000 });
      const { outs } = (await resource.create(urn, inputsOf(server))) as { outs: Outs };
      assert.equal(outs.results.length, 2);
      assert.equal(server.count(), answers.length);
    });
  });

  for (const [title, exec] of [
    ["it connects", () => undefined],
    ["the API server refuses", () => ({ status: 503, body: "no", isOpen: true })],
    ["the program sends nothing", () => ({ chunks: [] })],
  ] as [string, () => Answer | undefined][])
    it(`keep their results when up is interrupted while ${title}`, () =>
      withStudyServer({ exec }, async (server) => {
        const { resource } = aResource({ patienceMillis: 60_000, silentMillis: 60_000, onceMillis: 60_000 });
        const operation = endOf(resource.create(urn, inputsOf(server)));
        while (server.count() === 0) await sleep(5);
        await resource.cancel();
        const { message: text, properties } = await operation;
        assert.equal(text, `${begin}interrupted, and they continue in the instance${next}`);
        assert.deepEqual(properties.results, []);
        // A destroy that is interrupted does not wait either.
        await resource.delete("demo", urn, { ...inputsOf(server), results: [] });
      }));

  it("cannot be imported, which one sentence says", async () => {
    const want = /^Error: the runs of a study cannot be imported: they are created by a Study$/;
    await assert.rejects(aResource().resource.read("a", urn, {} as never), (error) => want.test(String(error)));
    await assert.rejects(studyId.read("a", urn, {}), /the id of a study cannot be imported/);
  });

  it("are read and ended with one answer, or not at all", async () => {
    const state = (server: Pick<StudyServer, "place">) => ({ ...inputsOf(server), results: [] });
    await withStudyServer({ exec: () => complete }, async (server) => {
      const { props } = (await aResource().resource.read("demo", urn, state(server))) as { props: Outs };
      assert.equal(props.results.length, 2);
    });
    await withStudyServer({ exec: () => ({ chunks: [lines({ at: "alive" })] }) }, async (server) => {
      const { resource, logged } = aResource();
      const { props } = (await resource.read("demo", urn, state(server))) as { props: Outs };
      assert.equal(props.results.length, 0);
      await resource.delete("demo", urn, state(server));
      assert.match(logged.join("\n"), /^the results cannot be read: .*\nthe remaining runs were not ended: /);
    });
  });
});
