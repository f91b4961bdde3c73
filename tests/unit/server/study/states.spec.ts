import assert from "node:assert/strict";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { secretOf, withoutSecrets } from "../../../../provider/server/study/secrets";
import type { Result } from "../../../../provider/study/parse/plan";
import { runsOf, type StudySpec } from "../../../../provider/study/parse/runs";
import { ended, resultsOf, studySpec } from "../../../support/study";
import { aResource, inputsOf, nowhere, type Outs, spec, urn } from "../../../support/studyResource";
import { type Answer, exited, lines, withStudyServer } from "../../../support/studyServer";

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
      const { outs } = (await resource.create(urn, inputsOf(server, hidden, more))) as { outs: Outs };
      const { results, failed, json } = outs;
      const hiddenToo = ["results", "failed", "json", "spec", "connection", "key"];
      const plain = Object.entries(outs).filter(([name]) => !hiddenToo.includes(name));
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
      const { outs } = (await resource.create(urn, inputsOf(server, pin, more))) as { outs: Outs };
      const { results, failed, json } = outs;
      for (const plain of [results, failed, json]) assert.deepEqual(plain, withoutSecrets(plain));
      assert.match(logged.join("\n"), /PIN 1234/);
    }));

  it("keeps its results when the variable becomes a secret, and repeats them when the secret changes", async () => {
    const old = { ...inputsOf(nowhere, pin), results: resultsOf(pin) };
    const { resource, logged } = aResource();
    const { outs } = (await resource.update("demo", urn, old, inputsOf(nowhere, hidden, more))) as { outs: Outs };
    const [result] = withoutSecrets(outs.results) as Result[];
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
