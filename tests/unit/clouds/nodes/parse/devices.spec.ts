import * as assert from "node:assert/strict";
import type { EksNodePoolArgs, GkeNodePoolArgs, NodePoolScheduling } from "../../../../../provider";
import { eksMachineTypes } from "../../../../../provider/clouds/eks/machines";
import { gkeMachineTypes } from "../../../../../provider/clouds/gke/machines";
import { partitionsOf } from "../../../../../provider/clouds/gke/machines/accelerated";
import type { DevicePlugin } from "../../../../../provider/clouds/nodes/parse/devicePlugins";
import { aContainer, aMiniCluster } from "../../../../support/fixtures";
import { validating, problemsOf } from "../../../../support/problems";
import { aGkePool, aKarpenterEfaPool, aksPool, anEfaPoolArgs, anEksPool } from "../fixtures";

interface Pool {
  scheduling: NodePoolScheduling;
  devicePlugins?: DevicePlugin[];
}

const both = { fabricBy: "claim", gpuBy: "claim" } as const;
const block = { capacity: "capacityBlock", reservationId: "cr-1" } as const;
const anEfaPool = (type: string, args: Partial<EksNodePoolArgs> = {}) => anEksPool(anEfaPoolArgs(type, args));
const anH100Pool = (args: Partial<GkeNodePoolArgs>) => aGkePool({ machineType: "a3-highgpu-8g", ...args });
const anNdPool = (args: object) => aksPool({ machineType: "Standard_ND96isr_H100_v5", ...args });

/** What pods request and claim of a node, and what runs on it for them. */
function devicesOf({ scheduling, devicePlugins = [] }: Pool): string {
  const { claims = [], claimSets, matchAttributes = [], resources = {}, computeDomain, node } = scheduling;
  const claimed = claims.map(({ name, deviceClass, count }) => `${count} ${name} of ${deviceClass}`);
  return [
    `${node.gpus ?? 0} GPUs, counted ${JSON.stringify(resources).replaceAll('"', "")}`,
    ...(scheduling.gpusPerContainer ? [`${scheduling.gpusPerContainer} GPU in each container`] : []),
    ...(claims.length > 0 ? [`claims ${claimSets} x ${claimed.join(" and ")}`] : []),
    ...matchAttributes.map((name) => `near by ${name}`),
    ...(computeDomain ? ["a domain of NVLink"] : []),
    ...devicePlugins.map(({ kind }) => `plugin ${kind}`),
  ].join("; ");
}

describe("the devices of a pool", () => {
  const table: { name: string; pool: Pool; want: string }[] = [
    {
      ...{ name: "one EFA interface, claimed", pool: anEfaPool("hpc7g.16xlarge", { fabricBy: "claim" }) },
      want: "0 GPUs, counted {hugepages-2Mi:14080Mi}; claims 1 x 1 efa of efa.networking.k8s.aws",
    },
    {
      name: "GPUs that are claimed, and EFA of a plugin",
      pool: anEfaPool("p5.48xlarge", { gpuBy: "claim" }),
      want:
        "8 GPUs, counted {vpc.amazonaws.com/efa:32,hugepages-2Mi:42240Mi}; claims 1 x 8 gpu of gpu.nvidia.com; " +
        "plugin efa",
    },
    {
      name: "GPUs claimed with EFA, one by one",
      pool: anEfaPool("p5.48xlarge", { fabricBy: "claim", gpuBy: "claim" }),
      want:
        "8 GPUs, counted {hugepages-2Mi:42240Mi}; claims 8 x 1 gpu of gpu.nvidia.com and 4 efa of " +
        "efa.networking.k8s.aws; near by resource.kubernetes.io/pcieRoot",
    },
    {
      name: "GPUs claimed with EFA, in pairs",
      pool: anEfaPool("p4d.24xlarge", { fabricBy: "claim", gpuBy: "claim" }),
      want:
        "8 GPUs, counted {hugepages-2Mi:21120Mi}; claims 4 x 2 gpu of gpu.nvidia.com and 1 efa of " +
        "efa.networking.k8s.aws; near by resource.kubernetes.io/pcieRoot",
    },
    {
      name: "GPUs and EFA claimed from Karpenter, without huge pages",
      pool: aKarpenterEfaPool("p5.48xlarge", { fabricBy: "claim", gpuBy: "claim" }),
      want:
        "8 GPUs, counted {}; claims 8 x 1 gpu of gpu.nvidia.com and 4 efa of efa.networking.k8s.aws; near by " +
        "resource.kubernetes.io/pcieRoot",
    },
    {
      name: "EFA claimed from Karpenter, and GPUs of a plugin",
      pool: aKarpenterEfaPool("p5.48xlarge", { fabricBy: "claim" }),
      want: "8 GPUs, counted {nvidia.com/gpu:8}; claims 1 x 32 efa of efa.networking.k8s.aws; plugin nvidia",
    },
    {
      name: "GPUs claimed with RDMA interfaces of GKE",
      pool: aGkePool({ machineType: "a3-ultragpu-8g", fabric: "rdma", fabricBy: "claim", gpuBy: "claim" }),
      want: "8 GPUs, counted {}; claims 8 x 1 gpu of gpu.nvidia.com and 1 rdma of mrdma.google.com",
    },
    {
      ...{ name: "GPUs claimed on AKS", pool: anNdPool({ gpuBy: "claim" }) },
      want: "8 GPUs, counted {}; claims 1 x 8 gpu of gpu.nvidia.com",
    },
    { name: "GPUs of GKE's own plugin", pool: anH100Pool({}), want: "8 GPUs, counted {nvidia.com/gpu:8}" },
    {
      ...{ name: "parts of GPUs", pool: anH100Pool({ gpuPartition: "1g.10gb" }) },
      want: "56 GPUs, counted {nvidia.com/gpu:56}",
    },
    {
      name: "parts of GPUs that are shared",
      pool: anH100Pool({ gpuPartition: "1g.10gb", gpuSharing: { strategy: "timeSharing", clients: 4 } }),
      want: "224 GPUs, counted {nvidia.com/gpu:224}; 1 GPU in each container",
    },
    { name: "GPUs of a plugin on AKS", pool: anNdPool({}), want: "8 GPUs, counted {nvidia.com/gpu:8}; plugin nvidia" },
    {
      ...{ name: "sevenths of GPUs on AKS", pool: anNdPool({ gpuPartition: "1g" }) },
      want: "56 GPUs, counted {nvidia.com/gpu:56}; plugin nvidia",
    },
    {
      ...{ name: "thirds of GPUs on AKS", pool: anNdPool({ gpuPartition: "2g" }) },
      want: "24 GPUs, counted {nvidia.com/gpu:24}; plugin nvidia",
    },
    {
      ...{ name: "undivided GPUs in one partition on AKS", pool: anNdPool({ gpuPartition: "7g" }) },
      want: "8 GPUs, counted {nvidia.com/gpu:8}; plugin nvidia",
    },
  ];
  for (const { name, pool, want } of table) it(`are ${name}`, () => assert.equal(devicesOf(pool), want));

  it("are never more than one claim may have, whatever the machine", () => {
    for (const [type, { accelerator, efaInterfaces, hasDriver }] of Object.entries(eksMachineTypes)) {
      if (accelerator?.kind !== "nvidia" || efaInterfaces === 0 || !hasDriver) continue;
      const pool = anEfaPool(type, { ...both, ...(type.startsWith("p6e") && block) });
      const { claims = [], claimSets = 0 } = pool.scheduling;
      const [gpus = 0, interfaces = 0] = claims.map(({ count = 0 }) => count);
      assert.deepEqual([gpus * claimSets, interfaces * claimSets], [accelerator.count, efaInterfaces], type);
      assert.ok(gpus + interfaces <= 32, type);
    }
  });
});

describe("GPUs that are divided or shared", () => {
  it("have partitions where GKE's plugin knows them, of GPUs that machines have", () => {
    const names = new Set([...gkeMachineTypes.values()].map(({ acceleratorType }) => acceleratorType));
    const divisible = [...names].filter((name) => Object.keys(partitionsOf(name)).length > 0);
    assert.deepEqual(divisible.sort(), [
      ...["nvidia-a100-80gb", "nvidia-b200", "nvidia-gb200", "nvidia-h100-80gb", "nvidia-h100-mega-80gb"],
      ...["nvidia-h200-141gb", "nvidia-rtx-pro-6000", "nvidia-tesla-a100"],
    ]);
    for (const name of divisible)
      for (const [size, count] of Object.entries(partitionsOf(name)))
        assert.ok(count * Number(/^(\d)g\./.exec(size)?.[1]) <= 7, `${name} ${size}`);
  });
});

describe("a cluster on GPUs that are divided or shared", () => {
  const sevenths = anH100Pool({ gpuPartition: "1g.10gb" }).scheduling;
  const turns = anH100Pool({ gpuSharing: { strategy: "timeSharing", clients: 4 } }).scheduling;

  it(
    "has all parts of a node where a pod has a node to itself, and one turn in each container, for GKE gives no " +
      "more",
    () => {
      const gpusOf = (pool: NodePoolScheduling) => aMiniCluster({ pool }).main.resources?.limits?.["nvidia.com/gpu"];
      assert.deepEqual([gpusOf(sevenths), gpusOf(turns)], ["56", "1"]);
    },
  );

  // As many pods are on a node as it has parts or turns, where each has one.
  const { rejects, accepts } = validating(
    ({ pool, gpus, size }: { pool: NodePoolScheduling; gpus: number; size: number }) => {
      const containers = [aContainer({ resources: { limits: { "nvidia.com/gpu": String(gpus) } } })];
      return problemsOf({ name: "demo", size, maxSize: size, network: { affinity: "none" }, pool, containers });
    },
  );
  rejects({
    "size: size 65 is above the 64 pods that pool hpc has devices for; raise the pool's size or lower size": {
      ...{ pool: turns, gpus: 1, size: 65 },
    },
    ['containers[0].resources.limits["nvidia.com/gpu"]: pods of pool hpc share its GPUs, and a container may ' +
    "request 1; lower it"]: { pool: turns, gpus: 2, size: 1 },
  });

  accepts({
    "as many pods as the parts of all nodes": { pool: sevenths, gpus: 1, size: 112 },
    "as many pods as the shares of all nodes": { pool: turns, gpus: 1, size: 64 },
  });
});
