// Sizes are from the machine type list of google-cloud-pricing-cost-calculator (Cyclenerd), those of the newest GPU types
// from the Compute Engine document "Accelerator-optimized machine family"; TIER_1 from google-cloud-compute-machine-types
// (Cyclenerd); threads per core, GPU names and compact placement from the machine families of the GKE cluster autoscaler
// and from "Define compact placement for GKE nodes"; RDMA and GPUDirect from the GKE blueprints of the Cluster Toolkit.
import { NodePoolAcceleratorKind } from "../../machine";
import { gpuSeries } from "./accelerated";
import { computeSeries } from "./compute";
import { generalSeries } from "./general";
import { memorySeries } from "./memory";
import type { GkeMachine, GpuSeries, Series } from "./rows";

export type { GkeAttachable, GkeMachine, GkeRdma } from "./rows";

/** What a machine type has; undefined for one that is not in the tables, such as any custom, bare-metal or shared-core type. */
export const gkeMachine = (type: string): GkeMachine | undefined => machines.get(type);

const expandSeries = ([family, series]: [string, Series]): [string, GkeMachine][] => {
  const { compact = false, tier1From = Infinity, types, ...shared } = series;
  return Object.entries(types).flatMap(([pattern, sizes]) =>
    Object.entries(sizes).map(([count, memoryGiB]): [string, GkeMachine] => {
      const vcpus = Number(count);
      const tier1 = vcpus >= tier1From;
      const machine = { ...shared, family, vcpus, memoryMib: toMiB(memoryGiB), tier1, compactPlacement: compact };
      return [`${family}-${pattern.replace("*", count)}`, machine];
    }),
  );
};

const expandGpuSeries = ({ compact = false, model, types, ...shared }: GpuSeries): [string, GkeMachine][] =>
  Object.entries(types).map(([type, [vcpus, memoryGiB, count]]) => {
    const accelerator = { kind: NodePoolAcceleratorKind.Nvidia, model, count };
    const family = type.split("-", 1)[0] ?? type;
    const machine = { ...shared, family, vcpus, memoryMib: toMiB(memoryGiB), tier1: false, compactPlacement: compact };
    return [type, { ...machine, accelerator }];
  });

const toMiB = (gib: number): number => Math.floor(gib * 1024);

const machines: ReadonlyMap<string, GkeMachine> = new Map([
  ...Object.entries({ ...generalSeries, ...computeSeries, ...memorySeries }).flatMap(expandSeries),
  ...gpuSeries.flatMap(expandGpuSeries),
]);
