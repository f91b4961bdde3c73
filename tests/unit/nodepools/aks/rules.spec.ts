import type { AksNodePoolArgs } from "../../../../provider";
import { type Case, casesOf } from "../cases";
import { aksArgs, aksProblems, hb, x1 } from "./fixtures";

type Args = Partial<AksNodePoolArgs>;

const { itRefuses, itAccepts } = casesOf<AksNodePoolArgs>((args) => aksProblems(aksArgs(args)));

const groupId = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/proximityPlacementGroups/p";
const mi300x = { machineType: "Standard_ND96isr_MI300X_v5" };
const reservation = { capacity: "reservation", capacityReservationGroupId: "g" } as const;
const described = (hardware: object): Args => ({ ...x1, hardware: { ...x1.hardware, ...hardware } });
const requires = (path: string, what: string) => `${path}: requires ${what}; set it, or remove ${path}`;

describe("the rules of an AksNodePool on place and capacity", () => {
  const noGroup = "location: is that of a new proximity placement group, and this pool makes none; remove location";
  const tooMany = (path: string) => `${path}: 1001 is above the 1000 nodes of an AKS node pool; lower it`;
  itRefuses([
    [{ ...hb, zones: ["1", "2"] }, "zones: InfiniBand requires a single zone, not 2; name one, or none"],
    [
      { placement: "proximity", zones: ["1", "2", "3"] },
      'zones: placement "proximity" requires a single zone, not 3; name one, or none',
    ],
    [{ proximityPlacementGroupId: groupId }, requires("proximityPlacementGroupId", 'placement "proximity"')],
    [{ location: "eastus" }, noGroup],
    [{ placement: "proximity", proximityPlacementGroupId: groupId, location: "eastus" }, noGroup],
    [
      { capacity: "reservation" },
      'capacityReservationGroupId: capacity "reservation" requires the id of the capacity reservation group; add it',
    ],
    [{ capacityReservationGroupId: "g" }, requires("capacityReservationGroupId", 'capacity "reservation"')],
    [
      { ...reservation, placement: "proximity" },
      "placement: a capacity reservation cannot be in a proximity placement group; remove placement or capacity",
    ],
    [
      { ...reservation, machineType: hb.machineType },
      "capacity: Azure has no capacity reservations of InfiniBand sizes such as Standard_HB120rs_v3; " +
        'use "onDemand" or "spot"',
    ],
    [{ spotMaxPrice: 1 }, requires("spotMaxPrice", 'capacity "spot"')],
    [{ size: 1001 }, tooMany("size")],
    [{ autoscale: { max: 1001 } }, tooMany("autoscale.max")],
    [{ pairedWith: { maxSize: 1001 } }, tooMany("pairedWith.maxSize")],
    [{ pairedWith: { size: 1001 } }, tooMany("pairedWith.size")],
  ]);
  itAccepts({
    "InfiniBand in one zone": { ...hb, zones: ["2"] },
    "InfiniBand in a proximity placement group": { ...hb, placement: "proximity" },
    "InfiniBand on spot machines": { ...hb, capacity: "spot" },
    "one zone of a new placement group in a region": { placement: "proximity", zones: ["1"], location: "eastus" },
    "several zones without either": { zones: ["1", "2", "3"] },
    "a reservation": reservation,
    "as many nodes as a pool may have": { size: 1000 },
  });
});

describe("the rules of an AksNodePool on labels and taints", () => {
  const reserved = (path: string, key: string) => `${path}: AKS reserves the prefix of ${key}; use another`;
  const taint = "kubernetes.azure.com/scalesetpriority";
  itRefuses([
    ...["kubernetes.azure.com/mode", "kubernetes.io/team"].map((key): Case<AksNodePoolArgs> => [
      { labels: { [key]: "a" } },
      reserved(`labels["${key}"]`, key),
    ]),
    [{ taints: [{ key: taint, value: "spot", effect: "NoSchedule" }] }, reserved("taints[0].key", taint)],
  ]);
  itAccepts({
    "another prefix": { labels: { "example.com/team": "a" }, taints: [{ key: "sku", effect: "NoSchedule" }] },
  });
});

describe("the rules of an AksNodePool on its VM size", () => {
  itRefuses([
    [
      { machineType: "Standard_X1" },
      'machineType: unknown VM size "Standard_X1"; correct it (az vm list-skus --resource-type virtualMachines lists the ' +
        "sizes), or describe it as hardware: { arch, vcpus, threadsPerCore, memoryMib, … }",
    ],
    [
      { fabric: "infiniband" },
      'fabric: Standard_D8ds_v5 has no InfiniBand; choose an HB, HC, HX or ND size with an "r", or remove fabric',
    ],
    [{ ...hb, osSku: "azureLinux" }, 'osSku: the InfiniBand driver requires Ubuntu; use "ubuntu"'],
    [{ ...mi300x, osSku: "azureLinux" }, 'osSku: the driver of the MI300X requires Ubuntu; use "ubuntu"'],
    [
      { machineType: "Standard_D64ps_v5", arch: "amd64" },
      "arch: Standard_D64ps_v5 is arm64, not amd64; correct or remove arch",
    ],
    [
      { threadsPerCore: 1 } as object,
      "threadsPerCore: AKS does not set threads per core, and HPC sizes have one; remove threadsPerCore",
    ],
    [{ gpuDriver: "none" }, "gpuDriver: Standard_D8ds_v5 has no accelerators; remove gpuDriver"],
    [
      { ...mi300x, gpuDriver: "install" },
      'gpuDriver: AKS installs no driver for the MI300X of Standard_ND96isr_MI300X_v5; use "none" and the AMD GPU Operator',
    ],
    [
      { ...mi300x, nvidiaPlugin: {} },
      "nvidiaPlugin: requires NVIDIA GPUs, and Standard_ND96isr_MI300X_v5 has none; remove nvidiaPlugin",
    ],
    [
      { machineType: "Standard_NC4as_T4_v3", gpuDriver: "none", nvidiaPlugin: { image: "a" } },
      requires("nvidiaPlugin", 'gpuDriver "install"'),
    ],
    [{ machineType: hb.machineType, rdmaPlugin: { skip: true } }, requires("rdmaPlugin", 'fabric "infiniband"')],
    [{ hardware: x1.hardware }, "hardware: this package knows Standard_D8ds_v5; remove hardware"],
    [
      described({ vcpus: 3 }),
      "hardware.vcpus: 3 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore",
    ],
    [
      described({ accelerator: { kind: "neuron", model: "Trainium2", count: 1 } }),
      'hardware.accelerator.kind: Azure has accelerators of "nvidia" and "amd" only; correct it',
    ],
  ]);
  itAccepts({
    "a size in lower case": { machineType: "standard_hb120-96rs_v3" },
    "described InfiniBand": { ...described({ infinibandDevices: 1 }), fabric: "infiniband" },
    "plugins for the devices of the size": {
      ...{ machineType: "Standard_ND96isr_H100_v5", fabric: "infiniband" },
      ...{ nvidiaPlugin: { skip: true }, rdmaPlugin: { image: "b" } },
    },
    "the architecture of the size": { machineType: "Standard_D64ps_v5", arch: "arm64" },
    "accelerators of AMD on Ubuntu": mi300x,
    "GPUs of NVIDIA on Azure Linux": { machineType: "Standard_NC4as_T4_v3", osSku: "azureLinux" },
  });
});
