import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { schemaProblems } from "../../../support/apiSchema";
import { allClusters } from "../../../support/everything";
import { sentManifests } from "../../../support/manifests";
import { scenarios } from "../../../support/scenarios";
import { aContainer } from "../../../support/fixtures";

/** What the provider calls the objects. */
const types: Record<string, string> = {
  secret: "inputs.core.v1.Secret",
  environment: "inputs.core.v1.Secret",
  configMap: "inputs.core.v1.ConfigMap",
  configScale: "inputs.core.v1.ConfigMap",
  service: "inputs.core.v1.Service",
  servicesPod: "inputs.core.v1.Pod",
  servicesService: "inputs.core.v1.Service",
  leadService: "inputs.core.v1.Service",
  networkPolicy: "inputs.networking.v1.NetworkPolicy",
  disruptionBudget: "inputs.policy.v1.PodDisruptionBudget",
  job: "inputs.batch.v1.Job",
};

/** A patch is a part of its object, which may miss what the object needs. */
const patchTypes: Record<string, string> = {
  metadata: "inputs.meta.v1.ObjectMeta",
  spec: "inputs.batch.v1.JobSpecPatch",
};

function problemsIn(object: string, manifest: unknown): string[] {
  if (object === "sidecarServices")
    return Object.values(manifest as object).flatMap((service) => problemsIn("service", service));
  if (object !== "jobScale") return schemaProblems(manifest, types[object] ?? object, object);
  return Object.entries(manifest as object).flatMap(([key, part]) =>
    schemaProblems(part, patchTypes[key] ?? key, `${object}.${key}`),
  );
}

const clusters: Record<string, Partial<MiniClusterArgs>> = {
  ...scenarios,
  ...allClusters,
  "nothing but an image": { containers: [{ image: "i" }] },
  "restricted pods with a view that is mounted": {
    ...{ podSecurity: "restricted", services: [{ image: "i", name: "store" }], network: { policy: "brokerPort" } },
    flux: { container: { imageVolume: true } },
  },
  "variables that are only known later": { containers: [aContainer({ environment: { A: pulumi.output("a") } })] },
};

describe("what the Kubernetes API knows", function () {
  this.timeout(20_000);

  for (const [name, args] of Object.entries(clusters))
    it(`includes every property of the manifests of ${name}`, async () => {
      for (const [object, manifest] of Object.entries(await sentManifests(args)))
        assert.deepEqual(problemsIn(object, manifest), []);
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
