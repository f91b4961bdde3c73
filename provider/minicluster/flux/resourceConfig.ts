import { clusterHostlist } from "../hosts";
import type { MiniClusterSpec } from "../parse/spec";
import type { InstanceCluster } from "../parse/instance";
import { sharedPaths } from "../paths";
import { hostlist } from "./hostlist";
import { quoteToml, quoteWord } from "./quote";
import { lines } from "./scripts/pieces";

/**
 * Resource tables of the configuration (flux-config-resource(5)): the hardware of the hosts, if all of it is known before
 * the brokers start. Flux compares the cores with those that each broker finds, and drains a host that has fewer.
 */
export function resourceTables(spec: MiniClusterSpec): string[][] {
  const { clusters, hostlist: given } = spec.instance;
  if (!isDescribed(spec)) return [["[resource]", `path = ${quoteToml(sharedPaths(spec.flux.container).resources)}`]];
  // A host without cores lets no broker start, and a hostlist of the user's own may leave out some of these.
  if (given !== undefined) return clusters.slice(0, 1).map((cluster) => table({ ...cluster, properties: [] }, given));
  return clusters.map((cluster) => table(cluster, hostlist(cluster.name, cluster.hosts)));
}

const isDescribed = ({ instance }: MiniClusterSpec) => instance.clusters.every(({ hardware }) => hardware);

function table({ hardware, properties }: InstanceCluster, hosts: string): string[] {
  const { cores = 1, gpus = 0 } = hardware ?? {};
  return [
    "[[resource.config]]",
    `hosts = ${quoteToml(hosts)}`,
    `cores = ${quoteToml(idset(0, cores))}`,
    ...(gpus > 0 ? [`gpus = ${quoteToml(idset(0, gpus))}`] : []),
    ...(properties.length > 0 ? [`properties = [${properties.map(quoteToml).join(", ")}]`] : []),
  ];
}

/** Idset of so many ids, from the first one on (RFC 22 of Flux). */
const idset = (first: number, count: number) => (count === 1 ? String(first) : `${first}-${first + count - 1}`);

/**
 * Bash code that writes the description of the hosts (flux-R(1)) where the configuration has none. A host of unknown
 * hardware is described like the present one. The lead broker's description counts.
 */
export function describeResources(spec: MiniClusterSpec, file: string): string | undefined {
  const { clusters } = spec.instance;
  if (!spec.flux.brokerConfig && isDescribed(spec)) return undefined;
  const isPlain = clusters.every(({ properties, hardware }) => properties.length === 0 && !hardware);
  if (spec.flux.brokerConfig || isPlain)
    return `flux R encode --hosts=${quoteWord(clusterHostlist(spec))} --local >${quoteWord(file)}`;
  const firsts = clusters.map((_, index) => clusters.slice(0, index).reduce((sum, { hosts }) => sum + hosts, 0));
  const encoded = clusters.map((cluster, index) => `  ${encode(cluster, firsts[index] ?? 0)}`);
  return lines("{", ...encoded, `} | flux R append >${quoteWord(file)}`);
}

function encode({ name, hosts, hardware, properties }: InstanceCluster, first: number): string {
  return [
    "flux R encode",
    `--ranks=${idset(first, hosts)}`,
    `--hosts=${quoteWord(hostlist(name, hosts))}`,
    ...(hardware ? [`--cores=${idset(0, hardware.cores)}`] : ["--local"]),
    ...(hardware && hardware.gpus > 0 ? [`--gpus=${idset(0, hardware.gpus)}`] : []),
    ...properties.map((property) => `--property=${quoteWord(property)}`),
  ].join(" ");
}
