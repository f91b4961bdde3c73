import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { manifestsOf, sentManifests } from "../../../support/manifests";
import { changedPaths } from "../../../support/propertyPaths";
import { aBroker, aGpuPool, aPool, aSidecar } from "../../../support/fixtures";

/** Settings in which a size could hide. */
const shapes: { name: string; args: Partial<MiniClusterArgs> }[] = [
  { name: "default settings", args: {} },
  { name: "64 tasks", args: { tasks: 64 } },
  { name: "0 tasks", args: { tasks: 0 } },
  { name: "a minSize", args: { minSize: 1 } },
  { name: "an interactive shell", args: { interactive: true } },
  { name: "a batch job", args: { containers: [aBroker({ command: "a\nb", batch: true })] } },
  { name: "a launcher", args: { containers: [aBroker({ launcher: true })] } },
  {
    name: "services and a policy",
    args: {
      services: [{ image: "i", name: "store", command: "serve", ports: [80] }],
      network: { policy: "brokerPort" },
    },
  },
  { name: "an archive and restricted pods", args: { archive: { path: "/state/a.tgz" }, podSecurity: "restricted" } },
  { name: "minimalService", args: { flux: { minimalService: true } } },
  { name: "an image volume and munge", args: { flux: { container: { imageVolume: true }, mungeSecret: "munge" } } },
  { name: "the operator's form of bursting", args: { flux: { bursting: { clusters: [{ size: 4 }] } } } },
  {
    name: "a broker configuration and a pod template",
    args: {
      flux: { brokerConfig: "[resource]\n" },
      podTemplate: { spec: { containers: [{ name: "demo", tty: true }] } },
    },
  },
  {
    name: "a pool of GPUs and prepull",
    args: { pool: aGpuPool({ zones: ["a"], taints: [{ key: "gpu", effect: "NoSchedule" }] }), prepull: true },
  },
  {
    name: "the static CPU policy",
    args: {
      pool: aPool({ staticCpu: true }),
      flux: { container: { disable: true } },
      containers: [aBroker({ resources: { limits: { cpu: "8", memory: "8Gi" } } })],
    },
  },
  { name: "pods that share nodes", args: { pool: aPool({ nodes: 1 }), network: { affinity: "none" } } },
  { name: "a native gang", args: { gang: { native: { minCount: 1 } } } },
  { name: "a queue and cleanup", args: { gang: { queueName: "hpc" }, cleanup: true } },
  {
    name: "a sidecar with a Service",
    args: {
      flux: { container: { disable: true } },
      containers: [aBroker(), aSidecar({ ports: [80], serviceName: "side" })],
    },
  },
];

describe("the scaling promise", () => {
  for (const { name, args: shape } of shapes) {
    it(`changes only the counts when the size of a cluster with ${name} changes`, async () => {
      const before = await sentManifests({ ...shape, size: 4, maxSize: 16 });
      const after = await sentManifests({ ...shape, size: 9, maxSize: 16 });
      assert.deepEqual(changedPaths(before, after), [
        "configMap.data.size",
        "configScale.data.size",
        "job.spec.completions",
        "job.spec.parallelism",
        "jobScale.spec.completions",
        "jobScale.spec.parallelism",
      ]);
    });

    it(`writes the same bytes for 3 and for 99999 hosts of a cluster with ${name}, but for digits`, () => {
      const bytes = (maxSize: number) => {
        const { data } = manifestsOf({ ...shape, size: 1, maxSize }).configMap;
        // Where the lead broker has an address of its own, the list of the others begins with 1.
        return JSON.stringify(data).replace(new RegExp(`-\\[([01])-${maxSize - 1}\\]`, "g"), "-[$1-…]");
      };
      assert.equal(bytes(99_999), bytes(3));
    });
  }

  it("changes the template with maxSize, because every broker has to know the new hosts", async () => {
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
