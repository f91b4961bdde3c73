import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "./args";
import { buildManifests } from "./manifests";
import { clusterOutputs } from "./outputs";
import { registerCertificate, registerManifests } from "./register";
import { parseMiniClusterArgs } from "./spec";
import { clusterWarnings } from "./warnings";

/**
 * A Flux instance in Kubernetes, with no operator: one Indexed Job whose pods are the brokers, the service that names them,
 * their scripts and configuration, and the certificate that they share. A change of `size` reaches the Job in place.
 */
export class MiniCluster extends pulumi.ComponentResource {
  /** Name of the Job. Known once the cluster is what `wait` asks for. */
  readonly jobName!: pulumi.Output<string>;
  /** Kubernetes namespace of every object. */
  readonly namespace!: pulumi.Output<string>;
  /** Name of the headless service. */
  readonly serviceName!: pulumi.Output<string>;
  /** Name of the Secret that holds the curve certificate. */
  readonly secretName!: pulumi.Output<string>;
  /** Fully qualified host name of the lead broker. */
  readonly leadHost!: pulumi.Output<string>;
  /** Hosts of the Flux instance in rank order, up to `maxSize`, as a Flux hostlist. */
  readonly hostlist!: pulumi.Output<string>;
  /** Pods that the cluster runs. */
  readonly size!: pulumi.Output<number>;
  /** Largest size that the cluster reaches without being replaced. */
  readonly maxSize!: pulumi.Output<number>;
  /** Command that opens a shell in the Flux instance. */
  readonly connectCommand!: pulumi.Output<string>;
  /** Command that follows the log of the lead broker, with the output of the cluster's command. */
  readonly logsCommand!: pulumi.Output<string>;
  /** Command that shows why pods do not come up. */
  readonly diagnoseCommand!: pulumi.Output<string>;

  constructor(name: string, args: MiniClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseMiniClusterArgs(name, args);
    super("minicluster:index:MiniCluster", name, {}, opts);
    const manifests = buildManifests(spec, registerCertificate(name, spec, this));
    for (const warning of clusterWarnings(spec)) void pulumi.log.warn(warning, this);
    const registered = registerManifests(name, spec, manifests, { parent: this, pool: args.pool });
    const outputs = clusterOutputs(spec, registered, this);
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}
