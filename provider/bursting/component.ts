import * as pulumi from "@pulumi/pulumi";
import { warnOfIgnored } from "../core/diagnostics/ignored";
import { withRenderedResize } from "../core/diagnostics/renderedPatches";
import { admissionRules } from "../core/diagnostics/admission";
import { clusterWarnings } from "../core/parse/warnings";
import { registerCluster } from "../core/register";
import { givenPlace, withNamespace } from "../core/register/place";
import { givenCertificate } from "../core/register/certificate";
import { demandEndpoint, leadEndpoint } from "./diagnostics/lateValues";
import { clusterOutputs } from "../core/register/outputs";
import { childOptions } from "../shared/children";
import type { BurstClusterArgs } from "./args/burstCluster";
import { burstFeatures, parseBurstCluster } from "./cluster";

/**
 * Brokers in another Kubernetes cluster that join the Flux instance of a MiniCluster: an Indexed Job of followers, the
 * Service for their host names, their scripts and configuration, and a copy of the certificate. A change of `size` is
 * made in place, including from and to 0. It depends on the MiniCluster. Set the option `provider` to the Kubernetes
 * provider of the Kubernetes cluster in which it runs.
 */
export class BurstCluster extends pulumi.ComponentResource {
  /** Name of the Job. Known once the condition of `wait` is met. */
  readonly jobName!: pulumi.Output<string>;
  /** Kubernetes namespace of every object. */
  readonly namespace!: pulumi.Output<string>;
  /** Name of the headless Service. */
  readonly serviceName!: pulumi.Output<string>;
  /** Name of the Secret with the curve certificate. */
  readonly secretName!: pulumi.Output<string>;
  /** Hosts of the whole Flux instance in rank order, as a Flux hostlist. */
  readonly hostlist!: pulumi.Output<string>;
  /** Number of pods. With `autoscale`, it is `min`: Pulumi does not record changes by the agent. */
  readonly size!: pulumi.Output<number>;
  /** Largest size without a change of the MiniCluster. */
  readonly maxSize!: pulumi.Output<number>;
  /** Maximum price of its nodes per hour without another update. Only if its pool has a price. */
  readonly largestPricePerHour!: pulumi.Output<number | undefined>;
  /** Command that follows the log of the first broker. */
  readonly logsCommand!: pulumi.Output<string>;
  /** Command that shows why pods do not start. */
  readonly diagnoseCommand!: pulumi.Output<string>;

  constructor(name: string, args: BurstClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const place = givenPlace(args, opts);
    const { spec, sourcePathOf } = parseBurstCluster(
      name,
      withRenderedResize(withNamespace(args, place), opts),
      admissionRules,
    );
    super("minicluster:index:BurstCluster", name, {}, opts);
    warnOfIgnored(this, opts);
    const certificate = givenCertificate(`BurstCluster ${name}: root.certificate`, spec.certificate);
    for (const warning of clusterWarnings(spec)) void pulumi.log.warn(warning, this);
    const registered = registerCluster([{ name, spec, pool: args.pool, sourcePathOf }], {
      ...childOptions(this, opts),
      place,
      root: args.root,
      features: burstFeatures,
      late: { certificate, leadEndpoint: leadEndpoint(name, spec.lead), demandEndpoint: demandEndpoint(name, spec) },
    });
    const { jobName, namespace, serviceName, secretName, ...more } = clusterOutputs(spec, registered, this);
    const { hostlist, size, maxSize, largestPricePerHour, logsCommand, diagnoseCommand } = more;
    const outputs = {
      jobName,
      namespace,
      serviceName,
      secretName,
      hostlist,
      size,
      maxSize,
      largestPricePerHour,
      logsCommand,
      diagnoseCommand,
    };
    Object.assign(this, outputs);
    this.registerOutputs(registered.warned.then(() => outputs));
  }
}
