import assert from "node:assert/strict";
import * as path from "node:path";
import { leftIn, uids } from "../support/clusters";
import type { KubeObject } from "../support/kube";
import { type OperationOutcome, type ProgramUnderTest, withProgram } from "../support/languages/harness";
import { readText, shownChanges, shownDiff } from "../support/languages/previewText";
import { python } from "../support/languages/python";
import { valueAt } from "../support/propertyPaths";
import { sharedCluster } from "../support/sandboxHooks";

const root = path.resolve(__dirname, "../..");
const example = (name: string) => path.join(root, "examples", name);
const testProgram = (name: string) => path.join(root, "tests/support/languages/python/programs", name);

/** Runs a test with a program and a namespace of its own. */
async function withPython(
  program: string,
  body: (it: ProgramUnderTest & { namespace: string }) => Promise<void>,
): Promise<void> {
  const { kubeconfigPath, newNamespace } = sharedCluster();
  const namespace = await newNamespace();
  await withProgram(python, program, { kubeconfigPath, config: { namespace }, stackName: "dev" }, (it) =>
    body({ ...it, namespace }),
  );
  assert.deepEqual(await leftIn(namespace), []);
}

/** The one outcome of an operation that is to succeed. */
function succeeded([outcome, ...others]: OperationOutcome[]): OperationOutcome {
  assert.ok(outcome && others.length === 0);
  assert.ok(outcome.ok, outcome.error);
  return outcome;
}

describe("A program in Python", () => {
  before(async function () {
    // The first time on a machine, it installs Pulumi's SDK.
    this.timeout(600_000);
    await python.driver("");
  });

  it("runs the smallest cluster, and destroys all of it", () =>
    withPython(example("hello-python"), async ({ run, namespace }) => {
      const { kube } = sharedCluster();
      const { outputs } = succeeded(await run({ kind: "up" }));
      assert.match(String(outputs["logs"]), new RegExp(`^kubectl logs --namespace ${namespace} `));
      const pods = await kube.podsOfJob(namespace, "hello");
      assert.deepEqual([pods.length, pods[0]?.ready], [1, true]);
      succeeded(await run({ kind: "destroy" }));
      assert.deepEqual(await leftIn(namespace), []);
    }));

  it("resizes LAMMPS in place: a preview shows the counts alone, and the pods that run stay", () =>
    withPython(example("lammps-python"), async ({ run, namespace }) => {
      const { kube } = sharedCluster();
      assert.equal(succeeded(await run({ kind: "up" })).outputs["size"], 4);
      const before = await kube.podsOfJob(namespace, "lammps");
      assert.equal(before.filter(({ ready }) => ready).length, 4);

      const preview = readText(succeeded(await run({ kind: "preview", config: { size: "6" } })).text);
      assert.deepEqual(shownChanges(preview), [
        "update JobPatch lammps-size",
        "update ConfigMapPatch lammps-entrypoint-size",
      ]);
      assert.deepEqual(shownDiff(preview, "JobPatch"), ["~ completions: 4 => 6", "~ parallelism: 4 => 6"]);
      assert.deepEqual(shownDiff(preview, "ConfigMapPatch"), ['~ size: "4" => "6"']);
      assert.deepEqual(preview.outputs, ["~ size    : 4 => 6"]);
      assert.equal((await kube.podsOfJob(namespace, "lammps")).length, 4);

      const resized = await run({ kind: "up" }, { kind: "preview" });
      assert.deepEqual(
        resized.map(({ ok }) => ok),
        [true, true],
      );
      assert.deepEqual(shownChanges(readText(resized[1]?.text ?? "")), []);
      const after = await kube.podsOfJob(namespace, "lammps");
      assert.equal(after.length, 6);
      assert.deepEqual(uids(after).slice(0, 4), uids(before));
    }));

  it("is refused before anything is created, with the place of everything that is wrong", () =>
    withPython(testProgram("refused"), async ({ run, namespace }) => {
      const [outcome] = await run({ kind: "up" });
      assert.equal(outcome?.ok, false);
      const { error = "", text } = outcome;
      const places = [...error.matchAll(/- property (\S+) with value/g)].map(([, place]) => place);
      assert.deepEqual(places.sort(), [
        "containers[0].ports[0]",
        "containers[0].volumes.data.path",
        "logging.quite",
        "network.headlessName",
        "size",
        "tasks",
        "wait",
      ]);
      assert.match(error, /size 9 is above maxSize 4; raise maxSize or lower size/);
      assert.deepEqual(shownChanges(readText(text)), ["create Stack minicluster-refused-dev"]);
      assert.deepEqual(await leftIn(namespace), []);
    }));

  it("gives outputs of other resources, secrets, enums and the types of Kubernetes", () =>
    withPython(testProgram("typed"), async ({ run, namespace }) => {
      const preview = succeeded(await run({ kind: "preview" }));
      // What another resource has yet to say hides one field; the digests are those of secrets.
      assert.deepEqual(unknownIn(preview.text), [
        "image",
        "minicluster/certificate-hash",
        "minicluster/environment-hash",
        "minicluster/leaf-hash",
      ]);
      const made = succeeded(await run({ kind: "up" }));
      assert.deepEqual(made.outputs, { ranks: [0, 1], first: "typed-0" });
      for (const { text } of [preview, made]) assert.doesNotMatch(text, /not to be seen|bm90IHRvIGJlIHNlZW/);

      const { kube } = sharedCluster();
      const job = await kube.get({ apiVersion: "batch/v1", kind: "Job", name: "typed", namespace });
      const template = valueAt(job, "spec.template") as KubeObject;
      assert.equal(job.metadata.labels?.["build"], "v1");
      assert.equal(template.metadata.annotations?.["example.com/team"], "chemistry");
      assert.deepEqual(valueAt(template, "spec.tolerations"), [
        { key: "dedicated", operator: "Exists", effect: "NoSchedule" },
      ]);
      assert.equal(valueAt(template, "spec.terminationGracePeriodSeconds"), 7);
      const container = valueAt(template, "spec.containers[0]");
      assert.equal(valueAt(container, "image"), `registry.example.com/${namespace}/builds:v1`);
      assert.equal(valueAt(container, "imagePullPolicy"), "Always");
      assert.equal(valueAt(container, "securityContext.readOnlyRootFilesystem"), false);
      const key = valueAt(container, "env[1].valueFrom.secretKeyRef") as { name: string; key: string };
      const { data } = await kube.get({ apiVersion: "v1", kind: "Secret", name: key.name, namespace });
      assert.equal(Buffer.from((data as Record<string, string>)[key.key] ?? "", "base64").toString(), "not to be seen");
    }));
});

/** The properties whose values a text shows as only known later. */
const unknownIn = (text: string) => [...text.matchAll(/^ *(\S+) *: \[unknown\]$/gm)].map(([, name]) => name).sort();
