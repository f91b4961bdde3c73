import type * as pulumi from "@pulumi/pulumi";
import { hostlist as hostsOf, splitFirstHost } from "../parse/hostlist";
import {
  absoluteName,
  brokerDomain,
  brokerPort,
  clusterSelector,
  jobNameLabel,
  podHostname,
  rankLabel,
} from "../parse/names";
import { configFile, files } from "../parse/paths";
import type { MiniClusterSpec } from "../parse/spec";

/** Host name of the lead broker, as followers reach it. */
export function leadHost(spec: MiniClusterSpec): pulumi.Input<string> {
  return spec.role === "follower" ? spec.lead.address : ownLeadHost(spec);
}

/** Host name of the lead broker of this cluster. */
// A Service with a cluster IP has the name of the single pod behind it, which has no host name.
export const ownLeadHost = (spec: MiniClusterSpec) =>
  spec.flux.minimalService ? brokerDomain(spec) : `${podHostname(spec, 0)}.${brokerDomain(spec)}`;

/** Hosts of the instance with the same form of endpoint, as a Flux hostlist. */
export interface HostEntry {
  host: string;
  /** ZeroMQ endpoint, if it differs from the default, which follows from the host name. */
  connect?: string;
}

/** Every host of the Flux instance, in rank order: a function of `maxSize`, never of `size`. */
export function instanceHosts(spec: MiniClusterSpec): HostEntry[] {
  const { hostlist, clusters } = spec.instance;
  const all = hostlist ?? clusters.map(({ name, hosts }) => hostsOf(name, hosts)).join(",");
  // The host name of the lead broker resolves to its pod, unless it runs elsewhere or behind a Service.
  if (spec.role === "lead" && !spec.flux.minimalService) return [{ host: all }];
  const [lead, followers] = splitFirstHost(all);
  return [{ host: lead, connect: `tcp://${leadEndpoint(spec)}` }, ...(followers === "" ? [] : [{ host: followers }])];
}

/** Placeholder in a configuration for an endpoint that is known only later. */
export const lateEndpoint = "@LEAD_BROKER@";

/** `address:port` of the lead broker. */
export function leadEndpoint(spec: MiniClusterSpec): string {
  if (spec.role === "lead") return `${absoluteName(ownLeadHost(spec))}:${brokerPort}`;
  const { lead } = spec;
  return lead.isLate ? lateEndpoint : `${lead.address}:${lead.port}`;
}

/** True for a cluster whose pods find the address of their lead broker at run time. */
export const hasLateLead = (spec: MiniClusterSpec) => spec.role === "follower" && spec.lead.isLate;

/** The hosts of the instance as one Flux hostlist. */
export const clusterHostlist = (spec: MiniClusterSpec) =>
  instanceHosts(spec)
    .map(({ host }) => host)
    .join(",");

/** Command that opens a shell in the Flux instance, on the lead broker. All commands begin with kubectl and its options. */
export const connectCommand = (spec: MiniClusterSpec, kubectl: string) =>
  execOnLead(spec, kubectl, `bash ${configFile(files.connect)}`);

/** Command that shows jobs and free resources live: flux-top(1) on the lead broker. */
export const topCommand = (spec: MiniClusterSpec, kubectl: string) =>
  execOnLead(spec, kubectl, `bash -c '. ${configFile(files.environment)} && exec flux top "$fluxsocket"'`);

function execOnLead(spec: MiniClusterSpec, kubectl: string, command: string): string {
  const lead = `${kubectl} get pod --namespace ${spec.namespace} --selector ${leadSelector(spec)}`;
  return [
    `${kubectl} exec --stdin --tty --namespace ${spec.namespace}`,
    `$(${lead} --field-selector status.phase=Running --output name)`,
    `--container ${spec.main.name} -- ${command}`,
  ].join(" ");
}

/** Command that follows the lead broker's log: the output of the cluster's command. */
export function logsCommand(spec: MiniClusterSpec, kubectl: string): string {
  return [
    `${kubectl} logs --namespace ${spec.namespace} --selector ${leadSelector(spec)}`,
    `--container ${spec.main.name} --follow --tail -1`,
  ].join(" ");
}

/** Command that shows why pods do not become Ready: the conditions and events of the Job, its pods and what features add to them. */
export function diagnoseCommand(spec: MiniClusterSpec, kubectl: string): string {
  const { diagnosedKinds, diagnosedLogs } = spec.additions;
  const kinds = ["job", ...Object.keys(diagnosedKinds), "pod"].join(",");
  const [[key, value] = []] = Object.entries(clusterSelector(spec));
  const describe = `${kubectl} describe ${kinds} --namespace ${spec.namespace} --selector ${key}=${value}`;
  const logs = Object.keys(diagnosedLogs).map(
    (object) => `${kubectl} logs --namespace ${spec.namespace} ${object} --tail 5`,
  );
  return [describe, ...logs].join(" && ");
}

const leadSelector = ({ name }: MiniClusterSpec) => `${jobNameLabel}=${name},${rankLabel}=0`;
