import assert from "node:assert/strict";
import * as path from "node:path";
import { leftIn } from "../support/clusters";
import type { KubeObject } from "../sandbox/kube";
import { itRunsExamples, programsOf, refusalsIn, succeeded } from "../support/languages/exampleTests";
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
      assert.deepEqual(refusalsIn(error), [
        "name: must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends, " +
          "known before anything is created; this is an output or a secret: pass the value itself, and its " +
          "dependency in the option dependsOn (depends_on in Python)",
        "containers[0].ports[0]: 70000 must be an integer from 1 to 65535",
        'containers[0].volumes.data.path: "not/absolute" must be an absolute path such as "/data", without a colon',
        'network.headlessName: "Not A Name" must be a lowercase DNS label that starts with a letter: at most 63 ' +
          "of a-z, 0-9 and -",
        "logging.quite: unknown property; did you mean quiet?",
        "flux.logLevel: 9 must be an integer from 0 to 7",
        "flux.connect_timeouts: unknown property; did you mean connectTimeout (connect_timeout in Python)?",
        "tasks: -1 must be an integer from 1 to 2147483647",
        'wait: must be one of "ready", "settled", "complete", "none"',
        "size: size 9 is above maxSize 4; raise maxSize or lower size",
      ]);
      assert.doesNotMatch(`${error}${text}`, /not-to-be-seen/);
      assert.deepEqual(shownChanges(readText(text)), ["create Stack minicluster-refused-dev"]);
      assert.deepEqual(await leftIn(namespace), []);
    }));

  it("passes a field of the pods that only a newer Kubernetes has to the API server", () =>
    withPython(testProgram("newer"), async ({ run, namespace }) => {
      for (const kind of ["preview", "up"] as const) {
        const [outcome] = await run({ kind });
        assert.match(
          `${outcome?.error}${outcome?.text}`,
          /podTemplate\.spec\.fieldOfTomorrow: the API server does not support this field/,
        );
      }
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
      assert.equal(valueAt(template, "spec.terminationGracePeriodSeconds"), 70);
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
