import { brokerDomain, brokerPort, type HostEntry, instanceHosts } from "../names";
import { sharedPaths } from "../paths";
import type { MiniClusterSpec } from "../spec";
import { quoteToml, withLineEnd } from "./quote";
import { resourceConfigTables } from "./resourceConfig";

/** The brokers' configuration (flux-config(5), TOML): the same text on every rank, whatever the present size. */
export function renderBrokerConfig(spec: MiniClusterSpec): string {
  if (spec.flux.brokerConfig) return withLineEnd(spec.flux.brokerConfig.toml);
  const paths = sharedPaths(spec.flux.container);
  return [
    accessTable(),
    ...(spec.pool ? resourceConfigTables(spec, spec.pool) : [resourceTable(paths.resources)]),
    bootstrapTable(spec, paths.certificate),
    archiveTable(paths.archive),
    ...(spec.flux.scheduler.simple ? [] : [queueTable(spec.flux.scheduler.queuePolicy)]),
  ]
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

// Containers run as root more often than not, and as other users than the one that submits.
const accessTable = () => ["[access]", "allow-guest-user = true", "allow-root-owner = true"];

const resourceTable = (path: string) => ["[resource]", `path = ${quoteToml(path)}`];

// The rank of a broker is the position of its host in this list (flux-config-bootstrap(5)).
const bootstrapTable = (spec: MiniClusterSpec, certificate: string) => [
  "[bootstrap]",
  `curve_cert = ${quoteToml(certificate)}`,
  `default_port = ${brokerPort}`,
  `default_bind = "tcp://eth0:%p"`,
  `default_connect = ${quoteToml(`tcp://%h.${brokerDomain(spec)}:%p`)}`,
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

const queueTable = (policy: string) => ["[sched-fluxion-qmanager]", `queue-policy = ${quoteToml(policy)}`];
