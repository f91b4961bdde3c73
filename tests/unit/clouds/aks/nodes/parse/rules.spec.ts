import { itJudges } from "../../../../../support/cases";
import { aksArgs, aksProblems, aksTags } from "../../../nodes/fixtures";

describe("the rules of an AksNodePool", () =>
  itJudges(
    `
!hb {zones: ["1", "2"]}
  zones: InfiniBand requires a single zone, not 2; name one, or none
{placement: proximity, zones: ["1", "2", "3"]}
  zones: placement "proximity" requires a single zone, not 3; name one, or none
proximityPlacementGroupId: g
  proximityPlacementGroupId: requires placement "proximity"; set it, or remove proximityPlacementGroupId
location: eastus
  location: is that of a new proximity placement group, and this pool makes none; remove location
{placement: proximity, proximityPlacementGroupId: g, location: eastus}
  location: is that of a new proximity placement group, and this pool makes none; remove location
capacity: reservation
  capacityReservationGroupId: capacity "reservation" requires the id of the capacity reservation group; add it
capacityReservationGroupId: g
  capacityReservationGroupId: requires capacity "reservation"; set it, or remove capacityReservationGroupId
{capacity: reservation, capacityReservationGroupId: g, placement: proximity}
  placement: a capacity reservation cannot be in a proximity placement group; remove placement or capacity
{capacity: reservation, capacityReservationGroupId: g, machineType: Standard_HB120rs_v3}
  capacity: Azure has no capacity reservations of InfiniBand sizes such as Standard_HB120rs_v3; use "onDemand" or "spot"
spotMaxPrice: 1
  spotMaxPrice: requires capacity "spot"; set it, or remove spotMaxPrice
size: 1001
  size: 1001 is above the 1000 nodes of an AKS node pool; lower it
autoscale: {max: 1001}
  autoscale.max: 1001 is above the 1000 nodes of an AKS node pool; lower it
pairedWith: {maxSize: 1001}
  pairedWith.maxSize: 1001 is above the 1000 nodes of an AKS node pool; lower it
pairedWith: {size: 1001}
  pairedWith.size: 1001 is above the 1000 nodes of an AKS node pool; lower it
!hb {zones: ["2"]}
zones: ["1", "2", "3"]
{capacity: reservation, capacityReservationGroupId: g}
size: 1000
labels: {kubernetes.azure.com/mode: a, kubernetes.io/team: a}
  labels["kubernetes.azure.com/mode"]: AKS reserves the prefix of kubernetes.azure.com/mode; use another
  labels["kubernetes.io/team"]: AKS reserves the prefix of kubernetes.io/team; use another
taints: [{key: kubernetes.azure.com/scalesetpriority, value: spot, effect: NoSchedule}]
  taints[0].key: AKS reserves the prefix of kubernetes.azure.com/scalesetpriority; use another
{labels: {example.com/team: a}, taints: [{key: sku, effect: NoSchedule}]}
machineType: Standard_X1
  machineType: unknown VM size "Standard_X1"; correct it (az vm list-skus --resource-type virtualMachines lists the sizes), or describe it as hardware: { arch, vcpus, threadsPerCore, memoryMib, … }
fabric: infiniband
  fabric: Standard_D8ds_v5 has no InfiniBand; choose an HB, HC, HX or ND size with an "r", or remove fabric
!hb {osSku: azureLinux}
  osSku: the InfiniBand driver requires Ubuntu; use "ubuntu"
{machineType: Standard_ND96isr_MI300X_v5, osSku: azureLinux}
  osSku: the driver of the MI300X requires Ubuntu; use "ubuntu"
{machineType: Standard_D64ps_v5, arch: amd64}
  arch: Standard_D64ps_v5 is arm64, not amd64; correct or remove arch
threadsPerCore: 1
  threadsPerCore: AKS does not set threads per core, and HPC sizes have one; remove threadsPerCore
gpuDriver: none
  gpuDriver: Standard_D8ds_v5 has no accelerators; remove gpuDriver
{machineType: Standard_ND96isr_MI300X_v5, gpuDriver: install}
  gpuDriver: AKS installs no driver for the MI300X of Standard_ND96isr_MI300X_v5; use "none" and the AMD GPU Operator
{machineType: Standard_ND96isr_MI300X_v5, nvidiaPlugin: {}}
  nvidiaPlugin: requires NVIDIA GPUs, and Standard_ND96isr_MI300X_v5 has none; remove nvidiaPlugin
{machineType: Standard_NC4as_T4_v3, gpuDriver: none, nvidiaPlugin: {image: a}}
  nvidiaPlugin: requires gpuDriver "install"; set it, or remove nvidiaPlugin
{machineType: Standard_HB120rs_v3, rdmaPlugin: {skip: true}}
  rdmaPlugin: requires fabric "infiniband"; set it, or remove rdmaPlugin
hardware: {arch: amd64, vcpus: 8, threadsPerCore: 2, memoryMib: 4096}
  hardware: this package knows Standard_D8ds_v5; remove hardware
!x1 {hardware: {vcpus: 3}}
  hardware.vcpus: 3 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore
!x1 {hardware: {accelerator: {kind: neuron, model: Trainium2, count: 1}}}
  hardware.accelerator.kind: Azure has accelerators of "nvidia" and "amd" only; correct it
machineType: standard_hb120-96rs_v3
!x1 {hardware: {infinibandDevices: 1}}
{machineType: Standard_ND96isr_H100_v5, fabric: infiniband, nvidiaPlugin: {skip: true}, rdmaPlugin: {image: b}}
{machineType: Standard_D64ps_v5, arch: arm64}
{machineType: Standard_NC4as_T4_v3, osSku: azureLinux}
{machineType: Standard_HB176rs_v4, gpuBy: claim}
  gpuBy: requires NVIDIA GPUs, and Standard_HB176rs_v4 has none; remove gpuBy
{machineType: Standard_ND96isr_H100_v5, gpuBy: claim, nvidiaPlugin: {}}
  nvidiaPlugin: gpuBy "claim" is served by a DRA driver, and no plugin runs beside it; remove nvidiaPlugin
{ machineType: Standard_NC24ads_A100_v4, gpuPartition: 7g }
{ machineType: Standard_ND96isr_H100_v5, gpuBy: claim, gpuPartition: 1g }
  gpuPartition: pods claim whole GPUs (gpuBy "claim"); remove gpuPartition, or gpuBy
{ machineType: Standard_NC4as_T4_v3, gpuPartition: 1g }
  gpuPartition: Standard_NC4as_T4_v3 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100 or H200
{ machineType: Standard_ND96isr_MI300X_v5, gpuPartition: 1g }
  gpuPartition: Standard_ND96isr_MI300X_v5 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100 or H200
{ machineType: Standard_D8ds_v5, gpuPartition: 1g }
  gpuPartition: Standard_D8ds_v5 has no GPUs that can be divided (MIG); remove gpuPartition, or choose A100, H100 or H200
{ machineType: Standard_ND96isr_H100_v5, gpuPartition: 5g }
  gpuPartition: must be one of "1g", "2g", "3g", "4g", "7g"
`,
    (args) => aksProblems(aksArgs(args)),
    aksTags,
  ));
