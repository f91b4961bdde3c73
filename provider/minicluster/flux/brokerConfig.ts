import { type HostEntry, instanceHosts } from "../hosts";
import { absoluteName, brokerDomain, brokerPort } from "../names";
import { sharedPaths } from "../paths";
import type { MiniClusterSpec } from "../parse/spec";
import { quoteToml, withLineEnd } from "./quote";
import { resourceTables } from "./resourceConfig";

/** The brokers' configuration (flux-config(5), TOML): the same text on every rank, whatever the present size. */
export function renderBrokerConfig(spec: MiniClusterSpec): string {
  if (spec.flux.brokerConfig) return withLineEnd(spec.flux.brokerConfig.toml);
  const paths = sharedPaths(spec.flux.container);
  return [
    accessTable(),
    ...resourceTables(spec),
    bootstrapTable(spec, paths.certificate),
    archiveTable(paths.archive),
    ...(spec.flux.scheduler.simple ? [] : [policyTable(spec.flux.scheduler.queuePolicy)]),
    ...queueTables(spec),
  ]
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

// Containers run as root more often than not, and as other users than the one that submits.
const accessTable = () => ["[access]", "allow-guest-user = true", "allow-root-owner = true"];

// The rank of a broker is the position of its host in this list (flux-config-bootstrap(5)).
const bootstrapTable = (spec: MiniClusterSpec, certificate: string) => [
  "[bootstrap]",
  `curve_cert = ${quoteToml(certificate)}`,
  `default_port = ${brokerPort}`,
  `default_bind = "tcp://eth0:%p"`,
  `default_connect = ${quoteToml(`tcp://%h.${absoluteName(brokerDomain(spec))}:%p`)}`,
  `hosts = [`,
  ...instanceHosts(spec).map((entry) => `  { ${hostEntry(entry)} },`),
  `]`,
];

const hostEntry = ({ host, connect }: HostEntry) =>
  `host = ${quoteToml(host)}${connect === undefined ? "" : `, connect = ${quoteToml(connect)}`}`;

const archiveTable = (path: string) => [
  "[archive]",
  `dbpath = ${quoteToml(path)}`,
  `period = "1m"`,
  `busytimeout = "50s"`,
];

const policyTable = (policy: string) => ["[sched-fluxion-qmanager]", `queue-policy = ${quoteToml(policy)}`];

/**
 * One queue for each cluster of the instance, that of the lead broker first and by default (flux-config-queues(5)): a job stays
 * within one cluster, because no message passing crosses two.
 */
function queueTables({ instance }: MiniClusterSpec): string[][] {
  if (!instance.hasQueues) return [];
  const [home] = instance.clusters;
  return [
    ...instance.clusters.map(({ name }) => [`[queues.${name}]`, `requires = [${quoteToml(name)}]`]),
    ["[policy.jobspec.defaults.system]", `queue = ${quoteToml(home?.name ?? "")}`],
  ];
}
