import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { studyId } from "../../../../provider/server/study/id";
import { StudyRuns } from "../../../../provider/server/study/runs";
import { secretOf, withoutSecrets } from "../../../../provider/server/study/secrets";
import type { Result } from "../../../../provider/study/parse/plan";
import { runsOf, type StudySpec } from "../../../../provider/study/parse/runs";
import { ended, resultsOf, studySpec } from "../../../support/study";
import {
  type Answer,
  exited,
  lines,
  message,
  podsAnswer,
  type StudyServer,
  withStudyServer,
} from "../../../support/studyServer";

const urn = "urn:pulumi:dev::project::minicluster:index:Study$minicluster:index:StudyRuns::demo-runs";
const limits = { patienceMillis: 1_000, retryMillis: 5, onceMillis: 500, silentMillis: 1_000 };
const spec = studySpec({ sizes: [1, 2], repeats: 1, apps: { app: { command: "true" } } });

/** The resource, and what it has logged. */
function aResource(changed: Partial<typeof limits> = {}) {
  const logged: string[] = [];
  const say = (text: string) => void logged.push(text);
  const resource = new StudyRuns({ ...limits, ...changed }, () => ({ info: say, warn: say, status: say }));
  return { resource, logged };
}

const inputsOf = ({ place }: Pick<StudyServer, "place">, of: object = spec, more: object = {}) => ({
  spec: of,
  namespace: place.namespace,
  jobName: place.jobName,
  connection: secretOf(place.cluster),
  ...more,
});
const nowhere = { place: { cluster: { kubeconfig: "{}" }, namespace: "default", jobName: "demo" } };

type Outs = Record<string, unknown> & { results: Result[] };

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
        const { outs } = await resource.create(urn, inputsOf(server));
        assert.equal((outs as Outs).results.length, 2);
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
    assert.equal(new Set(made.map(({ outs }) => withoutSecrets(outs.key))).size, 2);
  });

  const refused: [title: string, answer: Answer, want: string][] = [
    [
      "has no permission for commands in pods",
      { status: 403, body: JSON.stringify({ message: 'pods "demo-0" is forbidden: User "u" cannot create' }) },
      'the API server refuses the user of the Kubernetes provider: pods "demo-0" is forbidden: User "u" cannot create; ' +
        "it needs list on pods, and get and create on pods/exec",
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
    assert.match(text, /the API server refuses the user of the Kubernetes provider: no; it needs list on pods/);
    assert.equal(count, 0);
  });

  const repeated: [title: string, answer: Answer, want: string][] = [
    ["is not available", { status: 503, body: "etcd is away" }, "503: etcd is away"],
    ["asks for a pause", { status: 429, headers: { "retry-after": "0" }, body: "slow" }, "429: slow"],
    ["asks for a pause of an hour", { status: 429, headers: { "retry-after": "3600" }, body: "slow" }, "429: slow"],
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
      const { outs } = await resource.create(urn, inputsOf(server));
      assert.equal((outs as Outs).results.length, 2);
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
      const { props } = await aResource().resource.read("demo", urn, state(server));
      assert.equal((props as Outs).results.length, 2);
    });
    await withStudyServer({ exec: () => ({ chunks: [lines({ at: "alive" })] }) }, async (server) => {
      const { resource, logged } = aResource();
      const { props } = await resource.read("demo", urn, state(server));
      assert.equal((props as Outs).results.length, 0);
      await resource.delete("demo", urn, state(server));
      assert.match(logged.join("\n"), /^the results cannot be read: .*\nthe remaining runs were not ended: /);
    });
  });
});

describe("a study with a secret", () => {
  const pin = studySpec({ sizes: [1], repeats: 1, apps: { app: { command: "a", environment: { PIN: "1234" } } } });
  const app = pin.apps["app"]!;
  const hidden = { ...pin, apps: { app: { ...app, environment: { PIN: secretOf("1234") } } } };
  const keyed = { ...pin, isSecret: true, key: "abc" };
  const more = { study: "demo", key: secretOf("abc") };
  const outputOf = (of: StudySpec): Answer => ({
    chunks: [
      lines(
        ended(runsOf(of)[0]!, {
          figure: undefined,
          error: "the pattern finds 'PIN 1234', which is not a number",
          lastLines: ["PIN 1234"],
        }),
        { at: "done" },
      ),
      exited(),
    ],
    end: "close",
  });

  it("has no output of its runs and no hash without a key in plain text, in state, log and outputs", () =>
    withStudyServer({ exec: () => outputOf(keyed) }, async (server) => {
      const { resource, logged } = aResource();
      const { outs } = await resource.create(urn, inputsOf(server, hidden, more));
      const { results, failed, json, spec: kept, connection, key, ...plain } = outs as Outs;
      for (const secret of [results, failed, json]) assert.notDeepEqual(secret, withoutSecrets(secret));
      assert.equal((withoutSecrets(failed) as { lastLines: string[] }[])[0]?.lastLines[0], "PIN 1234");
      for (const text of [JSON.stringify(plain), logged.join("\n")]) assert.ok(!text.includes("1234"), text);
      const { identity } = (withoutSecrets(results) as Result[])[0]!;
      assert.equal(identity["environment"], runsOf(keyed)[0]?.identity["environment"]);
      const others = [pin, { ...keyed, key: "abd" }].map((of) => runsOf(of)[0]?.identity["environment"]);
      assert.ok(!others.includes(identity["environment"]));
    }));

  it("has plain outputs without a secret, as before", () =>
    withStudyServer({ exec: () => outputOf(pin) }, async (server) => {
      const { resource, logged } = aResource();
      const { outs } = await resource.create(urn, inputsOf(server, pin, more));
      const { results, failed, json } = outs as Outs;
      for (const plain of [results, failed, json]) assert.deepEqual(plain, withoutSecrets(plain));
      assert.match(logged.join("\n"), /PIN 1234/);
    }));

  it("keeps its results when the variable becomes a secret, and repeats them when the secret changes", async () => {
    const old = { ...inputsOf(nowhere, pin), results: resultsOf(pin) };
    const { resource, logged } = aResource();
    const { outs } = await resource.update("demo", urn, old, inputsOf(nowhere, hidden, more));
    const [result] = withoutSecrets((outs as Outs).results) as Result[];
    assert.equal(result?.identity["environment"], runsOf(keyed)[0]?.identity["environment"]);
    const other = { ...pin, apps: { app: { ...app, environment: { PIN: secretOf("1235") } } } };
    await resource.diff("demo", urn, outs as never, inputsOf(nowhere, other, more));
    assert.match(logged.at(-1) ?? "", /0 kept, 1 to run \(app: environment changed\)/);
    const { changes } = await resource.diff("demo", urn, outs as never, inputsOf(nowhere, hidden, more));
    assert.equal(changes, false);
  });
});

describe("the next operation of a study", () => {
  const image = (of: string) => ({ ...spec, image: of });
  const diffOf = async (before: StudySpec, after: object, more: { old?: object; now?: object } = {}) => {
    const { resource, logged } = aResource();
    const olds = { ...inputsOf(nowhere, before, more.old), results: resultsOf(before) };
    const result = await resource.diff("demo", urn, olds, inputsOf(nowhere, after, more.now));
    return { ...result, logged };
  };

  const unknown: [title: string, after: object, want: string][] = [
    ["an image", image(unknownValue), "0 kept, 2 known only after apply (app: image); if all of these run: about "],
    ["a secret image", { ...spec, image: secretOf(unknownValue) }, "0 kept, 2 known only after apply (app: image)"],
    [
      "a variable",
      { ...image("a:1"), apps: { app: { ...spec.apps["app"], environment: { A: unknownValue } } } },
      "0 kept, 2 known only after apply (app: environment)",
    ],
    [
      "an image, with a new size",
      { ...image(unknownValue), sizes: [1, 2, 4] },
      "0 kept, 1 to run (app at 4: new size), 2 known",
    ],
    [
      "an image, with a new command",
      { ...image(unknownValue), apps: { app: { ...spec.apps["app"], command: "b" } } },
      "0 kept, 2 to run (app: command changed); ",
    ],
  ];
  for (const [title, after, want] of unknown)
    it(`says that ${title} is known only after apply`, async () => {
      const { logged, changes } = await diffOf(image("a:1"), after);
      assert.ok(logged[0]?.includes(want), logged[0]);
      assert.equal(changes, true);
    });

  it("repeats the runs with another image, and keeps those whose image was not known", async () => {
    const changed = await diffOf(image("a:1"), image("a:2"));
    assert.match(changed.logged[0] ?? "", /0 kept, 2 to run \(app: image changed\)/);
    for (const [before, after] of [
      [image(""), image("a:2")],
      [
        { ...image(""), machineType: undefined },
        { ...image("a:2"), machineType: "m" },
      ],
      [{ ...image("a:1"), machineType: "m" }, image("")],
    ] as [StudySpec, StudySpec][])
      assert.deepEqual((await diffOf(before, after)).logged, []);
  });

  it("keeps a state without an id, and replaces a study with another id", async () => {
    const now = { study: "new", key: secretOf("k") };
    assert.deepEqual(await diffOf(spec, spec, { now }), { changes: false, logged: [] });
    assert.equal((await diffOf(spec, spec, { old: now, now })).changes, false);
    for (const study of ["other", unknownValue]) {
      const { changes, replaces } = await diffOf(spec, spec, { old: now, now: { ...now, study } });
      assert.deepEqual([changes, replaces], [true, ["study"]]);
    }
  });
});
