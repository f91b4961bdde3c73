import * as assert from "node:assert/strict";
import type { AksNodePoolArgs } from "../../../../provider";
import type { NodePoolScheduling } from "../../../../provider/minicluster/args";
import { aksPool, x1 } from "./fixtures";

const infiniband = (machineType: string, args: Partial<AksNodePoolArgs> = {}) =>
  aksPool({ machineType, fabric: "infiniband", ...args });

describe("the spec of an AKS node pool", () => {
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
    it(`runs, of the device plugins, ${name}`, () =>
      assert.deepEqual(
        aksPool(args).devicePlugins.map(({ kind }) => kind),
        want,
      ));
});

const noFabric = {
  resources: {},
  environment: {},
  annotations: {},
  hostPaths: {},
  lockMemory: false,
  staticCpu: false,
};

describe("the scheduling of an AKS node pool", () => {
  const cases: [name: string, args: Partial<AksNodePoolArgs>, want: NodePoolScheduling][] = [
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

  it("has the devices and accelerators that the user describes", () => {
    const accelerator = { kind: "nvidia", model: "Z1", count: 4 } as const;
    const hardware = { ...x1.hardware, infinibandDevices: 2, accelerator };
    const { node, resources } = infiniband("Standard_X1", { hardware }).scheduling;
    assert.deepEqual([node.fabricInterfaces, node.gpus, node.gpuModel], [2, 4, "Z1"]);
    assert.deepEqual(resources, { "nvidia.com/gpu": "4", "rdma/shared_ib": "1" });
  });
});
