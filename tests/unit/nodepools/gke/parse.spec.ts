import * as assert from "node:assert/strict";
import type { GkeNodePoolArgs, NodePoolScheduling } from "../../../../provider";
import { parseGkeNodePoolArgs } from "../../../../provider/nodepools/gke/parse";
import { aFalconPoolArgs, aGkePool, aGkePoolArgs, aRocePoolArgs, rdmaNetworks, x1 } from "./fixtures";

const schedulingOf = (args: GkeNodePoolArgs) => parseGkeNodePoolArgs("hpc", args).scheduling;
const noSchedule = (key: string, value: string) => ({ key, value, effect: "NoSchedule" });

/** What the pods of a pool called "hpc" have to know, but for what is said otherwise. */
const scheduling = (rest: Partial<NodePoolScheduling> & Pick<NodePoolScheduling, "node">) => ({
  pool: "hpc",
  nodeSelector: { "minicluster/pool": "hpc" },
  taints: [],
  nodes: 2,
  maxNodes: 2,
  resources: {},
  environment: {},
  annotations: {},
  hostPaths: {},
  lockMemory: false,
  staticCpu: false,
  ...rest,
});
const rdmaResources = (count: number) =>
  Object.fromEntries(rdmaNetworks(count).map(({ name }) => [`networking.gke.io.networks/${name}`, "1"]));

describe("what the pods know of a GKE node pool", () => {
  it("is of CPUs with Tier_1 bandwidth and one thread of each core", () =>
    assert.deepEqual(
      schedulingOf(
        aGkePoolArgs({ machineType: "c2d-standard-112", fabric: "tier1", threadsPerCore: 1, staticCpu: true }),
      ),
      scheduling({
        node: {
          arch: "amd64",
          vcpus: 56,
          cores: 56,
          memoryMib: 458_752,
          gpus: 0,
          fabric: "tier1",
          fabricInterfaces: 1,
        },
        staticCpu: true,
      }),
    ));

  it("is of ARM, with the taint that GKE sets by itself before those of the user", () =>
    assert.deepEqual(
      schedulingOf(
        aGkePoolArgs({ machineType: "t2a-standard-8", taints: [{ key: "mine", value: "yes", effect: "NoSchedule" }] }),
      ),
      scheduling({
        node: { arch: "arm64", vcpus: 8, cores: 8, memoryMib: 32_768, gpus: 0, fabricInterfaces: 0 },
        taints: [noSchedule("kubernetes.io/arch", "arm64"), noSchedule("mine", "yes")] as NodePoolScheduling["taints"],
      }),
    ));

  it("is of GPUs that are added", () => {
    const args = { machineType: "n1-standard-32", gpus: { type: "nvidia-tesla-v100", count: 4 } };
    const { node, taints, resources } = schedulingOf(aGkePoolArgs(args));
    assert.deepEqual([node.gpus, node.gpuModel], [4, "V100"]);
    assert.deepEqual(taints, [noSchedule("nvidia.com/gpu", "present")]);
    assert.deepEqual(resources, { "nvidia.com/gpu": "4" });
  });

  it("is of RoCE between GPUs: networks, the host's libraries, and memory that stays", () => {
    const want = scheduling({
      node: {
        ...{ arch: "amd64", vcpus: 224, cores: 112, memoryMib: 2952 * 1024 },
        ...{ gpus: 8, gpuModel: "H200", fabric: "rdma", fabricInterfaces: 8 },
      },
      nodes: undefined,
      maxNodes: 16,
      taints: [
        noSchedule("nvidia.com/gpu", "present"),
        noSchedule("cloud.google.com/gke-queued", "true"),
      ] as NodePoolScheduling["taints"],
      resources: { "nvidia.com/gpu": "8", ...rdmaResources(8) },
      environment: { NCCL_NET: "gIB", LD_LIBRARY_PATH: "/usr/local/nvidia/lib64:/usr/local/gib/lib64" },
      annotations: {
        "networking.gke.io/default-interface": "eth0",
        "networking.gke.io/interfaces": JSON.stringify([
          { interfaceName: "eth0", network: "default" },
          ...[0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({ interfaceName: `eth${index + 2}`, network: `rdma-${index}` })),
        ]),
      },
      hostPaths: {
        "/usr/local/nvidia": "/home/kubernetes/bin/nvidia",
        "/usr/local/gib": "/home/kubernetes/bin/gib",
      },
      lockMemory: true,
    });
    const { nodes, ...rest } = want;
    assert.equal(nodes, undefined);
    assert.deepEqual(schedulingOf(aRocePoolArgs({ capacity: "queued", autoscale: { max: 16 } })), rest);
  });

  it("is of Falcon between CPUs", () =>
    assert.deepEqual(
      schedulingOf(aFalconPoolArgs()),
      scheduling({
        node: {
          ...{ arch: "amd64", vcpus: 192, cores: 192, memoryMib: 1488 * 1024, gpus: 0 },
          ...{ fabric: "rdma", fabricInterfaces: 1 },
        },
        resources: rdmaResources(1),
        environment: {
          FI_PROVIDER: "verbs;ofi_rxm",
          FI_VERBS_INLINE_SIZE: "39",
          I_MPI_FABRICS: "shm:ofi",
          I_MPI_OFI_PROVIDER: "verbs;ofi_rxm",
        },
        annotations: {
          "networking.gke.io/default-interface": "eth0",
          "networking.gke.io/interfaces": JSON.stringify([
            { interfaceName: "eth0", network: "default" },
            { interfaceName: "eth1", network: "rdma-0" },
          ]),
        },
        lockMemory: true,
      }),
    ));
});

describe("a machine type that the user describes", () => {
  const machineOf = (hardware: object) => aGkePool({ ...x1, hardware: { ...x1.hardware, ...hardware } }).machine;

  it("has what the user says, and nothing else", () =>
    assert.deepEqual(machineOf({}), { ...x1.hardware, family: "x1", tier1: false, compactPlacement: false }));

  it("has RoCE between GPUs and Falcon between CPUs", () => {
    const accelerator = { kind: "nvidia", model: "X1", count: 4 } as const;
    const gpus = { accelerator, acceleratorType: "nvidia-x1", rdmaInterfaces: 4 };
    assert.deepEqual(machineOf(gpus).rdma, { nics: 4, profile: "vpc-roce" });
    assert.deepEqual(machineOf({ rdmaInterfaces: 2 }).rdma, { nics: 2, profile: "vpc-falcon" });
  });
});

describe("the upkeep of a GKE node pool", () => {
  const cases: [name: string, args: Partial<GkeNodePoolArgs>, autoRepair: boolean, autoUpgrade: boolean][] = [
    ["repairs and upgrades", {}, true, true],
    ["repairs no nodes on request", { capacity: "flexStart", autoscale: { max: 2 } }, false, true],
    ["repairs no queued nodes", { capacity: "queued", autoscale: { max: 2 } }, false, true],
    ["does neither where nobody wants it", { autoRepair: false, autoUpgrade: false }, false, false],
  ];
  for (const [name, args, autoRepair, autoUpgrade] of cases)
    it(name, () => {
      const spec = aGkePool(args);
      assert.deepEqual([spec.autoRepair, spec.autoUpgrade], [autoRepair, autoUpgrade]);
    });
});
