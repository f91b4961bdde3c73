import { clusterHostlist } from "../names";
import type { MiniClusterSpec } from "../spec";
import { isAccelerator } from "../spec/pool/asked";
import { mergedResources } from "../spec/pool/merged";
import { amount } from "../spec/pool/quantity";
import { hostlist } from "./hostlist";
import { quoteToml } from "./quote";

type Pool = NonNullable<MiniClusterSpec["pool"]>;

/**
 * What the hosts have, from what is known of the machines of their pool (flux-config-resource(5)). Flux compares the cores
 * with those that each broker finds, and drains a host that has fewer.
 */
export function resourceConfigTables(spec: MiniClusterSpec, pool: Pool): string[][] {
  const gpus = gpusPerHost(spec, pool);
  const hardware = [
    "[[resource.config]]",
    `hosts = ${quoteToml(clusterHostlist(spec))}`,
    `cores = ${quoteToml(idset(coresPerHost(spec, pool)))}`,
    ...(gpus > 0 ? [`gpus = ${quoteToml(idset(gpus))}`] : []),
  ];
  // A host without cores lets no broker start, and a hostlist of the user's own may leave out some of these.
  if (spec.flux.bursting.hostlist !== undefined) return [hardware];
  const own = [
    "[[resource.config]]",
    `hosts = ${quoteToml(hostlist(spec.name, spec.maxSize))}`,
    `properties = [${hostProperties(pool).map(quoteToml).join(", ")}]`,
  ];
  return [hardware, own];
}

/** Properties by which a job asks for hosts of this kind (`flux submit --requires`). */
export function hostProperties({ pool, node }: Pool): string[] {
  const { arch, gpuModel, fabric } = node;
  return [...new Set([pool, arch, gpuModel && propertyName(gpuModel), fabric].filter((name) => name !== undefined))];
}

/** Flux refuses some characters in a property, and a blank ends its name in a constraint (RFC 35 of Flux). */
const propertyName = (text: string) => text.toLowerCase().replace(/[^a-z0-9.]+/g, "-");

/** GPUs of a host: those that the container of its broker is given, by the user's template in the last place. */
function gpusPerHost({ main, podTemplate }: MiniClusterSpec, { node, resources }: Pool): number {
  const { limits } = mergedResources(main, podTemplate);
  const given = Object.entries(limits ?? {}).filter(([name]) => isAccelerator(name));
  const counts = given.map(([, quantity]) => amount(quantity)).filter((count) => count !== undefined);
  if (counts.length > 0) return counts.reduce((sum, count) => sum + count, 0);
  // What the pool has is among the limits, unless the containers beside this one have it all.
  const isTaken = limits !== undefined && given.length === 0 && Object.keys(resources).some(isAccelerator);
  return isTaken ? 0 : node.gpus;
}

/** Cores of a host. Under the static CPU policy a broker sees those alone that its container was given. */
function coresPerHost({ main }: MiniClusterSpec, { node, staticCpu }: Pool): number {
  const cpus = staticCpu ? amount(main.resources?.limits?.["cpu"]) : undefined;
  return cpus === undefined ? node.cores : Math.max(1, Math.floor((cpus * node.cores) / node.vcpus));
}

/** Ids from 0 on (RFC 22 of Flux). */
const idset = (count: number) => (count === 1 ? "0" : `0-${count - 1}`);
