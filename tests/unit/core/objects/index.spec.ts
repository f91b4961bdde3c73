import * as assert from "node:assert/strict";
import { randomCertificate } from "../../../../provider/core/register/certificate";
import { buildFeatures } from "../../../../provider/minicluster/cluster";
import type { MiniClusterArgs } from "../../../../provider";
import { identityOf, objectsOf } from "../../../../provider/core/objects/identities";
import { allClusters, scenarios } from "../../../support/everything";
import { aGpuPool, aMiniCluster, aPool } from "../../../support/fixtures";
import { manifestsOf, sentManifests, standInKey } from "../../../support/manifests";
import { changedPaths } from "../../../support/propertyPaths";

const clusters: Record<string, Partial<MiniClusterArgs>> = {
  ...allClusters,
  ...scenarios,
  defaults: {},
  "a gang on a pool": { pool: aPool(), gang: { native: { minCount: 1 } }, disruptionBudget: true },
  "a policy, metrics and no view": {
    network: { policy: "pods" },
    metrics: {},
    flux: { container: { disable: true } },
  },
  "an ended Job in a queue": { gang: { queueName: "hpc" }, cleanup: true },
  "shared nodes of a pool": { pool: aPool({ nodes: 1 }), network: { affinity: "none" } },
};

/** Paths of the empty lists in a value: Kubernetes drops such a list, and so does its provider in previews. */
function emptyLists(value: unknown, path = ""): string[] {
  if (Array.isArray(value) && value.length === 0) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => emptyLists(part, `${path}.${key}`));
}

/** Names of all objects in manifests; patches and the pods of other objects have no name. */
function namesIn(value: unknown, key = ""): string[] {
  if (typeof value !== "object" || value === null || ["configScale", "jobScale", "template"].includes(key)) return [];
  const { metadata } = value as { metadata?: { name?: string } };
  const inner = Object.entries(value).flatMap(([name, part]) => namesIn(part, name));
  return [...(metadata?.name === undefined ? [] : [metadata.name]), ...inner];
}

describe("the manifests", () => {
  for (const [name, args] of Object.entries(clusters))
    it(`are objects with unique names and without an empty list: ${name}`, async () => {
      const sent = await sentManifests(args);
      assert.deepEqual(emptyLists(sent), []);
      const spec = aMiniCluster(args);
      const found = objectsOf(spec, { certificate: randomCertificate(spec.name, standInKey) }, buildFeatures);
      assert.equal(new Set(found.map(identityOf)).size, found.length);
      assert.deepEqual(found.map((object) => object.name).sort(), namesIn(sent).sort());
    });
});

describe("the scaling promise", () => {
  /** The same cluster at any size. */
  const resizable = ({ pool, autoscale, ...args }: Partial<MiniClusterArgs>): Partial<MiniClusterArgs> => ({
    ...args,
    minSize: undefined,
    ...(autoscale && { interactive: true }),
    ...(pool && { pool: { ...(pool as object), nodes: undefined, maxNodes: undefined } as MiniClusterArgs["pool"] }),
  });
  const all: typeof clusters = { ...clusters, "GPUs and prepull": { pool: aGpuPool(), prepull: true } };
  const shapes = Object.entries(all).filter(
    ([, { flux, bursting, lead }]) => !bursting && !flux?.brokerConfig && !lead,
  );

  for (const [name, args] of shapes) {
    const shape = resizable(args);
    it(`changes only the counts when the size changes: ${name}`, async () => {
      const before = await sentManifests({ ...shape, size: 4, maxSize: 16 });
      const after = await sentManifests({ ...shape, size: 9, maxSize: 16 });
      const counts = ["job", "jobScale"].flatMap((job) => [`${job}.spec.completions`, `${job}.spec.parallelism`]);
      assert.deepEqual(changedPaths(before, after), ["configMap.data.size", "configScale.data.size", ...counts]);
    });

    it(`writes the same bytes for 3 and for 99999 hosts, but for digits: ${name}`, () => {
      const bytes = (maxSize: number) => {
        const { data } = manifestsOf({ ...shape, size: 1, maxSize }).configMap;
        // Where the lead broker has a separate address, the list of the others begins with 1.
        return JSON.stringify(data).replace(new RegExp(`-\\[([01])-${maxSize - 1}\\]`, "g"), "-[$1-…]");
      };
      assert.equal(bytes(99_990), bytes(3));
    });
  }

  it("changes the template with maxSize, because the configuration of every broker lists the hosts", async () => {
    const before = await sentManifests({ size: 4, maxSize: 16 });
    const after = await sentManifests({ size: 4, maxSize: 17 });
    assert.deepEqual(changedPaths(before, after).sort(), [
      'configMap.data["broker.toml"]',
      'configMap.data["demo.settings.sh"]',
      'configScale.metadata.annotations["minicluster/template-hash"]',
      'job.spec.template.metadata.annotations["minicluster/config-hash"]',
      'jobScale.metadata.annotations["minicluster/template-hash"]',
    ]);
  });
});
