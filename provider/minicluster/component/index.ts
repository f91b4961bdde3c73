import * as pulumi from "@pulumi/pulumi";
import type { BurstRoot } from "../../bursting/args";
import { noBurst } from "../../bursting/register/outputs";
import { admissionRules } from "../../core/diagnostics/admission";
import { warnOfIgnored } from "../../core/diagnostics/ignored";
import { withRenderedResize } from "../../core/diagnostics/renderedPatches";
import type { GroupSpec, MiniClusterSpec } from "../../core/parse/spec";
import { registerCluster } from "../../core/register";
import { registerCertificate } from "../../core/register/certificate";
import { givenPlace, withNamespace } from "../../core/register/place";
import { registerValues } from "../../core/register/feature";
import { clusterOutputs } from "../../core/register/outputs";
import type { MiniClusterForecast } from "../../forecast/args";
import { groupJobName } from "../../groups/names";
import { childOptions } from "../../shared/children";
import { withoutEmpty } from "../../shared/objects";
import type { ClusterArgs } from "../args";
import { clusterParser } from "../cluster";
import features, { type FeatureArgs } from "../features";

/**
 * A Flux instance in Kubernetes: one lead broker and its followers, as the pods of one Indexed Job, or of several with `lead`
 * and `groups`.
 */
export interface MiniClusterArgs extends ClusterArgs, FeatureArgs {}

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
   * Values that a `BurstCluster` needs to join, together a secret: its argument `root`, in this program or in another stack. Only
   * with `bursting`.
   */
  readonly burst!: pulumi.Output<BurstRoot | undefined>;
  /**
   * What the update does to the jobs that wait: when the queue ends before and after the change. Its `status` is "unchanged" if the
   * update changes nothing that the queue can use.
   */
  readonly forecast!: pulumi.Output<MiniClusterForecast>;

  constructor(name: string, args: MiniClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const place = givenPlace(args, opts);
    const { spec, jobs } = clusterParser.parse(
      name,
      withRenderedResize(withNamespace(args, place), opts),
      admissionRules,
    );
    super("minicluster:index:MiniCluster", name, {}, opts);
    const certificate = registerCertificate(name, spec, this);
    const late = { certificate, ...registerValues(features, name, spec, this) };
    warnOfIgnored(this, opts);
    for (const job of jobs) for (const warning of clusterParser.warnings(job.spec)) void pulumi.log.warn(warning, this);
    const [lead, first = lead] = jobs;
    workers.set(this, withoutEmpty({ image: first.spec.main.image, machineType: first.spec.pool?.machineType }));
    const registered = registerCluster(
      [{ ...lead, name }, ...jobs.slice(1).map((job) => ({ ...job, name: groupJobName({ name }, groupOf(job.spec)) }))],
      {
        ...childOptions(this, opts),
        place,
        features,
        late,
      },
    );
    const outputs = {
      ...clusterOutputs(spec, registered, this),
      consoleCommand: pulumi.output(undefined),
      consoleTokens: pulumi.output(undefined),
      burst: noBurst(),
      ...(Object.assign({}, ...registered.features.map((feature) => feature.outputs?.(registered, this))) as object),
    };
    Object.assign(this, outputs);
    this.registerOutputs(registered.warned.then(() => outputs));
  }
}

/** Name of the group of a Job of workers. */
const groupOf = (spec: MiniClusterSpec) => (spec as GroupSpec).group;
