import type { AksNodePoolArgs } from "../../../../../../provider";
import { validating } from "../../../../../support/problems";
import { aksArgs, aksProblems, hb, x1AksArgs } from "../../../nodes/fixtures";

describe("the rules of an AksNodePool", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<AksNodePoolArgs & { threadsPerCore: number }>) =>
    aksProblems(aksArgs(args)),
  );
  rejects({
    "localDisks: Standard_D8s_v5 has no local disks…": { machineType: "Standard_D8s_v5", localDisks: "raid0" },
    ['localDisks: the image of AKS mounts the disks of Standard_ND128isr_NDR_GB200_v6 itself; use "raid0", or remove ' +
    "localDisks"]: { machineType: "Standard_ND128isr_NDR_GB200_v6", localDisks: "raw" },
    "zones: InfiniBand requires a single zone, not 2; set one zone, or none": { ...hb, zones: ["1", "2"] },
    'zones: placement "proximity" requires a single zone, not 3…': { placement: "proximity", zones: ["1", "2", "3"] },
    'proximityPlacementGroupId: requires placement "proximity"…': { proximityPlacementGroupId: "g" },
    "location: is the region of a new proximity placement group, and this pool creates none; remove location": [
      { location: "eastus" },
      { placement: "proximity", proximityPlacementGroupId: "g", location: "eastus" },
    ],
    'capacityReservationGroupId: capacityType "reservation" requires the id of the capacity…': {
      capacityType: "reservation",
    },
    'capacityReservationGroupId: requires capacityType "reservation"…': { capacityReservationGroupId: "g" },
    "placement: a capacity reservation cannot be in a proximity placement group; remove placement or capacityType": {
      capacityType: "reservation",
      capacityReservationGroupId: "g",
      placement: "proximity",
    },
    'fabricBy: requires fabric "infiniband"; set it, or remove fabricBy': { fabricBy: "claim" },
    'moduleLoader: requires fabric "infiniband"; set it, or remove moduleLoader': { moduleLoader: { skip: true } },
    'rdmaPlugin: fabricBy "claim" uses a DRA driver, beside which no device plugin may run; remove rdmaPlugin': {
      ...hb,
      fabricBy: "claim",
      rdmaPlugin: { skip: true },
    },
    'spotMaxPrice: requires capacityType "spot"; set it, or remove spotMaxPrice': { spotMaxPrice: 1 },
    "size: 1001 is above the 1000 nodes of an AKS node pool; lower it": { size: 1001 },
    "maxSize: 1001 is above the 1000 nodes of an AKS node pool; lower it": { maxSize: 1001 },
    "taints[0].key: AKS reserves the prefix of kubernetes.azure.com/scalesetpriority; use another prefix": {
      taints: [{ key: "kubernetes.azure.com/scalesetpriority", value: "spot", effect: "NoSchedule" }],
    },
    'machineType: unknown VM size "Standard_X1"…': { machineType: "Standard_X1" },
    "fabric: Standard_D8ds_v5 has no InfiniBand…": { fabric: "infiniband" },
    'osSku: the InfiniBand driver requires Ubuntu; use "ubuntu"': { ...hb, osSku: "azureLinux" },
    'osSku: the driver of the MI300X requires Ubuntu; use "ubuntu"': {
      machineType: "Standard_ND96isr_MI300X_v5",
      osSku: "azureLinux",
    },
    "arch: Standard_D64ps_v5 is arm64, not amd64…": { machineType: "Standard_D64ps_v5", arch: "amd64" },
    "threadsPerCore: AKS does not set threads per core, and HPC sizes have one…": { threadsPerCore: 1 },
    "gpuDriver: Standard_D8ds_v5 has no accelerators; remove gpuDriver": { gpuDriver: "none" },
    ['gpuDriver: AKS installs no driver for the MI300X of Standard_ND96isr_MI300X_v5; use "none" and the AMD ' +
    "GPU Operator"]: { machineType: "Standard_ND96isr_MI300X_v5", gpuDriver: "install" },
    "nvidiaPlugin: requires NVIDIA GPUs, and Standard_ND96isr_MI300X_v5 has none; remove nvidiaPlugin": {
      machineType: "Standard_ND96isr_MI300X_v5",
      nvidiaPlugin: {},
    },
    'nvidiaPlugin: requires gpuDriver "install"; set it, or remove nvidiaPlugin': {
      machineType: "Standard_NC4as_T4_v3",
      gpuDriver: "none",
      nvidiaPlugin: { image: "a" },
    },
    'rdmaPlugin: requires fabric "infiniband"; set it, or remove rdmaPlugin': {
      machineType: "Standard_HB120rs_v3",
      rdmaPlugin: { skip: true },
    },
    "hardware: this package has the hardware of Standard_D8ds_v5; remove hardware": {
      hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 4096 },
    },
    "hardware.vcpus: 3 vcpus at 2 threads per core are not a whole number of…": x1AksArgs({ hardware: { vcpus: 3 } }),
    'hardware.accelerator.kind: Azure has accelerators of "nvidia" and "amd" only; correct it': x1AksArgs({
      hardware: { accelerator: { kind: "neuron", model: "Trainium2", count: 1 } },
    }),
    "gpuBy: requires NVIDIA GPUs, and Standard_HB176rs_v4 has…": { machineType: "Standard_HB176rs_v4", gpuBy: "claim" },
    'nvidiaPlugin: gpuBy "claim" uses a DRA driver, beside which no device plugin may run; remove nvidiaPlugin': {
      machineType: "Standard_ND96isr_H100_v5",
      gpuBy: "claim",
      nvidiaPlugin: {},
    },
    'deviceAlignment: requires gpuBy "claim" and fabricBy "claim"; set both, or remove deviceAlignment': {
      machineType: "Standard_ND96isr_H100_v5",
      fabric: "infiniband",
      fabricBy: "claim",
      deviceAlignment: "numaNode",
    },
    'deviceAlignment: no two devices of an Azure machine have a common PCIe root; use "numaNode"': {
      machineType: "Standard_ND96isr_H100_v5",
      fabric: "infiniband",
      fabricBy: "claim",
      gpuBy: "claim",
      deviceAlignment: "pcieRoot",
    },
    'version: fabricBy "claim" requires Kubernetes 1.34, not "1.33.2"; raise version': {
      ...hb,
      fabricBy: "claim",
      version: "1.33.2",
    },
    'version: gpuBy "claim" requires Kubernetes 1.34, not "1.33"; raise version': {
      machineType: "Standard_ND96isr_H100_v5",
      gpuBy: "claim",
      version: "1.33",
    },
    'topologyManagerPolicy: must be one of "none", "best-effort", "restricted", "single-numa-node"': {
      topologyManagerPolicy: "strict" as never,
    },
    'gpuPartition: pods claim whole GPUs (gpuBy "claim"); remove gpuPartition, or gpuBy': {
      machineType: "Standard_ND96isr_H100_v5",
      gpuBy: "claim",
      gpuPartition: "1g",
    },
    "gpuPartition: Standard_NC4as_T4_v3 has no GPUs that…": { machineType: "Standard_NC4as_T4_v3", gpuPartition: "1g" },
    'gpuPartition: must be one of "1g", "2g", "3g", "4g", "7g"': {
      machineType: "Standard_ND96isr_H100_v5",
      gpuPartition: "5g" as never,
    },
  });
  rejectsAll({ labels: { "kubernetes.azure.com/mode": "a", "kubernetes.io/team": "a" } }, [
    'labels["kubernetes.azure.com/mode"]: AKS reserves the prefix of kubernetes.azure.com/mode; use another prefix',
    'labels["kubernetes.io/team"]: AKS reserves the prefix of kubernetes.io/team; use another prefix',
  ]);
  accepts({
    "InfiniBand in one zone": { ...hb, zones: ["2"] },
    "three zones": { zones: ["1", "2", "3"] },
    "a reservation of machines with InfiniBand": {
      ...hb,
      capacityType: "reservation",
      capacityReservationGroupId: "g",
    },
    "a reservation with its id": { capacityType: "reservation", capacityReservationGroupId: "g" },
    "the largest size": { size: 1000 },
    "labels and taints of the user": {
      labels: { "example.com/team": "a" },
      taints: [{ key: "sku", effect: "NoSchedule" }],
    },
    "a VM size in lower case": { machineType: "standard_hb120-96rs_v3" },
    "a described VM size with InfiniBand": x1AksArgs({ hardware: { infinibandDevices: 1 } }),
    "plugins with settings": {
      machineType: "Standard_ND96isr_H100_v5",
      fabric: "infiniband",
      nvidiaPlugin: { skip: true },
      rdmaPlugin: { image: "b" },
    },
    "the architecture of the machine": { machineType: "Standard_D64ps_v5", arch: "arm64" },
    "Azure Linux with NVIDIA GPUs": { machineType: "Standard_NC4as_T4_v3", osSku: "azureLinux" },
    "a partition of A100": { machineType: "Standard_NC24ads_A100_v4", gpuPartition: "7g" },
  });
});
