import type { TomlTable } from "smol-toml" with { "resolution-mode": "import" };
import { withLineEnd } from "../../shared/quote";
import { toml } from "../../shared/toml";
import { hostlist } from "../parse/hostlist";
import { type InstanceCluster, queuesOf } from "../parse/instance";
import { absoluteName, brokerDomain, brokerPort } from "../parse/names";
import { certificateFile, configFile, files, sharedPaths } from "../parse/paths";
import type { MiniClusterSpec } from "../parse/spec";
import { hasLateLead, instanceHosts } from "./hosts";

/** Paths of the certificate and of the resource description in the brokers' configuration. */
export function brokerPaths({ container, brokerConfig }: MiniClusterSpec["flux"]) {
  const { resources } = sharedPaths(container);
  return { certificate: brokerConfig?.certificate ?? certificateFile, resources: brokerConfig?.resources ?? resources };
}

/** File of the brokers' configuration: in the ConfigMap, or a copy with the endpoint of the lead broker. */
export const brokerConfigFile = (spec: MiniClusterSpec) =>
  hasLateLead(spec) ? sharedPaths(spec.flux.container).broker : configFile(files.brokerConfig);

/** Children of a broker in the tree, as in the Flux Operator: up to 257 brokers the tree is flat. */
const fanOut = 256;

/** Options of `flux start` and `flux broker` on every rank (flux-broker-attributes(7)). */
export function brokerOptions(spec: MiniClusterSpec): string[] {
  const { flux, logging } = spec;
  const paths = sharedPaths(flux.container);
  const attributes: [string, string | number | undefined][] = [
    ["cron.directory", paths.cron],
    // It would override the topology of the user's configuration.
    ["tbon.fanout", flux.brokerConfig ? undefined : fanOut],
    ["rundir", paths.run],
    ["statedir", spec.additions.stateDirectory.path ?? paths.state],
    ["local-uri", flux.disableSocket ? undefined : `local://${paths.run}/local`],
    ["tbon.connect_timeout", flux.connectTimeout || undefined],
    ["tbon.topo", flux.topology],
    ["tbon.zmqdebug", logging.zeromq ? 1 : undefined],
    ["log-stderr-level", logging.quiet ? 0 : flux.logLevel],
    ["log-stderr-mode", "local"],
  ];
  const given = attributes.filter(([, value]) => value !== undefined);
  return [`--config-path=${brokerConfigFile(spec)}`, ...given.map(([name, value]) => `-S${name}=${value}`)];
}

/** The brokers' configuration (flux-config(5), TOML): the same text on every rank and at every size. */
export function renderBrokerConfig(spec: MiniClusterSpec): string {
  const { brokerConfig, container, scheduler } = spec.flux;
  if (brokerConfig) return withLineEnd(brokerConfig.toml);
  return toml().stringify({
    // Containers usually run as root, and jobs are often submitted by another user.
    access: { "allow-guest-user": true, "allow-root-owner": true },
    resource: resourceTable(spec),
    bootstrap: bootstrapTable(spec, certificateFile),
    archive: { dbpath: sharedPaths(container).archive, period: "1m", busytimeout: "50s" },
    ...jobManagerTable(spec),
    // Fluxion has a higher priority than the simple scheduler wherever it is installed (flux-modprobe(1)).
    ...(scheduler.simple ? { modules: { alternatives: { sched: "sched-simple" } } } : fluxionTables(scheduler)),
    ...queueTables(spec),
  });
}

// The rank of a broker is the position of its host in this list (flux-config-bootstrap(5)).
const bootstrapTable = (spec: MiniClusterSpec, certificate: string) => ({
  curve_cert: certificate,
  default_port: brokerPort,
  // network.sh replaces the text of this line and of the next.
  default_bind: "tcp://eth0:%p",
  default_connect: `tcp://%h.${absoluteName(brokerDomain(spec))}:%p`,
  hosts: instanceHosts(spec),
});

/** Number of ended jobs that an interactive instance keeps. */
const defaultInactiveJobs = 2000;

// The lead broker keeps each ended job in memory, and the journal sends all of them to each program that follows it
// (flux-config-job-manager(5)).
function jobManagerTable(spec: MiniClusterSpec): TomlTable {
  if (spec.role === "follower") return {};
  const { inactiveNumLimit, inactiveAgeLimit } = spec.flux;
  const most = inactiveNumLimit ?? (spec.mode === "interactive" ? defaultInactiveJobs : undefined);
  const limits = {
    ...(most !== undefined && { "inactive-num-limit": most }),
    ...(inactiveAgeLimit !== undefined && { "inactive-age-limit": inactiveAgeLimit }),
  };
  return Object.keys(limits).length === 0 ? {} : { "job-manager": limits };
}

// By default Fluxion also counts hosts that are still joining among the hosts that fit, and rejects a job for more hosts than are
// up (`request_feasible` in dfu.cpp), although they may join: after a pod was replaced, or because the cluster grows. Both
// schedulers reject a job for more hosts than the instance can have.
const fluxionTables = ({ queuePolicy, matchPolicy }: MiniClusterSpec["flux"]["scheduler"]) => ({
  "sched-fluxion-qmanager": { "queue-policy": queuePolicy },
  "sched-fluxion-resource": { "prune-filters": "ALL:core", "match-policy": matchPolicy },
});

/**
 * One queue for each cluster of the instance that runs jobs, the first one by default (flux-config-queues(5)): a job stays within
 * one cluster, because message passing does not cross clusters.
 */
function queueTables({ instance }: MiniClusterSpec): TomlTable {
  if (!instance.hasQueues) return {};
  const queues = queuesOf(instance).map(({ name }) => name);
  return {
    queues: Object.fromEntries(queues.map((queue) => [queue, { requires: [queue] }])),
    policy: { jobspec: { defaults: { system: { queue: queues[0] ?? "" } } } },
  };
}

/**
 * Resource table of the configuration (flux-config-resource(5)): the hardware of the hosts, if all of it is known before the
 * brokers start. Flux compares the cores with the cores that each broker finds, and drains a host that has fewer.
 */
function resourceTable(spec: MiniClusterSpec): TomlTable {
  const { clusters, hostlist: given } = spec.instance;
  const excluded = clusters.filter(({ isExcluded }) => isExcluded).map(({ name, hosts }) => hostlist(name, hosts));
  const exclude = excluded.length > 0 && { exclude: excluded.join(",") };
  if (!isDescribed(spec)) return { path: sharedPaths(spec.flux.container).resources, ...exclude };
  // A broker does not start on a host without cores, and a hostlist of the user may omit some of these hosts.
  if (given !== undefined)
    return { config: clusters.slice(0, 1).map((cluster) => hostTable({ ...cluster, properties: [] }, given)) };
  return { ...exclude, config: clusters.map((cluster) => hostTable(cluster, hostlist(cluster.name, cluster.hosts))) };
}

const isDescribed = (spec: MiniClusterSpec) =>
  !writesResources(spec) && spec.instance.clusters.every(({ hardware }) => hardware);

/** True if the brokers' configuration describes the hosts. With a configuration of the user, a script describes them. */
export const describesHosts = (spec: MiniClusterSpec) => !spec.flux.brokerConfig && isDescribed(spec);

/** True if the user's own code names the file that describes the resources: that file takes precedence. */
export function writesResources({ main: { commands } }: MiniClusterSpec): boolean {
  const { init, pre, brokerPre, workerPre } = commands;
  return [init, pre, brokerPre, workerPre].some((code) => code?.includes("etc/flux/system/R"));
}

function hostTable({ hardware, properties }: InstanceCluster, hosts: string): TomlTable {
  const { cores = 1, gpus = 0 } = hardware ?? {};
  return {
    hosts,
    cores: idset(0, cores),
    ...(gpus > 0 && { gpus: idset(0, gpus) }),
    ...(properties.length > 0 && { properties }),
  };
}

/** Idset of a number of consecutive ids, from the first one on (RFC 22 of Flux). */
export const idset = (first: number, count: number) => (count === 1 ? String(first) : `${first}-${first + count - 1}`);
