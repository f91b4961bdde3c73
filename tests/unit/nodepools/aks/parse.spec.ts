import * as assert from "node:assert/strict";
import type { AksNodePoolArgs } from "../../../../provider";
import type { NodePoolScheduling } from "../../../../provider/minicluster/args";
import { parseAksNodePoolArgs } from "../../../../provider/nodepools/aks/spec";
import { aksArgs, aksPool, unknownHardware } from "./fixtures";

const infiniband = (machineType: string, args: Partial<AksNodePoolArgs> = {}) =>
  aksPool({ machineType, fabric: "infiniband", ...args });

const pluginsOf = (args: Partial<AksNodePoolArgs>) => aksPool(args).devicePlugins.map(({ kind }) => kind);

describe("the spec of an AKS node pool", () => {
  it("takes the name of the resource", () => {
    assert.equal(parseAksNodePoolArgs("compute1", aksArgs({ name: undefined })).name, "compute1");
  });

  it("sets what is not given", () => {
    const spec = aksPool();
    assert.deepEqual(spec, {
      name: "hpc",
      resourceGroupName: "group",
      clusterName: "cluster",
      machineType: "Standard_D8ds_v5",
      size: 2,
      sizing: { isFixed: true, initial: 2, min: 2, max: 2 },
      fabric: "none",
      placement: "none",
      zones: [],
      capacity: "onDemand",
      spotMaxPrice: -1,
      gpuDriver: undefined,
      osSku: "ubuntu",
      applicationSecurityGroupIds: [],
      labels: {},
      taints: [],
      tags: {},
      staticCpu: false,
      nvidiaPlugin: { skip: false },
      rdmaPlugin: { skip: false },
      devicePlugins: [],
      // Both have tests of their own.
      machine: spec.machine,
      scheduling: spec.scheduling,
    });
  });

  const drivers: [name: string, machineType: string, given: AksNodePoolArgs["gpuDriver"], want: string | undefined][] =
    [
      ["by AKS for NVIDIA", "Standard_ND96isr_H100_v5", undefined, "install"],
      ["by nobody for NVIDIA, when that is asked for", "Standard_ND96isr_H100_v5", "none", "none"],
      ["by nobody for AMD", "Standard_ND96isr_MI300X_v5", undefined, "none"],
      ["not at all without accelerators", "Standard_HB120rs_v3", undefined, undefined],
    ];
  for (const [name, machineType, gpuDriver, want] of drivers)
    it(`has the driver installed ${name}`, () => assert.equal(aksPool({ machineType, gpuDriver }).gpuDriver, want));

  const plugins: [name: string, args: Partial<AksNodePoolArgs>, want: string[]][] = [
    ["none on a plain machine", {}, []],
    ["none for InfiniBand that is not used", { machineType: "Standard_HB120rs_v3" }, []],
    ["that of RDMA with InfiniBand", { machineType: "Standard_HB120rs_v3", fabric: "infiniband" }, ["rdma"]],
    ["that of NVIDIA with its GPUs", { machineType: "Standard_NC4as_T4_v3" }, ["nvidia"]],
    ["none beside the driver of an operator", { machineType: "Standard_NC4as_T4_v3", gpuDriver: "none" }, []],
    ["none for AMD", { machineType: "Standard_ND96isr_MI300X_v5" }, []],
    ["both where there is both", { machineType: "Standard_ND96isr_H100_v5", fabric: "infiniband" }, ["nvidia", "rdma"]],
    [
      "none that is left out",
      {
        machineType: "Standard_ND96isr_H100_v5",
        fabric: "infiniband",
        nvidiaPlugin: { skip: true },
        rdmaPlugin: { skip: true },
      },
      [],
    ],
  ];
  for (const [name, args, want] of plugins)
    it(`runs, of the device plugins, ${name}`, () => assert.deepEqual(pluginsOf(args), want));

  it("takes other images for the plugins", () => {
    const args = { nvidiaPlugin: { image: "a" }, rdmaPlugin: { image: "b" } };
    assert.deepEqual(infiniband("Standard_ND96isr_H100_v5", args).devicePlugins, [
      { kind: "nvidia", image: "a" },
      { kind: "rdma", image: "b" },
    ]);
  });
});

const noFabric = {
  resources: {},
  environment: {},
  annotations: {},
  hostPaths: {},
  lockMemory: false,
  staticCpu: false,
};

describe("what pods have to know of an AKS node pool", () => {
  const cases: [name: string, args: Partial<AksNodePoolArgs>, want: NodePoolScheduling][] = [
    [
      "without anything special",
      {},
      {
        pool: "hpc",
        nodeSelector: { "minicluster/pool": "hpc" },
        taints: [],
        node: { arch: "amd64", cores: 4, vcpus: 8, memoryMib: 32 * 1024, gpus: 0, fabricInterfaces: 0 },
        nodes: 2,
        maxNodes: 2,
        ...noFabric,
      },
    ],
    [
      "with InfiniBand by one adapter, scaled with its cluster",
      {
        machineType: "Standard_HB120rs_v3",
        fabric: "infiniband",
        pairedWith: { size: 2, maxSize: 8 },
        staticCpu: true,
        taints: [{ key: "sku", value: "hpc", effect: "NoSchedule" }],
      },
      {
        pool: "hpc",
        nodeSelector: { "minicluster/pool": "hpc" },
        taints: [{ key: "sku", value: "hpc", effect: "NoSchedule" }],
        node: {
          ...{ arch: "amd64", cores: 120, vcpus: 120, memoryMib: 448 * 1024, gpus: 0 },
          ...{ fabric: "infiniband", fabricInterfaces: 1 },
        },
        maxNodes: 8,
        ...noFabric,
        resources: { "rdma/shared_ib": "1" },
        environment: { OMPI_MCA_btl: "^openib", UCX_TLS: "ib,sm,self", UCX_NET_DEVICES: "mlx5_0:1" },
        lockMemory: true,
        staticCpu: true,
      },
    ],
    [
      "with GPUs and InfiniBand",
      { machineType: "Standard_ND96isr_H100_v5", fabric: "infiniband" },
      {
        pool: "hpc",
        nodeSelector: { "minicluster/pool": "hpc" },
        taints: [],
        node: {
          ...{ arch: "amd64", cores: 96, vcpus: 96, memoryMib: 1900 * 1024, gpus: 8, gpuModel: "H100" },
          ...{ fabric: "infiniband", fabricInterfaces: 8 },
        },
        nodes: 2,
        maxNodes: 2,
        ...noFabric,
        resources: { "nvidia.com/gpu": "8", "rdma/shared_ib": "1" },
        environment: {
          OMPI_MCA_btl: "^openib",
          CUDA_DEVICE_ORDER: "PCI_BUS_ID",
          NCCL_NET_GDR_LEVEL: "SYS",
          NCCL_SOCKET_IFNAME: "eth0",
        },
        lockMemory: true,
      },
    ],
    [
      "with ARM processors on spot machines",
      { machineType: "Standard_D64ps_v5", capacity: "spot" },
      {
        pool: "hpc",
        nodeSelector: { "minicluster/pool": "hpc" },
        taints: [{ key: "kubernetes.azure.com/scalesetpriority", value: "spot", effect: "NoSchedule" }],
        node: { arch: "arm64", cores: 64, vcpus: 64, memoryMib: 208 * 1024, gpus: 0, fabricInterfaces: 0 },
        nodes: 2,
        maxNodes: 2,
        ...noFabric,
      },
    ],
    [
      "on hardware that only its user knows",
      {
        machineType: "Standard_X1",
        hardware: { ...unknownHardware, infinibandDevices: 2, accelerator: { kind: "nvidia", model: "Z1", count: 4 } },
      },
      {
        pool: "hpc",
        nodeSelector: { "minicluster/pool": "hpc" },
        taints: [],
        node: { arch: "amd64", cores: 4, vcpus: 8, memoryMib: 4096, gpus: 4, gpuModel: "Z1", fabricInterfaces: 0 },
        nodes: 2,
        maxNodes: 2,
        ...noFabric,
        resources: { "nvidia.com/gpu": "4" },
      },
    ],
  ];
  for (const [name, args, want] of cases)
    it(`is complete ${name}`, () => assert.deepEqual(aksPool(args).scheduling, want));

  const environments: [name: string, machineType: string, want: Record<string, string>][] = [
    [
      "leaves UCX to choose among several adapters",
      "Standard_HB368rs_v5",
      { OMPI_MCA_btl: "^openib", UCX_TLS: "ib,sm,self" },
    ],
    ["says nothing of NCCL for AMD", "Standard_ND96isr_MI300X_v5", { OMPI_MCA_btl: "^openib" }],
    [
      "leaves UCX its ways to GPUs beside one adapter",
      "Standard_ND40rs_v2",
      {
        OMPI_MCA_btl: "^openib",
        CUDA_DEVICE_ORDER: "PCI_BUS_ID",
        NCCL_NET_GDR_LEVEL: "SYS",
        NCCL_SOCKET_IFNAME: "eth0",
      },
    ],
  ];
  for (const [name, machineType, want] of environments)
    it(name, () => assert.deepEqual(infiniband(machineType).scheduling.environment, want));

  it("counts the InfiniBand devices of hardware that only its user knows", () => {
    const hardware = { ...unknownHardware, infinibandDevices: 2 };
    assert.equal(infiniband("Standard_X1", { hardware }).scheduling.node.fabricInterfaces, 2);
  });
});
