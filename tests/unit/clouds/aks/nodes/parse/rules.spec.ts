import type { AksNodePoolArgs } from "../../../../../../provider";
import { itValidates } from "../../../../../support/problems";
import { aksArgs, aksProblems, hb, x1AksArgs } from "../../../nodes/fixtures";

describe("the rules of an AksNodePool", () =>
  itValidates(
    [
      {
        name: "InfiniBand in two zones",
        args: { ...hb, zones: ["1", "2"] },
        errors: ["zones: InfiniBand requires a single zone, not 2; name one, or none"],
      },
      {
        name: "a proximity placement group in three zones",
        args: { placement: "proximity", zones: ["1", "2", "3"] },
        errors: ['zones: placement "proximity" requires a single zone, not 3; name one, or none'],
      },
      {
        name: "a placement group id without the placement",
        args: { proximityPlacementGroupId: "g" },
        errors: [
          'proximityPlacementGroupId: requires placement "proximity"; set it, or remove proximityPlacementGroupId',
        ],
      },
      {
        name: "a location without a placement group",
        args: { location: "eastus" },
        errors: ["location: is that of a new proximity placement group, and this pool makes none; remove location"],
      },
      {
        name: "a location beside an existing placement group",
        args: { placement: "proximity", proximityPlacementGroupId: "g", location: "eastus" },
        errors: ["location: is that of a new proximity placement group, and this pool makes none; remove location"],
      },
      {
        name: "a reservation without its id",
        args: { capacity: "reservation" },
        errors: [
          'capacityReservationGroupId: capacity "reservation" requires the id of the capacity reservation ' +
            "group; add it",
        ],
      },
      {
        name: "the id of a reservation without the capacity",
        args: { capacityReservationGroupId: "g" },
        errors: [
          'capacityReservationGroupId: requires capacity "reservation"; set it, or remove capacityReservationGroupId',
        ],
      },
      {
        name: "a reservation in a placement group",
        args: { capacity: "reservation", capacityReservationGroupId: "g", placement: "proximity" },
        errors: [
          "placement: a capacity reservation cannot be in a proximity placement group; remove placement or capacity",
        ],
      },
      {
        name: "a reservation of an InfiniBand size",
        args: { capacity: "reservation", capacityReservationGroupId: "g", machineType: "Standard_HB120rs_v3" },
        errors: [
          "capacity: Azure has no capacity reservations of InfiniBand sizes such as Standard_HB120rs_v3; use " +
            '"onDemand" or "spot"',
        ],
      },
      {
        name: "a price limit without spot",
        args: { spotMaxPrice: 1 },
        errors: ['spotMaxPrice: requires capacity "spot"; set it, or remove spotMaxPrice'],
      },
      {
        name: "a size above the maximum",
        args: { size: 1001 },
        errors: ["size: 1001 is above the 1000 nodes of an AKS node pool; lower it"],
      },
      {
        name: "an autoscale.max above the maximum",
        args: { autoscale: { max: 1001 } },
        errors: ["autoscale.max: 1001 is above the 1000 nodes of an AKS node pool; lower it"],
      },
      {
        name: "a pairedWith.maxSize above the maximum",
        args: { pairedWith: { maxSize: 1001 } },
        errors: ["pairedWith.maxSize: 1001 is above the 1000 nodes of an AKS node pool; lower it"],
      },
      {
        name: "a pairedWith.size above the maximum",
        args: { pairedWith: { size: 1001 } },
        errors: ["pairedWith.size: 1001 is above the 1000 nodes of an AKS node pool; lower it"],
      },
      { name: "InfiniBand in one zone", args: { ...hb, zones: ["2"] } },
      { name: "three zones", args: { zones: ["1", "2", "3"] } },
      { name: "a reservation with its id", args: { capacity: "reservation", capacityReservationGroupId: "g" } },
      { name: "the largest size", args: { size: 1000 } },
      {
        name: "labels that AKS reserves",
        args: { labels: { "kubernetes.azure.com/mode": "a", "kubernetes.io/team": "a" } },
        errors: [
          'labels["kubernetes.azure.com/mode"]: AKS reserves the prefix of kubernetes.azure.com/mode; use another',
          'labels["kubernetes.io/team"]: AKS reserves the prefix of kubernetes.io/team; use another',
        ],
      },
      {
        name: "a taint that AKS reserves",
        args: { taints: [{ key: "kubernetes.azure.com/scalesetpriority", value: "spot", effect: "NoSchedule" }] },
        errors: ["taints[0].key: AKS reserves the prefix of kubernetes.azure.com/scalesetpriority; use another"],
      },
      {
        name: "labels and taints of the user",
        args: { labels: { "example.com/team": "a" }, taints: [{ key: "sku", effect: "NoSchedule" }] },
      },
      {
        name: "an unknown VM size",
        args: { machineType: "Standard_X1" },
        errors: [
          'machineType: unknown VM size "Standard_X1"; correct it (az vm list-skus --resource-type ' +
            "virtualMachines lists the sizes), or describe it as hardware: { arch, vcpus, threadsPerCore, " +
            "memoryMib, … }",
        ],
      },
      {
        name: "InfiniBand on a VM size without it",
        args: { fabric: "infiniband" },
        errors: [
          'fabric: Standard_D8ds_v5 has no InfiniBand; choose an HB, HC, HX or ND size with an "r", or remove fabric',
        ],
      },
      {
        name: "InfiniBand on Azure Linux",
        args: { ...hb, osSku: "azureLinux" },
        errors: ['osSku: the InfiniBand driver requires Ubuntu; use "ubuntu"'],
      },
      {
        name: "GPUs of AMD on Azure Linux",
        args: { machineType: "Standard_ND96isr_MI300X_v5", osSku: "azureLinux" },
        errors: ['osSku: the driver of the MI300X requires Ubuntu; use "ubuntu"'],
      },
      {
        name: "another architecture",
        args: { machineType: "Standard_D64ps_v5", arch: "amd64" },
        errors: ["arch: Standard_D64ps_v5 is arm64, not amd64; correct or remove arch"],
      },
      {
        name: "threads per core",
        args: { threadsPerCore: 1 },
        errors: ["threadsPerCore: AKS does not set threads per core, and HPC sizes have one; remove threadsPerCore"],
      },
      {
        name: "a GPU driver without GPUs",
        args: { gpuDriver: "none" },
        errors: ["gpuDriver: Standard_D8ds_v5 has no accelerators; remove gpuDriver"],
      },
      {
        name: "a driver for GPUs of AMD",
        args: { machineType: "Standard_ND96isr_MI300X_v5", gpuDriver: "install" },
        errors: [
          'gpuDriver: AKS installs no driver for the MI300X of Standard_ND96isr_MI300X_v5; use "none" and the ' +
            "AMD GPU Operator",
        ],
      },
      {
        name: "the NVIDIA plugin for GPUs of AMD",
        args: { machineType: "Standard_ND96isr_MI300X_v5", nvidiaPlugin: {} },
        errors: ["nvidiaPlugin: requires NVIDIA GPUs, and Standard_ND96isr_MI300X_v5 has none; remove nvidiaPlugin"],
      },
      {
        name: "the NVIDIA plugin without the driver",
        args: { machineType: "Standard_NC4as_T4_v3", gpuDriver: "none", nvidiaPlugin: { image: "a" } },
        errors: ['nvidiaPlugin: requires gpuDriver "install"; set it, or remove nvidiaPlugin'],
      },
      {
        name: "the RDMA plugin without InfiniBand",
        args: { machineType: "Standard_HB120rs_v3", rdmaPlugin: { skip: true } },
        errors: ['rdmaPlugin: requires fabric "infiniband"; set it, or remove rdmaPlugin'],
      },
      {
        name: "a description of a known VM size",
        args: { hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 4096 } },
        errors: ["hardware: this package knows Standard_D8ds_v5; remove hardware"],
      },
      {
        name: "a fraction of a core",
        args: x1AksArgs({ hardware: { vcpus: 3 } }),
        errors: [
          "hardware.vcpus: 3 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore",
        ],
      },
      {
        name: "an accelerator that Azure does not have",
        args: x1AksArgs({ hardware: { accelerator: { kind: "neuron", model: "Trainium2", count: 1 } } }),
        errors: ['hardware.accelerator.kind: Azure has accelerators of "nvidia" and "amd" only; correct it'],
      },
      { name: "a VM size in lower case", args: { machineType: "standard_hb120-96rs_v3" } },
      { name: "a described VM size with InfiniBand", args: x1AksArgs({ hardware: { infinibandDevices: 1 } }) },
      {
        name: "plugins with settings",
        args: {
          machineType: "Standard_ND96isr_H100_v5",
          fabric: "infiniband",
          nvidiaPlugin: { skip: true },
          rdmaPlugin: { image: "b" },
        },
      },
      { name: "the architecture of the machine", args: { machineType: "Standard_D64ps_v5", arch: "arm64" } },
      { name: "Azure Linux with NVIDIA GPUs", args: { machineType: "Standard_NC4as_T4_v3", osSku: "azureLinux" } },
      {
        name: "claims of GPUs without GPUs",
        args: { machineType: "Standard_HB176rs_v4", gpuBy: "claim" },
        errors: ["gpuBy: requires NVIDIA GPUs, and Standard_HB176rs_v4 has none; remove gpuBy"],
      },
      {
        name: "the NVIDIA plugin beside claims",
        args: { machineType: "Standard_ND96isr_H100_v5", gpuBy: "claim", nvidiaPlugin: {} },
        errors: [
          'nvidiaPlugin: gpuBy "claim" is served by a DRA driver, and no plugin runs beside it; remove nvidiaPlugin',
        ],
      },
      { name: "a partition of A100", args: { machineType: "Standard_NC24ads_A100_v4", gpuPartition: "7g" } },
      {
        name: "a partition beside claims",
        args: { machineType: "Standard_ND96isr_H100_v5", gpuBy: "claim", gpuPartition: "1g" },
        errors: ['gpuPartition: pods claim whole GPUs (gpuBy "claim"); remove gpuPartition, or gpuBy'],
      },
      {
        name: "a partition of T4",
        args: { machineType: "Standard_NC4as_T4_v3", gpuPartition: "1g" },
        errors: [
          "gpuPartition: Standard_NC4as_T4_v3 has no GPUs that can be divided (MIG); remove gpuPartition, or " +
            "choose A100, H100 or H200",
        ],
      },
      {
        name: "a partition of GPUs of AMD",
        args: { machineType: "Standard_ND96isr_MI300X_v5", gpuPartition: "1g" },
        errors: [
          "gpuPartition: Standard_ND96isr_MI300X_v5 has no GPUs that can be divided (MIG); remove gpuPartition, " +
            "or choose A100, H100 or H200",
        ],
      },
      {
        name: "a partition without GPUs",
        args: { machineType: "Standard_D8ds_v5", gpuPartition: "1g" },
        errors: [
          "gpuPartition: Standard_D8ds_v5 has no GPUs that can be divided (MIG); remove gpuPartition, or choose " +
            "A100, H100 or H200",
        ],
      },
      {
        name: "an unknown partition",
        args: { machineType: "Standard_ND96isr_H100_v5", gpuPartition: "5g" as never },
        errors: ['gpuPartition: must be one of "1g", "2g", "3g", "4g", "7g"'],
      },
    ],
    (args: Partial<AksNodePoolArgs & { threadsPerCore: number }>) => aksProblems(aksArgs(args)),
  ));
