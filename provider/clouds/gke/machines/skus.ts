import { type GkeMachineType, withGpus } from ".";
import type { GkeNodePoolGpusArgs } from "../nodes/args";

/** A part of a machine that Google charges for, with the descriptions of its SKUs. */
export interface PricedPart {
  name: string;
  /** Number of units of a machine. */
  count: number;
  /** Unit of the price, as the Catalog API names it. */
  usageUnit: "h" | "GiBy.h" | "GiBy.mo";
  description: RegExp;
}

// The descriptions are from public price tools that read the catalog: mapping.csv of google-cloud-pricing-cost-calculator (Cyclenerd),
// providers/gcp.py of gpuhunt (dstack), compute_cost_component_helpers.go of Infracost, and instanceprice of CloudPilot AI's Karpenter
// provider; read in November 2026.

/** Descriptions of the cores and the memory of a family, if they are not its name and "Instance". */
const instances: Record<string, string> = {
  "a3-megagpu": "A3Plus Instance",
  "a3-ultragpu": "A3Ultra Instance",
  c2: "Compute optimized( Instance)?",
  c2d: "C2D AMD Instance",
  c4a: "C4A Arm Instance",
  m1: "Memory-optimized Instance",
  m3: "M3 Memory-optimized Instance",
  n1: "N1 Predefined Instance",
  n2d: "N2D AMD Instance",
  t2a: "T2A Arm Instance",
  t2d: "T2D AMD Instance",
};

const gpus: Record<string, string> = {
  "nvidia-a100-80gb": "Nvidia Tesla A100 80GB GPU",
  "nvidia-h100-80gb": "Nvidia H100 80GB GPU",
  "nvidia-h100-mega-80gb": "Nvidia H100 80GB (Mega|Plus) GPU",
  "nvidia-h200-141gb": "(Nvidia )?H200 141GB GPU",
  "nvidia-l4": "Nvidia L4 GPU",
  "nvidia-rtx-pro-6000": "RTX 6000 96GB( GPU)?",
  "nvidia-tesla-a100": "Nvidia Tesla A100 GPU",
  "nvidia-tesla-p100": "Nvidia Tesla P100 GPU",
  "nvidia-tesla-p4": "Nvidia Tesla P4 GPU",
  "nvidia-tesla-t4": "Nvidia Tesla T4 GPU",
  "nvidia-tesla-v100": "Nvidia Tesla V100 GPU",
};

/** Families whose local SSDs have a separate price. The local SSDs of Z3 have the general price. */
const withOwnSsds = ["c4", "c4a", "c4d", "c4n", "h4d"];

/** Families that are not the sum of these parts: M2 has a premium, and A4 and A4X are sold as whole machines or by GPU. */
const notSummed = ["a4", "a4x", "m2"];

/** The parts of a machine, by which Google charges it on demand or as spot. Throws for a machine without prices of its parts. */
export function pricedParts(
  name: string,
  type: GkeMachineType,
  { isSpot, gpus: added }: { isSpot: boolean; gpus?: GkeNodePoolGpusArgs },
): PricedPart[] {
  const machine = withGpus(type, added);
  const { accelerator, acceleratorType = "", localSsdsGib = 0, family, vcpus, memoryMib } = machine;
  if (notSummed.includes(family)) throw new Error(`Google's catalog does not have the parts of ${family}`);
  const [, series = family] = /^(a3-(mega|ultra)gpu)-/.exec(name) ?? [];
  const instance = instances[series] ?? `${family.toUpperCase()} Instance`;
  const gpu = gpus[acceleratorType];
  if (accelerator && gpu === undefined) throw new Error(`the price of ${acceleratorType} is unknown`);
  const ofInstance = (part: string) => new RegExp(`^${isSpot ? "Spot Preemptible " : ""}${instance} ${part}${place}`);
  const attached = isSpot ? " attached to Spot Preemptible VMs" : "";
  const ssds = withOwnSsds.includes(family)
    ? new RegExp(`^${isSpot ? "Spot Preemptible " : ""}${family.toUpperCase()} Instance Local SSD${place}`)
    : new RegExp(`^SSD backed Local Storage${attached}${place}`);
  const parts: PricedPart[] = [
    { name: "vCPUs", count: vcpus, usageUnit: "h", description: ofInstance("Core") },
    { name: "memory", count: memoryMib / 1024, usageUnit: "GiBy.h", description: ofInstance("Ram") },
    {
      name: "GPUs",
      count: accelerator?.count ?? 0,
      usageUnit: "h",
      description: new RegExp(`^${gpu}${attached}${place}`),
    },
    { name: "local SSDs", count: localSsdsGib, usageUnit: "GiBy.mo", description: ssds },
  ];
  return parts.filter(({ count }) => count > 0);
}

/** The end of a description: "running in Iowa", "in Iowa" or nothing. */
const place = "( (running )?in .*)?$";
