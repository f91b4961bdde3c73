import * as pulumi from "@pulumi/pulumi";
import { warnOfIgnored } from "../../brokers/diagnostics/ignored";
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
import { withoutEmpty } from "../../shared/objects";
import type { MiniClusterArgs } from "../args";
import { originsInJobs, parseMiniClusterArgs } from "../parse";
import { burstOutputs } from "./burstOutputs";

const workers = new WeakMap<object, { image?: pulumi.Input<string>; machineType?: string }>();

/**
 * Image and machine type of the workers of a MiniCluster that run jobs of the default queue. Only for a MiniCluster of
 * the same program.
 */
export const workersOf = (cluster: unknown) =>
  typeof cluster === "object" && cluster !== null ? workers.get(cluster) : undefined;

/**
 * A Flux instance in Kubernetes without an operator: an Indexed Job whose pods are the brokers, the Service for their host
 * names, their scripts and configuration, and their shared certificate. A change of `size` is made in place.
 */
export class MiniCluster extends pulumi.ComponentResource {
  /** Name of the Job. Known once the condition of `wait` is met. */
  readonly jobName!: pulumi.Output<string>;
  /** Kubernetes namespace of every object. */
  readonly namespace!: pulumi.Output<string>;
  /** Name of the headless Service. */
  readonly serviceName!: pulumi.Output<string>;
  /** Name of the Secret with the curve certificate. */
  readonly secretName!: pulumi.Output<string>;
  /** Fully qualified host name of the lead broker. */
  readonly leadHost!: pulumi.Output<string>;
  /** Hosts of the Flux instance in rank order, up to `maxSize`, as a Flux hostlist. */
  readonly hostlist!: pulumi.Output<string>;
  /** Number of pods. With `autoscale`, it is `min`: Pulumi does not record changes by the agent. */
  readonly size!: pulumi.Output<number>;
  /** Largest size without a replacement of the cluster. */
  readonly maxSize!: pulumi.Output<number>;
  /**
   * Maximum price of its nodes per hour without another update: one node for each pod of `size` or `autoscale.max`, and with
   * `bursting.place` all hosts of the clusters that join. Only if all of these have a price.
   */
  readonly largestPricePerHour!: pulumi.Output<number | undefined>;
  /** Command that opens a shell in the Flux instance. */
  readonly connectCommand!: pulumi.Output<string>;
  /** Command that shows the jobs and the free resources of the Flux instance live (`flux top`). */
  readonly topCommand!: pulumi.Output<string>;
  /** Command that follows the log of the lead broker, with the output of the cluster's command. */
  readonly logsCommand!: pulumi.Output<string>;
  /** Command that shows why pods do not start. */
  readonly diagnoseCommand!: pulumi.Output<string>;
  /**
   * Command that forwards a local port to the console, whose address is then http://localhost with this port. Only with
   * `console`.
   */
  readonly consoleCommand!: pulumi.Output<string | undefined>;
  /** Token of each user of the console, by name, a secret. Only with `console`. */
  readonly consoleTokens!: pulumi.Output<Record<string, string> | undefined>;
  /**
   * Values that a `BurstCluster` needs to join, together a secret: the value of its argument `root` in TypeScript, or an output for
   * another stack. Other languages cannot read its fields in the first preview, and use the four separate outputs instead. Only
   * with `bursting`.
   */
  readonly burst!: pulumi.Output<BurstRoot | undefined>;
  /** The hosts of the instance, known in every preview: `root.plan` of a `BurstCluster` in languages other than TypeScript. */
  readonly burstPlan!: pulumi.Output<BurstPlan | undefined>;
  /** IP address or host name of the lead broker for brokers of other clusters. */
  readonly burstAddress!: pulumi.Output<string | undefined>;
  /** TCP port of the lead broker for brokers of other clusters. */
  readonly burstPort!: pulumi.Output<number | undefined>;
  /** The curve certificate of the instance, a secret. */
  readonly burstCertificate!: pulumi.Output<string | undefined>;
  /** TCP port at which the lead broker's pod reports the demand of the queue. Only with `bursting.expose.demand`. */
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
    warnOfIgnored(this, opts);
    for (const warning of jobsOf(spec).flatMap(clusterWarnings)) void pulumi.log.warn(warning, this);
    const cluster = { name, spec, manifests };
    const [lead, first = lead] = jobsOf(spec);
    workers.set(this, withoutEmpty({ image: first?.main.image, machineType: first?.pool?.machineType }));
    const { groups = [] } = spec.role === "lead" ? spec : {};
    const registered = registerManifests(cluster, {
      ...childOptions(this, opts),
      given: { namespace: args.namespace, dependsOn: opts?.dependsOn },
      pool: groups.length > 0 ? args.lead?.pool : args.pool,
      originOf: originsInJobs(args),
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
