import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { allClusters } from "../../../support/everything";
import { aBursting, aContainer, aPool } from "../../../support/fixtures";
import { sentManifests } from "../../../support/manifests";

/** Paths of the empty lists in a value. */
function emptyLists(value: unknown, path = ""): string[] {
  if (Array.isArray(value) && value.length === 0) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => emptyLists(part, `${path}.${key}`));
}

describe("the manifests", () => {
  const cases: { name: string; args: Partial<MiniClusterArgs> }[] = [
    { name: "of a plain cluster", args: {} },
    { name: "of a cluster with an agent", args: { interactive: true, autoscale: { max: 4 } } },
    { name: "with metrics", args: { metrics: { podMonitor: {} } } },
    { name: "on a pool", args: { pool: aPool(), prepull: true, gang: { native: {} }, disruptionBudget: true } },
    { name: "of a cluster that others join", args: { bursting: aBursting() } },
    {
      name: "with sidecars and services",
      args: {
        containers: [aContainer({ runFlux: true }), aContainer({ name: "beside", command: undefined })],
        services: [aContainer({ name: "store" })],
        network: { policy: "pods" },
      },
    },
  ];
  for (const { name, args } of [...cases, ...Object.entries(allClusters).map(([name, args]) => ({ name, args }))])
    // Kubernetes drops an empty list, and so does its provider in previews.
    it(`hold no empty list: ${name}`, async () => assert.deepEqual(emptyLists(await sentManifests(args)), []));
});
