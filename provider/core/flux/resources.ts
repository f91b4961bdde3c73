import { hostlist } from "../parse/hostlist";
import type { InstanceCluster } from "../parse/instance";
import { sharedPaths } from "../parse/paths";
import type { MiniClusterSpec, Settings } from "../parse/spec";
import { brokerPaths, describesHosts, idset, writesResources } from "./brokerConfig";
import { clusterHostlist } from "./hosts";

/**
 * Settings of the description of the hosts (flux-R(1)), which a script writes if the brokers' configuration has none: before and
 * after the user's code, which may describe other hosts, or once if there is no such code.
 */
export function describeSettings(spec: MiniClusterSpec): Settings {
  if (describesHosts(spec)) return { DESCRIBE: "" };
  const { resources } = brokerPaths(spec.flux);
  const groups = encodedGroups(spec);
  const described = {
    DESCRIBE: hasCode(spec) ? "around-code" : "once",
    RESOURCES: resources,
    APPEND: groups.some((words) => words.some((word) => word.startsWith("--ranks="))),
    ENCODE: groups.flatMap((words) => [...words, ";"]),
  };
  if (!hasCode(spec)) return described;
  const counted = writesResources(spec) && spec.instance.hostlist === undefined;
  return {
    ...described,
    HOSTS: clusterHostlist(spec),
    HOSTLIST: sharedPaths(spec.flux.container).hostlist,
    HOST_COUNT: counted ? spec.instance.clusters.reduce((sum, { hosts }) => sum + hosts, 0) : "",
  };
}

/** True if code of the user runs before the broker. */
function hasCode({ main: { commands } }: MiniClusterSpec): boolean {
  const { pre, brokerPre, workerPre } = commands;
  return [pre, brokerPre, workerPre].some((code) => code !== undefined);
}

/** Words of `flux R encode`: for all hosts, or for each cluster of the instance, whose descriptions are appended. */
function encodedGroups(spec: MiniClusterSpec): string[][] {
  const { clusters } = spec.instance;
  const isPlain = clusters.every(({ properties, hardware }) => properties.length === 0 && !hardware);
  if (spec.flux.brokerConfig || isPlain) return [[`--hosts=${clusterHostlist(spec)}`, "--local"]];
  const firsts = clusters.map((_, index) => clusters.slice(0, index).reduce((sum, { hosts }) => sum + hosts, 0));
  return clusters.map((cluster, index) => encodeWords(cluster, firsts[index] ?? 0));
}

function encodeWords({ name, hosts, hardware, properties }: InstanceCluster, first: number): string[] {
  return [
    `--ranks=${idset(first, hosts)}`,
    `--hosts=${hostlist(name, hosts)}`,
    ...(hardware ? [`--cores=${idset(0, hardware.cores)}`] : ["--local"]),
    ...(hardware && hardware.gpus > 0 ? [`--gpus=${idset(0, hardware.gpus)}`] : []),
    ...properties.map((property) => `--property=${property}`),
  ];
}
