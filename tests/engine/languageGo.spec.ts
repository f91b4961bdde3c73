import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { address } from "../../sdk/generator/address";
import { leftIn } from "../support/clusters";
import type { KubeObject } from "../sandbox/kube";
import { itRunsExamples, programsOf, refusalsIn, succeeded } from "../support/languages/exampleTests";
import { fences } from "../support/fences";
import { compilePrograms, go, runGo } from "../support/languages/go";
import { readText, shownChanges } from "../support/languages/previewText";
import { sharedCluster } from "../support/sandboxHooks";

const root = path.resolve(__dirname, "../..");
const workspace = path.join(root, "tests/support/languages/go");
const example = (name: string) => path.join(root, "examples", name);
const testProgram = (name: string) => path.join(workspace, "programs", name);
const examples = fs.readdirSync(path.join(root, "examples")).filter((name) => name.endsWith("-go"));

const withGo = programsOf(go);
const podsOf = (namespace: string, job: string) => sharedCluster().kube.podsOfJob(namespace, job);

describe("A program in Go", () => {
  before(async function () {
    // The first time on a machine, it compiles Pulumi's SDKs.
    this.timeout(900_000);
    for (const program of [...examples.map(example), testProgram("typed")]) await go.driver(program);
  });

  itRunsExamples(go);

  it("is refused before anything is created, with the place of everything that is wrong", () =>
    withGo(testProgram("refused"), async ({ run, namespace }) => {
      const [preview, up] = await run({ kind: "preview" }, { kind: "up" });
      for (const outcome of [preview, up]) {
        assert.deepEqual(refusalsIn(outcome?.error), [
          'jobLabels["not a label"]: "not a label" must be a key such as app or example.com/app: at most 63 letters, ' +
            "digits, " +
            "-, _ and . after an optional DNS prefix",
          'containers[0].workingDir: "data" must be an absolute path such as "/data", without a colon',
          "containers[0].ports[1]: 70000 must be an integer from 1 to 65535",
          'pod.restartPolicy: must be one of "OnFailure", "Never"',
          "tasks: -1 must be an integer from 0 to 2147483647",
          "size: size 9 is above maxSize 4; raise maxSize or lower size",
        ]);
        assert.deepEqual([outcome?.ok, outcome?.outputs], [false, {}]);
      }
      assert.deepEqual(await leftIn(namespace), []);
    }));

  it("places outputs, enums and the types of Kubernetes' own SDK, and keeps a secret", () =>
    withGo(testProgram("typed"), async ({ run, namespace }) => {
      const preview = succeeded(await run({ kind: "preview" }));
      const shown = readText(preview.text).steps.find(({ urn }) => urn.endsWith("$kubernetes:batch/v1:Job::demo"));
      // Of all values of the pods, those that the program does not know yet, beside the hashes of what they hold.
      assert.deepEqual(shown?.lines.filter((line) => line.endsWith("[unknown]")).sort(), [
        "image          : [unknown]",
        "minicluster/certificate-hash: [unknown]",
        "minicluster/environment-hash: [unknown]",
      ]);

      const up = succeeded(await run({ kind: "up" }));
      for (const { text } of [preview, up]) assert.doesNotMatch(text, /licence-of-the-team/);
      assert.deepEqual(up.outputs, { lead: `demo-0.demo.${namespace}.svc.cluster.local of 2` });
      const pods = await podsOf(namespace, "demo");
      assert.equal(pods.length, 2);
      for (const { pod } of pods) {
        const { priorityClassName, containers } = pod.spec as PodSpec;
        assert.equal(pod.metadata.annotations?.["team"], "physics");
        assert.equal(priorityClassName, "system-cluster-critical");
        const [{ image, imagePullPolicy, env }] = containers;
        assert.deepEqual([image, imagePullPolicy], [`registry.example/${namespace}/images`, "Always"]);
        assert.deepEqual(env.slice(1, 3), [
          { name: "LICENCE", valueFrom: { secretKeyRef: { name: "demo-environment", key: "demo.LICENCE" } } },
          { name: "SOLVER", value: "reax" },
        ]);
      }
      const ref = { apiVersion: "v1", kind: "Secret", name: "demo-environment", namespace };
      const { data } = (await sharedCluster().kube.get(ref)) as KubeObject & { data: Record<string, string> };
      assert.equal(Buffer.from(data["demo.LICENCE"] ?? "", "base64").toString(), "licence-of-the-team");
    }));

  it("previews and makes a cluster that joins another one, with the parts of what that one knows", () =>
    withGo(testProgram("bursting"), async ({ run, namespace }) => {
      const outcomes = await run({ kind: "preview" }, { kind: "up" }, { kind: "preview" });
      assert.ok(
        outcomes.every(({ ok }) => ok),
        outcomes.map(({ error }) => error).join("\n"),
      );
      const [preview, , next] = outcomes.map(({ text }) => shownChanges(readText(text)));
      for (const name of ["home", "cloud"]) assert.ok(preview?.includes(`create Job ${name}`), preview?.join("\n"));
      assert.deepEqual(next, []);
      assert.deepEqual(outcomes[1]?.outputs, { hosts: "home-[0-1],cloud-[0-3]" });
      const pods = await Promise.all(["home", "cloud"].map((job) => podsOf(namespace, job)));
      assert.deepEqual(
        pods.map((all) => all.filter(({ ready }) => ready).length),
        [2, 1],
      );
    }));
});

describe("The SDK for Go", () => {
  // The first time on a machine, go vet compiles for itself.
  const compiling = 900_000;

  it("passes go vet, as do the programs of the tests", () =>
    runGo(workspace, ["vet", "-trimpath", "./...", `${address.goModule}/...`])).timeout(compiling);

  it("serves the programs on the pages: they compile", async () => {
    const written = fences().filter(({ language }) => language === "go");
    assert.ok(written.length >= 2);
    await compilePrograms(written.map(({ text }) => text));
  }).timeout(compiling);

  for (const name of examples)
    it(`serves ${name} as it stands: it passes go vet and has nothing to tidy`, async () => {
      await runGo(example(name), ["vet", "-trimpath", "./..."], { workspace: false });
      await runGo(example(name), ["mod", "tidy", "-diff"], { workspace: false });
    }).timeout(compiling);
});

interface PodSpec {
  priorityClassName: string;
  containers: [{ image: string; imagePullPolicy: string; env: object[] }];
}
