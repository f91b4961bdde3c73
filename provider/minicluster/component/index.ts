import * as pulumi from "@pulumi/pulumi";
import { admissionRules } from "../../brokers/diagnostics/admission";
import type { BurstPlan, BurstRoot } from "../../brokers/args";
import { buildJobManifests, buildManifests } from "../../brokers/objects";
import { groupJobName } from "../../brokers/parse/names";
import { jobsOf } from "../../brokers/parse/spec";
import { clusterWarnings } from "../../brokers/parse/warnings";
import { registerManifests } from "../../brokers/register";
import { registerAccounts } from "../../brokers/register/console";
import { registerCertificate } from "../../brokers/register/certificate";
import { checkedSourceRanges } from "../../brokers/diagnostics/lateValues";
import { clusterOutputs, consoleOutputs } from "../../brokers/register/outputs";
import { childOptions } from "../../shared/children";
import type { MiniClusterArgs } from "../args";
import { parseMiniClusterArgs } from "../parse";
import { burstOutputs } from "./burstOutputs";

/**
 * A Flux instance in Kubernetes, with no operator: one Indexed Job whose pods are the brokers, the service that names them,
 * their scripts and configuration, and the certificate that they share. A change of `size` reaches the Job in place.
 */
export class MiniCluster extends pulumi.ComponentResource {
  /** Name of the Job. Known once the condition of `wait` is met. */
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
  /** Pods that the cluster runs. With `autoscale` it is `min`: Pulumi does not record the changes of the agent. */
  readonly size!: pulumi.Output<number>;
  /** Largest size that the cluster reaches without being replaced. */
  readonly maxSize!: pulumi.Output<number>;
  /**
   * The most that its nodes may cost for an hour without another preview: one node for each pod of `size` or `autoscale.max`, and with
   * `bursting.place` all hosts of the clusters that join. Only where each of these has a price.
   */
  readonly largestPricePerHour!: pulumi.Output<number | undefined>;
  /** Command that opens a shell in the Flux instance. */
  readonly connectCommand!: pulumi.Output<string>;
  /** Command that shows the jobs of the Flux instance and what is free, as they change (`flux top`). */
  readonly topCommand!: pulumi.Output<string>;
  /** Command that follows the log of the lead broker, with the output of the cluster's command. */
  readonly logsCommand!: pulumi.Output<string>;
  /** Command that shows why pods do not come up. */
  readonly diagnoseCommand!: pulumi.Output<string>;
  /** Command that forwards a local port to the console, which is then at http://localhost and that port. Only with `console`. */
  readonly consoleCommand!: pulumi.Output<string | undefined>;
  /** Token of each user of the console, by name, a secret. Only with `console`. */
  readonly consoleTokens!: pulumi.Output<Record<string, string> | undefined>;
  /**
   * All that a `BurstCluster` needs to join, a secret as a whole: its argument `root` in TypeScript, or an output of the stack for
   * another one. In the first preview other languages cannot read in it, and give the four parts in its place. Only with
   * `bursting`; nothing without it.
   */
  readonly burst!: pulumi.Output<BurstRoot | undefined>;
  /** The hosts of the instance, known in every preview: `root.plan` of a `BurstCluster` in other languages than TypeScript. */
  readonly burstPlan!: pulumi.Output<BurstPlan | undefined>;
  /** IP address or host name at which brokers of other clusters reach the lead broker. */
  readonly burstAddress!: pulumi.Output<string | undefined>;
  /** TCP port there. */
  readonly burstPort!: pulumi.Output<number | undefined>;
  /** The curve certificate of the instance, a secret. */
  readonly burstCertificate!: pulumi.Output<string | undefined>;
  /** TCP port there at which the lead broker's pod reports the demand of the queue. Only with `bursting.expose.demand`. */
  readonly burstDemandPort!: pulumi.Output<number | undefined>;

  constructor(name: string, args: MiniClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseMiniClusterArgs(name, args, admissionRules);
    super("minicluster:index:MiniCluster", name, {}, opts);
    const certificate = registerCertificate(name, spec, this);
    const accounts = registerAccounts(name, spec, this);
    const manifests = buildManifests(spec, {
      certificate,
      consoleUsers: accounts?.data,
      sourceRanges: checkedSourceRanges(spec),
    });
    for (const warning of jobsOf(spec).flatMap(clusterWarnings)) void pulumi.log.warn(warning, this);
    const cluster = { name, spec, manifests };
    const { groups = [] } = spec.role === "lead" ? spec : {};
    const registered = registerManifests(cluster, {
      ...childOptions(this, opts),
      dependsOn: opts?.dependsOn,
      pool: groups.length > 0 ? args.lead?.pool : args.pool,
      groups: groups.map((group) => ({
        name: groupJobName({ name }, group.group),
        spec: group,
        manifests: buildJobManifests(group, { certificate }),
        pool: args.groups?.[group.group]?.pool ?? args.pool,
      })),
    });
    const outputs = {
      ...clusterOutputs(spec, registered, this),
      ...consoleOutputs(spec, accounts, this),
      ...burstOutputs(spec, certificate.text, registered),
    };
    Object.assign(this, outputs);
    this.registerOutputs(registered.warned.then(() => outputs));
  }
}
