import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, type MiniClusterArgs } from "../../provider";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type Registration, valueOf } from "../support/mocks";
import { valueAt } from "../support/propertyPaths";

/** Everything that is registered for a cluster. */
async function register(args: Partial<MiniClusterArgs>, preview = false): Promise<Registration[]> {
  const seen = await mockEngine({ preview });
  const cluster = new MiniCluster("demo", aMiniClusterArgs(args));
  await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
  return seen;
}

const ids = (seen: Registration[]) => seen.map(({ id }) => id).sort();

describe("what a cluster with a sidecar's service registers", function () {
  this.timeout(20_000);

  const sidecar = (name: string, serviceName?: string) => aContainer({ name, ports: [80], serviceName });
  const containers = [aContainer({ runFlux: true }), sidecar("web", "nginx"), sidecar("lead", "front"), sidecar("x")];
  const services = ["Service demo-sidecar-lead", "Service demo-sidecar-web"];

  it("is one resource more for each, before the Job, and gone before another of its name comes", async () => {
    const seen = await register({ containers });
    assert.deepEqual(
      ids(seen).filter((id) => id.startsWith("Service ")),
      ["Service demo", ...services],
    );
    const job = seen.find(({ id }) => id === "Job demo") ?? assert.fail();
    for (const id of services) {
      const service = seen.find((each) => each.id === id) ?? assert.fail(id);
      assert.ok(seen.indexOf(service) < seen.indexOf(job), id);
      assert.ok(job.dependsOn.includes(id), id);
      assert.deepEqual([service.parent, service.deleteBeforeReplace], ["MiniCluster demo", true]);
    }
  });

  it("is registered in a preview as well, and leaves the pods' template alone", async () => {
    const without = containers.map((container) => ({ ...container, serviceName: undefined }));
    const [one, other] = [await register({ containers }, true), await register({ containers: without }, true)];
    const template = (seen: Registration[]) =>
      valueAt(seen.find(({ id }) => id === "Job demo")?.inputs, "spec.template");
    assert.deepEqual(ids(one), [...ids(other), ...services].sort());
    assert.deepEqual(template(one), template(other));
  });
});
