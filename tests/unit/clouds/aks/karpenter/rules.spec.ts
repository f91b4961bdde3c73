import type { AksKarpenterNodePoolArgs } from "../../../../../provider";
import { validating } from "../../../../support/problems";
import { aksKarpenterProblems, anAksKarpenterPoolArgs } from "../../nodes/fixtures";

const mi300x = { machineTypes: ["Standard_ND96isr_MI300X_v5"] };
const h100 = { machineTypes: ["Standard_NC40ads_H100_v5"] };
const x1 = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 4096 } as const;

describe("the rules of an AksKarpenterNodePool", () => {
  const { rejects, accepts } = validating(
    (args: Partial<AksKarpenterNodePoolArgs & { threadsPerCore: number; localDisks: string }>) =>
      aksKarpenterProblems(anAksKarpenterPoolArgs(args)),
  );
  accepts({
    "a size that the table does not have": { machineTypes: ["Standard_X8s_v9"], hardware: x1 },
    "machines with InfiniBand, which is not used": { machineTypes: ["Standard_HB120rs_v3"] },
    "GPUs on Azure Linux": { ...h100, imageFamily: "azureLinux" },
    "a fixed number of nodes": { size: 2, maxSize: undefined },
    "a label of the user's domain": { labels: { "example.com/tier": "a" } },
  });
  rejects({
    "machineTypes: needs at least one VM size; add one": { machineTypes: [] },
    'machineTypes[0]: unknown VM size "Standard_X"; correct it, or describe it as hardware: await lookupAksMachine…': {
      machineTypes: ["Standard_X"],
    },
    "hardware: this package has the hardware of Standard_D16s_v6; remove hardware": { hardware: x1 },
    "hardware: describes one VM size, and this package does not list Standard_X8, Standard_Y8; use a pool for each": {
      machineTypes: ["Standard_X8", "Standard_Y8"],
      hardware: x1,
    },
    "hardware.vcpus: 7 vcpus at 2 threads per core are not a whole number of cores…": {
      machineTypes: ["Standard_X8"],
      hardware: { ...x1, vcpus: 7 },
    },
    "machineTypes[1]: Standard_D8s_v6 and Standard_D16s_v6 differ in CPUs; use a pool for each": {
      machineTypes: ["Standard_D16s_v6", "Standard_D8s_v6"],
    },
    "machineTypes[0]: Karpenter launches no Standard_HB120-96rs_v3, a size with constrained CPUs; choose another…": {
      machineTypes: ["Standard_HB120-96rs_v3"],
    },
    "machineTypes[0]: Karpenter launches no Standard_NCC40ads_H100_v5, a confidential machine; choose another size…": {
      machineTypes: ["Standard_NCC40ads_H100_v5"],
    },
    "machineTypes[0]: Karpenter launches no Standard_NC128ds_xl_RTXPRO6000BSE_v6, a size that is not among its GPUs…": {
      machineTypes: ["Standard_NC128ds_xl_RTXPRO6000BSE_v6"],
    },
    "machineTypes[0]: pods claim the NVLink domain of Standard_ND128isr_GB300_v6, for which Karpenter launches no…": {
      machineTypes: ["Standard_ND128isr_GB300_v6"],
    },
    "arch: Standard_D16s_v6 is amd64, not arm64; correct or remove arch": { arch: "arm64" },
    "minSize: must be 0, not 1: Karpenter keeps no nodes without pods; remove it": { minSize: 1 },
    "threadsPerCore: an AKSNodeClass has no such setting; remove threadsPerCore": { threadsPerCore: 1 },
    "localDisks: an AKSNodeClass has no such setting; remove localDisks": { localDisks: "raid0" },
    'capacityType: Karpenter cannot use reservations of Azure; use "onDemand" or "spot", or an AksNodePool': {
      capacityType: "reservation",
    },
    'zones[0]: "1" must be a zone as Karpenter names it, such as "westus3-1"': { zones: ["1"] },
    "artifactStreaming: is for amd64, and Standard_D16ps_v6 is arm64; remove artifactStreaming": {
      machineTypes: ["Standard_D16ps_v6"],
      artifactStreaming: true,
    },
    'imageFamily: the driver of the MI300X of Standard_ND96isr_MI300X_v5 requires Ubuntu; use "ubuntu"': {
      ...mi300x,
      imageFamily: "azureLinux",
    },
    "gpuDriver: Standard_D16s_v6 has no accelerators; remove gpuDriver": { gpuDriver: "none" },
    'gpuDriver: AKS installs no driver for the MI300X of Standard_ND96isr_MI300X_v5; use "none" and the AMD GPU…': {
      ...mi300x,
      gpuDriver: "install",
    },
    "nvidiaPlugin: requires NVIDIA GPUs, and Standard_D16s_v6 has none; remove nvidiaPlugin": { nvidiaPlugin: {} },
    'nvidiaPlugin: requires gpuDriver "install"; set it, or remove nvidiaPlugin': {
      ...h100,
      gpuDriver: "none",
      nvidiaPlugin: {},
    },
    'labels["kubernetes.azure.com/a"]: Karpenter reserves labels of kubernetes.azure.com; use another prefix': {
      labels: { "kubernetes.azure.com/a": "b" },
    },
    "labels.agentpool: Karpenter reserves this label; use another key": { labels: { agentpool: "b" } },
  });
});
