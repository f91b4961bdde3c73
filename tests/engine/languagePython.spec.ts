import assert from "node:assert/strict";
import * as path from "node:path";
import { leftIn } from "../support/clusters";
import type { KubeObject } from "../sandbox/kube";
import { itRunsExamples, programsOf, succeeded } from "../support/languages/exampleTests";
import { readText, shownChanges } from "../support/languages/previewText";
import { python } from "../support/languages/python";
import { valueAt } from "../support/propertyPaths";
import { sharedCluster } from "../support/sandboxHooks";

const root = path.resolve(__dirname, "../..");
const testProgram = (name: string) => path.join(root, "tests/support/languages/python/programs", name);

const withPython = programsOf(python);

describe("A program in Python", () => {
  before(async function () {
    // The first time on a machine, it installs Pulumi's SDK.
    this.timeout(600_000);
    await python.driver("");
  });

  itRunsExamples(python);

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
