import * as pulumi from "@pulumi/pulumi";
import { withRenderedResize } from "../core/diagnostics/renderedPatches";
import type { MiniCluster } from "../minicluster/component";
import { childOptions } from "../shared/children";
import type { MiniClusterManifestArgs } from "./args";
import { printNote } from "./problems";
import { readSource } from "./read";
import { type RegisteredCluster, registerClusters } from "./register";

/**
 * The MiniClusters of a manifest of the Flux Operator, each as a `MiniCluster` of this package, without the operator and its
 * CRD. Fields with a different effect are warnings with their lines. The outputs have one entry for each cluster, by its name,
 * or by `<namespace>/<name>` if the manifest has the name twice.
 */
export class MiniClusterManifest extends pulumi.ComponentResource {
  /** Names of the Jobs. Known once the clusters are Ready. */
  readonly jobNames!: pulumi.Output<Record<string, string>>;
  /** Kubernetes namespaces of the clusters. */
  readonly namespaces!: pulumi.Output<Record<string, string>>;
  /** Fully qualified host names of the lead brokers. */
  readonly leadHosts!: pulumi.Output<Record<string, string>>;
  /** Numbers of pods of the clusters. */
  readonly sizes!: pulumi.Output<Record<string, number>>;
  /** Commands that open a shell in the Flux instances. */
  readonly connectCommands!: pulumi.Output<Record<string, string>>;
  /** Commands that follow the logs of the lead brokers. */
  readonly logsCommands!: pulumi.Output<Record<string, string>>;
  /** Commands that show why pods do not start. */
  readonly diagnoseCommands!: pulumi.Output<Record<string, string>>;
  /** Commands that forward a local port to the consoles, for clusters with one. */
  readonly consoleCommands!: pulumi.Output<Record<string, string>>;
  /** Tokens of the users of the consoles, by name, a secret. */
  readonly consoleTokens!: pulumi.Output<Record<string, Record<string, string>>>;
  /** Fields with a different effect than in the operator, each as `file:line:column: path: message`. */
  readonly warnings!: pulumi.Output<string[]>;

  constructor(name: string, args: MiniClusterManifestArgs, opts?: pulumi.ComponentResourceOptions) {
    const { clusters, fileName } = readSource(name, withRenderedResize(args, opts));
    super("minicluster:index:MiniClusterManifest", name, {}, opts);
    const warnings = clusters.flatMap((cluster) => cluster.warnings.map((warning) => printNote(fileName, warning)));
    for (const warning of warnings) void pulumi.log.warn(warning, this).catch(() => undefined);
    const outputs = {
      ...manifestOutputs(registerClusters(name, clusters, childOptions(this, opts))),
      warnings: pulumi.output(warnings),
    };
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/** The outputs of the clusters, by their keys. */
function manifestOutputs(clusters: RegisteredCluster[]) {
  const each = <T>(pick: (cluster: MiniCluster) => pulumi.Output<T | undefined>): pulumi.Output<Record<string, T>> =>
    pulumi
      .all(clusters.map(({ key, cluster }) => pick(cluster).apply((value): [string, T | undefined] => [key, value])))
      .apply((entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined) as [string, T][]));
  return {
    jobNames: each(({ jobName }) => jobName),
    namespaces: each(({ namespace }) => namespace),
    leadHosts: each(({ leadHost }) => leadHost),
    sizes: each(({ size }) => size),
    connectCommands: each(({ connectCommand }) => connectCommand),
    logsCommands: each(({ logsCommand }) => logsCommand),
    diagnoseCommands: each(({ diagnoseCommand }) => diagnoseCommand),
    consoleCommands: each(({ consoleCommand }) => consoleCommand),
    consoleTokens: each(({ consoleTokens }) => consoleTokens),
  };
}
