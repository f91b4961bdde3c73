import type { MachineType } from "../machines";
import { type NodePoolAcceleratorArgs, NodePoolAcceleratorKind, MiniClusterArch } from "../nodes/args";
import type { AksHardware } from "./nodes/parse/fields";

// The facts come from Microsoft's "Sizes for virtual machines in Azure": the page of each series (HBv2, HBv3, HBv4,
// HBv5, HX, HC, NDv2, ND A100 v4, NDm A100 v4, ND H100 v5, ND H200 v5, ND MI300X v5, ND GB200 v6, ND GB300 v6, NCasT4
// v3, NC A100 v4, NCads H100 v5, NCCads H100 v5, NVadsA10 v5, and the series of the D, E and F families), from "Azure
// compute unit" (virtual CPUs to a core), and from the list of sizes that the Kubernetes cluster autoscaler generates
// from Azure's list (memory), compared with the autoscaler's list in November 2026 by `npm run machines`. If a page and
// the list have different values of the memory, the row has the lower value: pods are sized by it.

/** The properties of a VM size that a node pool depends on. */
export interface AksMachineType extends MachineType {
  /** InfiniBand devices; 0 for a size without InfiniBand, whose name has no "r" among its features. */
  infinibandDevices: number;
  /** Total capacity in GB of the NVMe disks, which a node has as block devices. */
  nvmeGb?: number;
  /** True where the image of AKS makes one file system of the NVMe disks for the kubelet itself, but not for images. */
  stripesItself?: boolean;
}

const { Amd64, Arm64 } = MiniClusterArch;

const nvidia = (model: string, count: number): NodePoolAcceleratorArgs => ({
  kind: NodePoolAcceleratorKind.Nvidia,
  model,
  count,
});
const amd = (model: string, count: number): NodePoolAcceleratorArgs => ({
  kind: NodePoolAcceleratorKind.Amd,
  model,
  count,
});

/**
 * A series whose sizes differ only in the number of usable cores: each has the whole machine's memory and network. All of them have
 * one thread per core.
 */
interface HpcSeries {
  /** Name of the whole machine, with "#" in place of the number of its cores. */
  name: string;
  cores: number;
  /** Numbers of cores with which Azure also offers the same machine, as in HB120-96rs_v3. */
  constrained: number[];
  memoryGiB: number;
  infinibandDevices: number;
  temporaryGb?: number;
  nvmeGb?: number;
}

const genoa = { temporaryGb: 480, nvmeGb: 3600 };

// Local disks from "HBv3-series", "HBv4-series virtual machine overview", "HX-series virtual machine overview" and the page of HBv5.
const hpcSeries: HpcSeries[] = [
  { name: "HB#rs_v2", cores: 120, constrained: [96, 64, 32, 16], memoryGiB: 456, infinibandDevices: 1 },
  { name: "HB#rs_v3", cores: 120, constrained: [96, 64, 32, 16], memoryGiB: 448, infinibandDevices: 1, nvmeGb: 1920 },
  { name: "HB#rs_v4", cores: 176, constrained: [144, 96, 48, 24], memoryGiB: 768, infinibandDevices: 1, ...genoa },
  {
    name: "HB#rs_v5",
    cores: 368,
    constrained: [336, 288, 240, 192, 144, 96, 48],
    memoryGiB: 432,
    infinibandDevices: 4,
    temporaryGb: 480,
    nvmeGb: 15_200,
  },
  { name: "HX#rs", cores: 176, constrained: [144, 96, 48, 24], memoryGiB: 1408, infinibandDevices: 1, ...genoa },
  { name: "HC#rs", cores: 44, constrained: [32, 16], memoryGiB: 352, infinibandDevices: 1 },
];

interface GpuSize {
  vcpus: number;
  /** Default: 1. */
  threadsPerCore?: number;
  memoryGiB: number;
  accelerator: NodePoolAcceleratorArgs;
  /** Default: 0. */
  infinibandDevices?: number;
  /** Default: amd64. */
  arch?: MiniClusterArch;
  temporaryGb?: number;
  nvmeGb?: number;
  stripesItself?: boolean;
}

/** GB of a disk whose size is in GiB in Azure's documents. */
const gb = (gib: number) => Math.floor((gib * 1024 ** 3) / 1e9);

// Two threads per core, as on all Granite Rapids machines of Azure. Sizes from 128 vCPUs on have one GPU or two.
const rtxPro6000 = (vcpus: number, memoryGiB: number, count: number): GpuSize => ({
  vcpus,
  threadsPerCore: 2,
  memoryGiB,
  accelerator: nvidia("RTX PRO 6000", count),
  temporaryGb: gb(count === 1 ? 1024 : 2048),
});

// Local disks from the pages of ND H100 v5, ND MI300X v5, ND GB200 v6 and NC RTX PRO 6000 v6. The image of GB200 and
// GB300 mounts them for the kubelet (Azure/AgentBaker, format-mount-nvme-root.sh).

const gpuSizes: Record<string, GpuSize> = {
  ND40rs_v2: { vcpus: 40, memoryGiB: 672, accelerator: nvidia("V100", 8), infinibandDevices: 1 },
  ND96asr_v4: { vcpus: 96, memoryGiB: 900, accelerator: nvidia("A100", 8), infinibandDevices: 8 },
  ND96amsr_A100_v4: { vcpus: 96, memoryGiB: 1800, accelerator: nvidia("A100", 8), infinibandDevices: 8 },
  ND96isr_H100_v5: {
    vcpus: 96,
    memoryGiB: 1900,
    accelerator: nvidia("H100", 8),
    infinibandDevices: 8,
    temporaryGb: gb(1024),
    nvmeGb: gb(28 * 1024),
  },
  ND96isr_H200_v5: { vcpus: 96, memoryGiB: 1850, accelerator: nvidia("H200", 8), infinibandDevices: 8 },
  ND96isr_MI300X_v5: {
    vcpus: 96,
    memoryGiB: 1850,
    accelerator: amd("MI300X", 8),
    infinibandDevices: 8,
    temporaryGb: gb(1000),
    nvmeGb: gb(28_000),
  },
  ND128isr_NDR_GB200_v6: {
    vcpus: 128,
    memoryGiB: 900,
    accelerator: nvidia("GB200", 4),
    infinibandDevices: 4,
    arch: Arm64,
    nvmeGb: gb(16 * 1024),
    stripesItself: true,
  },
  ND128isr_GB300_v6: { vcpus: 128, memoryGiB: 864, accelerator: nvidia("GB300", 4), infinibandDevices: 4, arch: Arm64 },
  NC128ds_xl_RTXPRO6000BSE_v6: rtxPro6000(128, 512, 1),
  NC256ds_xl_RTXPRO6000BSE_v6: rtxPro6000(256, 1024, 2),
  NC320ds_xl_RTXPRO6000BSE_v6: rtxPro6000(320, 1280, 2),
  NC128lds_xl_RTXPRO6000BSE_v6: rtxPro6000(128, 256, 1),
  NC256lds_xl_RTXPRO6000BSE_v6: rtxPro6000(256, 512, 2),
  NC320lds_xl_RTXPRO6000BSE_v6: rtxPro6000(320, 640, 2),
  NC4as_T4_v3: { vcpus: 4, memoryGiB: 28, accelerator: nvidia("T4", 1) },
  NC8as_T4_v3: { vcpus: 8, memoryGiB: 56, accelerator: nvidia("T4", 1) },
  NC16as_T4_v3: { vcpus: 16, memoryGiB: 110, accelerator: nvidia("T4", 1) },
  NC64as_T4_v3: { vcpus: 64, memoryGiB: 440, accelerator: nvidia("T4", 4) },
  NC24ads_A100_v4: { vcpus: 24, memoryGiB: 220, accelerator: nvidia("A100", 1) },
  NC48ads_A100_v4: { vcpus: 48, memoryGiB: 440, accelerator: nvidia("A100", 2) },
  NC96ads_A100_v4: { vcpus: 96, memoryGiB: 880, accelerator: nvidia("A100", 4) },
  NC40ads_H100_v5: { vcpus: 40, memoryGiB: 320, accelerator: nvidia("H100", 1) },
  NC80adis_H100_v5: { vcpus: 80, memoryGiB: 640, accelerator: nvidia("H100", 2) },
  NCC40ads_H100_v5: { vcpus: 40, memoryGiB: 320, accelerator: nvidia("H100", 1) },
  // The first three have a sixth, a third and a half of an A10, which the node counts as one GPU.
  NV6ads_A10_v5: { vcpus: 6, threadsPerCore: 2, memoryGiB: 55, accelerator: nvidia("A10", 1) },
  NV12ads_A10_v5: { vcpus: 12, threadsPerCore: 2, memoryGiB: 110, accelerator: nvidia("A10", 1) },
  NV18ads_A10_v5: { vcpus: 18, threadsPerCore: 2, memoryGiB: 220, accelerator: nvidia("A10", 1) },
  NV36ads_A10_v5: { vcpus: 36, threadsPerCore: 2, memoryGiB: 440, accelerator: nvidia("A10", 1) },
  NV36adms_A10_v5: { vcpus: 36, threadsPerCore: 2, memoryGiB: 880, accelerator: nvidia("A10", 1) },
  NV72ads_A10_v5: { vcpus: 72, threadsPerCore: 2, memoryGiB: 880, accelerator: nvidia("A10", 2) },
};

/** A general-purpose family, whose names contain the virtual CPUs and whose memory is proportional to them. */
interface Family {
  /** The sizes' names, with "#" in place of the count. */
  names: string[];
  vcpus: number[];
  gibPerVcpu: number;
  /** GiB of the sizes that differ from `gibPerVcpu`, by their virtual CPUs. */
  memoryGiB?: Record<number, number>;
}

const upTo48 = [2, 4, 8, 16, 32, 48];
const upTo64 = [...upTo48, 64];
const upTo96 = [...upTo64, 96];
const upTo128 = [...upTo96, 128];
const upTo192 = [...upTo128, 192];
// Only the E family has a size of 20.
const with20 = (vcpus: number[]): number[] => [...vcpus, 20];

/** Two threads to a core. */
const amd64Families: Family[] = [
  { names: ["D#_v3", "D#s_v3", "D#_v4", "D#s_v4", "D#d_v4", "D#ds_v4"], vcpus: upTo64, gibPerVcpu: 4 },
  { names: ["D#_v5", "D#s_v5", "D#d_v5", "D#ds_v5", "D#as_v5", "D#ads_v5"], vcpus: upTo96, gibPerVcpu: 4 },
  { names: ["D#as_v4", "D#as_v6", "D#ads_v6"], vcpus: upTo96, gibPerVcpu: 4 },
  { names: ["D#s_v6", "D#ds_v6"], vcpus: upTo192, gibPerVcpu: 4 },
  { names: ["D#ls_v5", "D#lds_v5", "D#als_v6", "D#alds_v6"], vcpus: upTo96, gibPerVcpu: 2 },
  { names: ["D#ls_v6", "D#lds_v6"], vcpus: upTo128, gibPerVcpu: 2 },
  { names: ["E#_v3", "E#s_v3"], vcpus: with20(upTo64), gibPerVcpu: 8, memoryGiB: { 64: 432 } },
  { names: ["E#_v4", "E#s_v4", "E#d_v4", "E#ds_v4"], vcpus: with20(upTo64), gibPerVcpu: 8, memoryGiB: { 64: 504 } },
  {
    names: ["E#as_v4", "E#_v5", "E#s_v5", "E#d_v5", "E#ds_v5", "E#as_v5", "E#ads_v5", "E#as_v6", "E#ads_v6"],
    vcpus: with20(upTo96),
    gibPerVcpu: 8,
    memoryGiB: { 96: 672 },
  },
  { names: ["E#s_v6", "E#ds_v6"], vcpus: with20(upTo128), gibPerVcpu: 8 },
  { names: ["F#s_v2"], vcpus: [...upTo64, 72], gibPerVcpu: 2 },
];

/** Ampere Altra (version 5) and Azure Cobalt 100 (version 6), which have one thread to a core. */
const arm64Families: Family[] = [
  { names: ["D#ps_v5", "D#pds_v5"], vcpus: upTo64, gibPerVcpu: 4, memoryGiB: { 64: 208 } },
  { names: ["D#pls_v5", "D#plds_v5"], vcpus: upTo64, gibPerVcpu: 2 },
  { names: ["E#ps_v5", "E#pds_v5"], vcpus: [2, 4, 8, 16, 20, 32], gibPerVcpu: 8, memoryGiB: { 32: 208 } },
  { names: ["D#ps_v6", "D#pds_v6"], vcpus: upTo96, gibPerVcpu: 4 },
  { names: ["D#pls_v6", "D#plds_v6"], vcpus: upTo96, gibPerVcpu: 2 },
  { names: ["E#ps_v6", "E#pds_v6"], vcpus: upTo96, gibPerVcpu: 8, memoryGiB: { 96: 672 } },
];

type Row = [name: string, type: AksMachineType];

/** Local disks: the NVMe disks, or the temporary disk if there are none. */
const localDisksOf = ({ temporaryGb, nvmeGb }: { temporaryGb?: number; nvmeGb?: number }) => ({
  ...((nvmeGb ?? temporaryGb) !== undefined && { localDiskGb: nvmeGb ?? temporaryGb }),
  ...(nvmeGb !== undefined && { nvmeGb }),
});

// The feature "d" of the versions 4 and 5, whose temporary disk grows with the size (MaxResourceVolumeMB of Azure's list of SKUs).
const hasTemporaryDisk = /^[DE]#[a-z]*d[a-z]*_v[45]$/;
const temporaryPerVcpu = 37.5;

const sized = (pattern: string, size: string): string => `Standard_${pattern.replace("#", size)}`;

function hpcRows(series: HpcSeries): Row[] {
  const type = (vcpus: number): AksMachineType => ({
    arch: Amd64,
    vcpus,
    threadsPerCore: 1,
    memoryMib: series.memoryGiB * 1024,
    infinibandDevices: series.infinibandDevices,
    ...localDisksOf(series),
  });
  return [
    [sized(series.name, `${series.cores}`), type(series.cores)],
    ...series.constrained.map((cores): Row => [sized(series.name, `${series.cores}-${cores}`), type(cores)]),
  ];
}

function gpuRow([name, size]: [string, GpuSize]): Row {
  const { memoryGiB, arch = Amd64, threadsPerCore = 1, infinibandDevices = 0, ...rest } = size;
  const { vcpus, accelerator, stripesItself } = rest;
  const machine = { vcpus, accelerator, arch, threadsPerCore, memoryMib: memoryGiB * 1024, infinibandDevices };
  return [`Standard_${name}`, { ...machine, ...localDisksOf(rest), ...(stripesItself && { stripesItself }) }];
}

const familyRows = (arch: MiniClusterArch, threadsPerCore: number) => (family: Family) =>
  family.names.flatMap((name) =>
    family.vcpus.map((vcpus): Row => {
      const memoryMib = (family.memoryGiB?.[vcpus] ?? vcpus * family.gibPerVcpu) * 1024;
      const temporaryGb = hasTemporaryDisk.test(name) ? gb(temporaryPerVcpu * vcpus) : undefined;
      const machine = { arch, vcpus, threadsPerCore, memoryMib, infinibandDevices: 0 };
      return [sized(name, `${vcpus}`), { ...machine, ...localDisksOf({ temporaryGb }) }];
    }),
  );

/** VM sizes by the name that Azure documents. */
export const aksMachineTypes: ReadonlyMap<string, AksMachineType> = new Map([
  ...hpcSeries.flatMap(hpcRows),
  ...Object.entries(gpuSizes).map(gpuRow),
  ...amd64Families.flatMap(familyRows(Amd64, 2)),
  ...arm64Families.flatMap(familyRows(Arm64, 1)),
]);

// Azure ignores case, as in "standard_hb120-96rs_v3".
const inAnyCase = new Map([...aksMachineTypes].map(([name, type]) => [name.toLowerCase(), type]));

/** A VM size in the spelling of Azure, if it is in the table. */
export const canonicalSize = (name: string): string =>
  [...aksMachineTypes.keys()].find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;

/** True for a VM size of the table. */
export const isListed = (name: string) => inAnyCase.has(name.toLowerCase());

/** A VM size such as "Standard_HB120rs_v3", from the table or from the user's description. */
export const aksMachineType = (name: string, hardware?: AksHardware): AksMachineType | undefined =>
  inAnyCase.get(name.toLowerCase()) ?? hardware;
