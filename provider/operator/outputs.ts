import * as pulumi from "@pulumi/pulumi";
import type { MiniCluster } from "../minicluster/miniCluster";
import type { RegisteredCluster } from "./register";

/** What the clusters of a manifest tell the program that made them, by their keys. */
export function manifestOutputs(clusters: RegisteredCluster[]) {
  const each = <T>(pick: (cluster: MiniCluster) => pulumi.Output<T>): pulumi.Output<Record<string, T>> =>
    pulumi
      .all(clusters.map(({ key, cluster }) => pick(cluster).apply((value): [string, T] => [key, value])))
      .apply((entries) => Object.fromEntries(entries as [string, T][]));
  return {
    jobNames: each(({ jobName }) => jobName),
    namespaces: each(({ namespace }) => namespace),
    leadHosts: each(({ leadHost }) => leadHost),
    sizes: each(({ size }) => size),
    connectCommands: each(({ connectCommand }) => connectCommand),
    logsCommands: each(({ logsCommand }) => logsCommand),
    diagnoseCommands: each(({ diagnoseCommand }) => diagnoseCommand),
  };
}
