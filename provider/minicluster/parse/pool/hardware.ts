import type { NodePoolFabric } from "../../args";
import { amount, isAccelerator, type PoolSpec } from "./fields";

/** Hardware of one host of a cluster, as Flux is told of it. */
export interface HostHardware {
  cores: number;
  gpus: number;
}

/** Resources of the container that runs Flux. */
interface Resources {
  limits?: Record<string, unknown>;
}

/** Hardware of the hosts of a pool, as far as the container that runs Flux is given it. */
export const hostHardware = (pool: PoolSpec, { limits }: Resources = {}): HostHardware => ({
  cores: coresPerHost(pool, limits),
  gpus: gpusPerHost(pool, limits),
});

/** GPUs of a host: those that the container of its broker is given. */
function gpusPerHost({ node, resources }: PoolSpec, limits: Resources["limits"]): number {
  const given = Object.entries(limits ?? {}).filter(([name]) => isAccelerator(name));
  const counts = given.map(([, quantity]) => amount(quantity)).filter((count) => count !== undefined);
  if (counts.length > 0) return counts.reduce((sum, count) => sum + count, 0);
  // What the pool has is among the limits, unless the containers beside this one have it all.
  const isTaken = limits !== undefined && given.length === 0 && Object.keys(resources).some(isAccelerator);
  return isTaken ? 0 : node.gpus;
}

/** Cores of a host. Under the static CPU policy a broker sees only the cores that its container was given. */
function coresPerHost({ node: { cores, vcpus }, staticCpu }: PoolSpec, limits: Resources["limits"]): number {
  const cpus = staticCpu ? amount(limits?.["cpu"]) : undefined;
  return cpus === undefined ? cores : Math.max(1, Math.floor((cpus * cores) / vcpus));
}

/** Properties by which a job asks for hosts of this kind (`flux submit --requires`). */
export function hostProperties({ pool, node }: PoolSpec): string[] {
  const { arch, gpuModel, fabric }: { arch: string; gpuModel?: string; fabric?: NodePoolFabric } = node;
  return [...new Set([pool, arch, gpuModel && propertyName(gpuModel), fabric].filter((name) => name !== undefined))];
}

/** Flux refuses some characters in a property, and a blank ends its name in a constraint (RFC 35 of Flux). */
const propertyName = (text: string) => text.toLowerCase().replace(/[^a-z0-9.]+/g, "-");
