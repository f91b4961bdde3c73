import { z } from "zod";
import { burstAutoscale } from "../../autoscale/fields";
import { largestPrice, nodesOfJob, priceRule } from "../../budget/maxPriceRule";
import { consoleOfLead } from "../../console/rules";
import { nameFields, nameRule } from "../../core/parse/clusterRules";
import { volumesRule } from "../../core/parse/containerRules";
import { listContainer } from "../../core/parse/containerArgs";
import { type FeatureRules, jobSchema, normalized, withFeatures } from "../../core/parse/featureRules";
import { brokerPodsFields } from "../../core/parse/fields";
import { fluxContainerFields, fluxFields } from "../../core/parse/flux";
import type { InstanceSpec } from "../../core/parse/instance";
import { maxPods } from "../../core/parse/names";
import { inOrder } from "../../core/parse/order";
import { podsRules } from "../../core/parse/podsRules";
import { templateMountsRule } from "../../core/parse/podTemplateRules";
import {
  ownServiceFields,
  ownServicesOf,
  sidecarServiceFields,
  sidecarServiceRule,
} from "../../core/parse/serviceRules";
import { sizeFields, suspension } from "../../core/parse/sizes";
import { buildBrokerPodsSpec, type FollowerSpec, noAdditions } from "../../core/parse/spec";
import { countRule, podCountFields } from "../../core/pool/parse/rules";
import type { GangFields } from "../../gang/fields";
import { queuedAtZeroRule } from "../../gang/rules";
import { metricsOfLead } from "../../metrics/rules";
import { choice, integer, object, unsupported } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import { issuesOf } from "../../shared/errors";
import { type Picked, type Rule, ruleOn, sourcePath } from "../../shared/rules";
import type { BurstPlanCluster } from "../args";
import { BurstClusterWait } from "../args/burstCluster";
import { commandFields, noCommandRule } from "./operatorRules";
import { joiningMaxSizeOf, joiningSizeOf } from "./joiningSizes";
import { type PlanFields, root, type RootFields } from "./root";

const leadOnly = "is set in the cluster with the lead broker; remove it here";

/** Settings of the brokers of a burst. Settings that its home determines are rejected, with the alternative. */
const flux = object({
  ...fluxFields,
  container: object({
    ...fluxContainerFields,
    mountPath: unsupported(
      fluxContainerFields.mountPath,
      "is set by the MiniCluster, whose configuration all brokers use; remove it",
    ),
  }).prefault({}),
  completeWorkers: unsupported(
    fluxFields.completeWorkers,
    "would end the whole Job when its first broker ends; remove it",
  ),
  submitCommand: unsupported(fluxFields.submitCommand, leadOnly),
  optionFlags: unsupported(fluxFields.optionFlags, leadOnly),
  topology: unsupported(
    fluxFields.topology,
    "must be flat, because brokers of another cluster can connect only to the lead broker; remove it",
  ),
  disableSocket: unsupported(
    fluxFields.disableSocket,
    "Flux's default socket is named after the rank in the instance, which these pods do not know; remove it",
  ),
  scheduler: unsupported(fluxFields.scheduler, leadOnly),
  curveCert: unsupported(
    fluxFields.curveCert,
    "is the same for all brokers of the instance, in root.certificate; remove it",
  ),
  brokerConfig: unsupported(fluxFields.brokerConfig, "is generated from root.plan; remove it"),
  bursting: unsupported(fluxFields.bursting, "is the operator's form of root; remove it and set root"),
});

/** An argument of a cluster with the lead broker. */
const refused = (reason: string) => unsupported(z.undefined(), reason);

const ownFields = {
  ...brokerPodsFields,
  flux: flux.prefault({}),
  root,
  size: integer(0, maxPods).optional(),
  autoscale: burstAutoscale.optional(),
  wait: choice(BurstClusterWait).default(BurstClusterWait.Ready),
  maxSize: refused("is set in bursting.clusters of the MiniCluster; change it there"),
  minSize: refused(leadOnly),
  tasks: refused(leadOnly),
  interactive: refused(leadOnly),
  bursting: refused("is for the cluster with the lead broker; remove it here"),
  suspend: refused("set size to 0 instead, which suspends the Job"),
  cleanup: refused("requires a Job that ends, and brokers that join keep running; remove it"),
  archive: refused(leadOnly),
  metrics: refused(metricsOfLead),
  console: refused(consoleOfLead),
};

interface BurstClusterFields extends z.output<ReturnType<typeof object<typeof ownFields>>> {
  gang: GangFields;
  maxPricePerHour?: number;
}

// A plan of another version is reported as a single problem.
const placeFields = ["name", "root.plan.version", "root.plan.clusters"] as const;

type PlaceFields = Picked<BurstClusterFields, (typeof placeFields)[number]>;

/** The bursts of a plan. The first cluster of a plan is the home, and its groups are next. */
const joiningOf = ({ clusters }: PlaceFields["root"]["plan"]): BurstPlanCluster[] =>
  clusters.slice(1).filter(({ group }) => group === undefined);

/** This cluster in the plan. */
const planClusterOf = ({ name, root: { plan } }: PlaceFields): BurstPlanCluster | undefined =>
  joiningOf(plan).find((cluster) => cluster.name === name);

const burstMaxSizeOf = (own: PlaceFields) => joiningMaxSizeOf(planClusterOf(own));

const burstSizeOf = (own: PlaceFields & Picked<BurstClusterFields, (typeof sizeFields)[number]>) =>
  joiningSizeOf(own, () => planClusterOf(own));

const pricedFields = ["pool", "autoscale", ...sizeFields, ...placeFields] as const;

/** The nodes of the cluster: as many as its agent may set, or its size. */
function pricedNodes(own: Picked<BurstClusterFields, (typeof pricedFields)[number]>) {
  const { name, pool, autoscale } = own;
  return [nodesOfJob(name, autoscale ? (autoscale.max ?? burstMaxSizeOf(own)) : burstSizeOf(own), pool)];
}

const rule = ruleOn<BurstClusterFields>();

const burstClusterRules: Rule<BurstClusterFields>[] = [
  rule(placeFields, ({ name, root }, addIssue) => {
    const joining = joiningOf(root.plan).map((cluster) => cluster.name);
    if (joining.includes(name)) return;
    const taken = root.plan.clusters.find((cluster) => cluster.name === name);
    const holder = taken?.group === undefined ? "the MiniCluster" : "a group of the MiniCluster";
    addIssue(
      ["name"],
      taken
        ? `"${name}" is the name of ${holder}; use a name in its bursting.clusters: ${joining.join(", ")}`
        : `"${name}" is not in bursting.clusters of the MiniCluster: ${joining.join(", ")}; add it there, or rename this cluster`,
    );
  }),
  rule(["size", ...placeFields], (own, addIssue) => {
    const { size } = own;
    const { maxSize } = planClusterOf(own) ?? {};
    if (size !== undefined && maxSize !== undefined && size > maxSize)
      addIssue(
        ["size"],
        `size ${size} is above maxSize ${maxSize} in bursting.clusters of the MiniCluster; lower it, or raise maxSize there`,
      );
  }),
  rule(["gang.queueName", ...sizeFields, ...placeFields], (own, addIssue) =>
    queuedAtZeroRule(own, burstSizeOf(own), addIssue),
  ),
  rule(["gang.native?"], ({ gang }, addIssue) => {
    if (gang.native)
      addIssue(
        ["gang", "native"],
        "is for the start of a whole instance, and brokers that join start separately; remove it",
      );
  }),
  rule(["autoscale.min", "autoscale.max", ...placeFields], (own, addIssue) => {
    if (!own.autoscale) return;
    const { min, max } = own.autoscale;
    const { maxSize = Infinity } = planClusterOf(own) ?? {};
    const [key, bound] = max === undefined ? ["min", min] : ["max", max];
    if (bound > maxSize)
      addIssue(
        ["autoscale", key],
        `${key} ${bound} is above maxSize ${maxSize} in bursting.clusters of the MiniCluster; lower it, or raise maxSize there`,
      );
  }),
  rule(["autoscale?", "root.demandPort"], ({ autoscale, root }, addIssue) => {
    if (autoscale && root.demandPort === undefined)
      addIssue(
        ["autoscale"],
        "the MiniCluster does not serve the demand of its queue; set bursting.expose.demand there, and also root.demandPort if " +
          "root is set by its parts",
      );
  }),
  rule([...nameFields, ...placeFields], (own, addIssue) => nameRule(own, burstMaxSizeOf(own), addIssue)),
  rule([...podCountFields, ...sizeFields, ...placeFields], (own, addIssue) => {
    const { maxSize } = planClusterOf(own) ?? {};
    const size = burstSizeOf(own);
    if (maxSize === undefined || size > maxSize) return;
    const lower = "lower maxSize in bursting.clusters of the MiniCluster";
    countRule(
      own,
      { size, maxSize, isSuspended: size === 0, largest: { path: ["pool"], named: "maxSize", lower } },
      addIssue,
    );
  }),
  rule(["maxPricePerHour", ...pricedFields], (own, addIssue) =>
    priceRule(own.maxPricePerHour, pricedNodes(own), addIssue),
  ),
  rule(commandFields, noCommandRule),
  rule([...sidecarServiceFields, ...ownServiceFields], (own, addIssue) =>
    sidecarServiceRule(own, ownServicesOf(own), addIssue),
  ),
];

const fluxVolumeRules = [
  rule(["root.plan.version", "root.plan.mountPath", "containers[].volumes[]"], (own, addIssue) =>
    volumesRule(own, own.root.plan.mountPath, addIssue),
  ),
  rule(["root.plan.version", "root.plan.mountPath", "podTemplate"], (own, addIssue) =>
    templateMountsRule(own, own.root.plan.mountPath, addIssue),
  ),
];

/** A BurstCluster with every argument checked and every default set. */
export interface BurstClusterSpec extends FollowerSpec {
  /** The certificate of the instance. */
  certificate: RootFields["certificate"];
}

/** A parsed BurstCluster. */
export interface ParsedBurst {
  spec: BurstClusterSpec;
  /** The argument behind a path of the arguments in the form that the rules expect. */
  sourcePathOf: (path: PropertyKey[]) => PropertyKey[];
}

/** The schema of a BurstCluster with some features. */
export function burstSchemaOf(features: readonly FeatureRules[]): z.ZodType<ParsedBurst> {
  const schema = jobSchema<BurstClusterFields>(
    ownFields,
    [...burstClusterRules, ...podsRules, ...fluxVolumeRules],
    features,
  );
  return z.unknown().transform((given, context) => {
    const { args, moved } = isPlainObject(given)
      ? normalized(listContainer(given), features)
      : { args: given, moved: [] };
    const { error, data } = schema.safeParse(args, { jitless: true });
    for (const { path, message } of error ? issuesOf(error) : [])
      context.addIssue({ code: "custom", path: sourcePath(moved, path), message, input: given });
    if (error) return z.NEVER;
    return {
      spec: buildSpec(inOrder(data), features),
      sourcePathOf: (path: PropertyKey[]) => sourcePath(moved, path),
    };
  });
}

function buildSpec(own: BurstClusterFields, features: readonly FeatureRules[]): BurstClusterSpec {
  const { plan, address, port, certificate, demandPort } = own.root;
  const pods = buildBrokerPodsSpec(own, true);
  const { mountPath } = plan;
  const spec: BurstClusterSpec = {
    ...pods,
    flux: { ...pods.flux, container: { ...pods.flux.container, mountPath } },
    cluster: own.name,
    role: "follower",
    lead: { isLate: true, address, port, demandPort },
    size: burstSizeOf(own),
    maxSize: burstMaxSizeOf(own),
    autoscale: own.autoscale && { ...own.autoscale, max: own.autoscale.max ?? burstMaxSizeOf(own) },
    instance: planInstance(plan),
    wait: own.wait,
    hasMaxSize: true,
    ...suspension(burstSizeOf(own)),
    cleanup: false,
    certificate,
    largestPricePerHour: largestPrice(pricedNodes(own)),
    features: {},
    additions: noAdditions(),
  };
  return withFeatures(spec, own, features);
}

/** The instance of a plan. */
export const planInstance = ({ clusters, spanClusters }: PlanFields): InstanceSpec => ({
  clusters: clusters.map(({ name, group, maxSize, properties, cores, gpus }, index) => ({
    name,
    queue: group,
    hosts: maxSize,
    properties,
    // The host of a lead broker with groups runs no jobs.
    isExcluded: index === 0 && clusters.some((cluster) => cluster.group !== undefined),
    ...(cores !== undefined && { hardware: { cores, gpus: gpus ?? 0 } }),
  })),
  hasQueues: !spanClusters,
});
