import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { objectsOf } from "../../../../provider/brokers/objects/identities";
import { aBursting, aContainer, aGpuPool, aMiniCluster } from "../../../support/fixtures";
import { manifestsFor, sentFor } from "../../../support/manifests";

/** Names of all objects in manifests; patches and the pods of other objects have none of their own. */
function namesIn(value: unknown, key = ""): string[] {
  if (typeof value !== "object" || value === null || ["configScale", "jobScale", "template"].includes(key)) return [];
  const { metadata } = value as { metadata?: { name?: string } };
  const inner = Object.entries(value).flatMap(([name, part]) => namesIn(part, name));
  return [...(metadata?.name === undefined ? [] : [metadata.name]), ...inner];
}

describe("the objects of a cluster, by kind and name", () => {
  const cases: { name: string; args: Partial<MiniClusterArgs> }[] = [
    { name: "of a plain cluster", args: {} },
    {
      name: "with services and sidecars that others reach",
      args: {
        containers: [aContainer({ runFlux: true }), aContainer({ name: "db", serviceName: "db", ports: [80] })],
        services: [aContainer({ name: "web", ports: [80] })],
        disruptionBudget: true,
        gang: { native: {} },
      },
    },
    {
      name: "that others join, with metrics and an agent",
      args: {
        ...{ interactive: true, autoscale: { max: 4 }, prepull: true, metrics: { podMonitor: {} } },
        bursting: aBursting({ expose: { nodePort: { address: "a.example" } } }),
      },
    },
    { name: "with network policies", args: { network: { policy: "pods" }, metrics: {} } },
    {
      name: "with devices by claims",
      args: {
        pool: aGpuPool({
          resources: {},
          claims: [{ name: "gpus", deviceClass: "gpu.nvidia.com", count: 8 }],
          computeDomain: true,
        }),
      },
    },
  ];
  for (const { name, args } of cases)
    it(`are all that it registers: ${name}`, async () => {
      const spec = aMiniCluster(args);
      const found = objectsOf(manifestsFor(spec));
      assert.equal(new Set(found).size, found.length);
      const names = found.map((object) => object.split(" ")[1]);
      assert.deepEqual(names.sort(), namesIn(await sentFor(spec)).sort());
    });
});
