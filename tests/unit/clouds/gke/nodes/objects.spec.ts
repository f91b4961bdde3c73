import * as assert from "node:assert/strict";
import type { GkeNodePoolArgs } from "../../../../../provider";
import { buildNodePool, buildPlacementPolicy } from "../../../../../provider/clouds/gke/nodes/objects";
import { factsIn } from "../../../../../provider/clouds/gke/nodes/diagnostics";
import { resizeDiagnostics } from "../../../../../provider/clouds/nodes/diagnostics";
import { aFalconPoolArgs, aGkePool, aRocePoolArgs, rdmaNetworks, x1GkeArgs } from "../../nodes/fixtures";
import { asInputs, itMakes, diagnosing, ofAnyCloud } from "../../nodes/tables";

const pools: Record<string, Partial<GkeNodePoolArgs>> = {
  "a plain pool": {},
  "CPUs close to each other, with Tier_1 bandwidth, one thread of each core and whole CPUs": {
    machineType: "c2d-standard-112",
    fabric: "tier1",
    placement: "compact",
    threadsPerCore: 1,
    size: 256,
    project: "p",
    version: "1.34.1-gke.1829001",
    placementPolicyName: "close",
    staticCpu: true,
  },
  "threads that the machine has anyway": { threadsPerCore: 2 },
  "everything that people set, on ARM, scaled by need": {
    name: "arm",
    machineType: "c4a-standard-72",
    minSize: 1,
    maxSize: 8,
    labels: { team: "hpc" },
    tags: { cost: "42" },
    networkTags: ["mpi"],
    serviceAccount: "me@p.example",
    diskGib: 300,
    diskType: "hyperdisk-balanced",
    autoUpgrade: false,
    autoRepair: false,
    imageStreaming: true,
    taints: [
      { key: "mine", effect: "NoExecute" },
      { key: "ours", value: "yes", effect: "PreferNoSchedule" },
    ],
  },
  "GPUs that the machine comes with, and the newest driver": { machineType: "g2-standard-96", gpuDriver: "latest" },
  "GPUs without a driver": { machineType: "a2-highgpu-8g", gpuDriver: "none" },
  "GPUs that are added, beside CPUs whose NUMA nodes the kubelet does not know": {
    machineType: "n1-standard-32",
    gpus: { type: "nvidia-tesla-v100", count: 4 },
    staticCpu: true,
  },
  "RoCE between GPUs, the second gVNIC first": aRocePoolArgs(),
  "Falcon between CPUs": aFalconPoolArgs({ placement: "compact" }),
  "bare metal of which gIB is in the image": {
    machineType: "a4x-maxgpu-4g-metal",
    fabric: "rdma",
    capacityType: "reservation",
    reservationName: "r/reservationBlocks/b/reservationSubBlocks/s",
  },
  "described bare metal, which has no gVNIC": x1GkeArgs({ hardware: { bareMetal: true } }),
  "local SSDs as block devices, and maintenance in turns": {
    machineType: "c4n-standard-192-lssd",
    localDisks: "raw",
    hostMaintenance: "periodic",
  },
  "local SSDs as one file system, said so": { machineType: "h4d-highmem-192-lssd", localDisks: "raid0" },
  "superchips in one NVLink domain, with networks of GKE's own": {
    machineType: "a4x-highgpu-4g",
    fabric: "rdma",
    project: "p",
  },
  "superchips in a policy that exists": { machineType: "a4x-highgpu-4g", placementPolicyName: "mine" },
  "described GPUs with RDMA": aRocePoolArgs({
    machineType: "x1-standard-8",
    rdmaNetworks: rdmaNetworks(2),
    hardware: {
      arch: "arm64",
      vcpus: 8,
      threadsPerCore: 1,
      memoryMib: 1024,
      rdmaInterfaces: 2,
      acceleratorType: "nvidia-x1",
      accelerator: { kind: "nvidia", model: "X1", count: 2 },
    },
  }),
  "GPUs and RDMA that pods claim": { machineType: "a3-ultragpu-8g", fabric: "rdma", fabricBy: "claim", gpuBy: "claim" },
  "GPUs and RDMA that pods claim together on one PCIe root": {
    machineType: "a4-highgpu-8g",
    fabric: "rdma",
    fabricBy: "claim",
    gpuBy: "claim",
    deviceAlignment: "pcieRoot",
  },
  "superchips on bare metal, with what Google requires there": {
    machineType: "a4x-maxgpu-4g-metal",
    fabric: "rdma",
    capacityType: "reservation",
    reservationName: "r",
  },
  "RoCE with gIB of another version": aRocePoolArgs({ gibInstaller: { image: "mine" } }),
  "RoCE with gIB that is installed otherwise": aRocePoolArgs({ gibInstaller: { skip: true } }),
  "GPUs that are divided": { machineType: "a3-highgpu-8g", gpuPartition: "3g.40gb" },
  "GPUs that pods take turns on": { machineType: "a3-highgpu-8g", gpuSharing: { strategy: "timeSharing", clients: 4 } },
  "parts of GPUs that pods share": {
    machineType: "a3-highgpu-8g",
    gpuPartition: "1g.10gb",
    gpuSharing: { strategy: "mps", clients: 2 },
  },
  "queued nodes, of which none is there at first": {
    capacityType: "queued",
    size: 4,
    maxSize: 8,
    maxRunSeconds: 3600,
    zones: [],
  },
  "queued nodes that are upgraded on request": { capacityType: "queued", maxSize: 2, autoUpgrade: true },
  "flex start, with no node at first": { capacityType: "flexStart", size: 1, maxSize: 2 },
  "flex start, close to each other": aFalconPoolArgs({
    capacityType: "flexStart",
    placement: "compact",
    size: 1,
    maxSize: 2,
    project: "p",
  }),
  "a workload policy, as close as possible": {
    machineType: "a3-megagpu-8g",
    placement: "highThroughput",
    project: "p",
  },
  "a workload policy within one sub-block": aRocePoolArgs({
    placement: "highThroughput",
    maxTopologyDistance: "subblock",
    capacityType: "reservation",
    reservationName: "r",
  }),
  "a workload policy that exists": {
    machineType: "h4d-standard-192",
    placement: "highThroughput",
    placementPolicyName: "mine",
  },
  "flex start in a policy that exists": {
    machineType: "a4-highgpu-8g",
    capacityType: "flexStart",
    placement: "compact",
    placementPolicyName: "mine",
    maxSize: 2,
  },
  "spot machines": { capacityType: "spot" },
  "images and data on secondary boot disks": {
    imageStreaming: true,
    secondaryBootDisks: [
      { diskImage: "projects/p/global/images/containers", containerImageCache: true },
      { diskImage: "projects/p/global/images/weights" },
    ],
  },
  "any reservation, otherwise on demand": { capacityType: "anyReservation" },
  "any reservation, and never on demand": { capacityType: "anyReservationThenFail" },
  "a reservation": { capacityType: "reservation", reservationName: "projects/p/reservations/r" },
  "a fixed size, shared out between zones": { zones: ["us-central1-a", "us-central1-b", "us-central1-c"], size: 6 },
  "no node at all": { size: 0 },
  "what a cluster needs, rounded up in each zone": {
    zones: ["us-central1-a", "us-central1-b", "us-central1-c"],
    size: 4,
    maxSize: 9,
  },
  "no more than the limit, rounded down in each zone": {
    zones: ["us-central1-a", "us-central1-b", "us-central1-c"],
    size: 4,
    maxSize: 5,
  },
  "none before they are needed": { maxSize: 9 },
  "none where the zones are not known": { zones: [], size: 4, maxSize: 4 },
};

function made(args: Partial<GkeNodePoolArgs>) {
  const spec = aGkePool(args);
  const policy = buildPlacementPolicy(spec);
  return { policy, nodePool: buildNodePool(spec, policy && "new"), ...ofAnyCloud(spec) };
}

describe("a GkeNodePool", () => {
  itMakes("gke", pools, made);
});

type Args = Partial<GkeNodePoolArgs>;

describe("the diagnostics of a change of a GKE node pool", () => {
  const inputsOf = (args: Args) => asInputs(buildNodePool(aGkePool(args)));

  const { says, saysNothing } = diagnosing(([before, after]: [Args, Args]) => {
    const spec = aGkePool(after);
    return resizeDiagnostics(spec.scheduling, factsIn(spec)(inputsOf(before)), factsIn(spec)(inputsOf(after)));
  });
  says({
    "info: pool hpc: nodes 6 => 8, vCPUs 96 => 128, GiB of memory 384 => 512": [
      { zones: ["us-central1-a", "us-central1-b"], size: 6 },
      { zones: ["us-central1-a", "us-central1-b"], size: 8 },
    ],
    "info: pool hpc (maximum): nodes 9 => 10, vCPUs 144 => 160, GiB of memory 576 => 640": [
      { size: 4, maxSize: 9 },
      { maxSize: 10 },
    ],
    ["info: pool hpc: machines n1-standard-32 => g2-standard-96, nodes 2 => 4, GPUs 8 => 32, vCPUs 64 => 384, " +
    "GiB of memory 240 => 1536"]: [
      { machineType: "n1-standard-32", gpus: { type: "nvidia-tesla-v100", count: 4 } },
      { machineType: "g2-standard-96", size: 4 },
    ],
    ["info: pool hpc: machines h4d-standard-192 => h4d-highmem-192-lssd, nodes 2 => 4, RDMA interfaces 2 => 4, " +
    "vCPUs 384 => 768, GiB of memory 1440 => 5952"]: [
      aFalconPoolArgs({ machineType: "h4d-standard-192" }),
      aFalconPoolArgs({ size: 4 }),
    ],
  });

  saysNothing({ "other tags": [{ size: 2 }, { size: 2, tags: { team: "hpc" } }] });

  it("is nothing while a part of the nodes is not known", () => {
    for (const inputs of [{}, { nodeCount: 2 }, { nodeLocations: ["us-central1-a"] }])
      assert.deepEqual(factsIn(aGkePool())(inputs), {});
  });
});
