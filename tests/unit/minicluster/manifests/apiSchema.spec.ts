import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { schemaProblems } from "../../../support/apiSchema";
import { everything } from "../../../support/everything";
import { sentManifests } from "../../../support/manifests";
import { scenarios } from "../../../support/scenarios";
import { aContainer } from "../../../support/fixtures";

/** Kubernetes' own names of the objects. A patch is a part of its object. */
const types: Record<string, string> = {
  secret: "inputs.core.v1.Secret",
  environment: "inputs.core.v1.Secret",
  configMap: "inputs.core.v1.ConfigMap",
  configScale: "inputs.core.v1.ConfigMap",
  service: "inputs.core.v1.Service",
  job: "inputs.batch.v1.Job",
  jobScale: "inputs.batch.v1.Job",
};

const clusters: Record<string, Partial<MiniClusterArgs>> = {
  ...scenarios,
  everything,
  "nothing but an image": { containers: [{ image: "i" }] },
  "variables that are only known later": { containers: [aContainer({ environment: { A: pulumi.output("a") } })] },
};

describe("what the Kubernetes API knows", () => {
  for (const [name, args] of Object.entries(clusters))
    it(`includes every property of the manifests of ${name}`, async () => {
      for (const [object, manifest] of Object.entries(await sentManifests(args)))
        assert.deepEqual(schemaProblems(manifest, types[object] ?? object, object), []);
    });

  it("does not include misspelt properties, values of another type, or objects with a part missing", () => {
    const template = { spec: { containers: [{ image: 7 }], volumes: {}, hostIPC: "yes" } };
    const job = { kind: "job", metadata: { labels: { a: 1 } }, spec: { completion: 4, template } };
    assert.deepEqual(schemaProblems(job, "inputs.batch.v1.Job", "job"), [
      'job.kind is no "Job"',
      "job.metadata.labels.a is no string",
      "job.spec.completion is unknown",
      "job.spec.template.spec.containers[0].name is missing",
      "job.spec.template.spec.containers[0].image is no string",
      "job.spec.template.spec.volumes is no list",
      "job.spec.template.spec.hostIPC is no boolean",
    ]);
  });
});
