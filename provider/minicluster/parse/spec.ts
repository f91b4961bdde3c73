import { joiningHosts } from "../../bursting/parse/spec";
import { launchMode } from "../../core/parse/container";
import type { FeatureRules } from "../../core/parse/feature";
import { withFeatures } from "../../core/parse/feature";
import { joinsClusters } from "../../core/parse/flux";
import { hostHardware, settleInstance } from "../../core/parse/instance";
import { maxSizeOf, sizeOf } from "../../core/parse/sizes";
import { type BrokerPodsSpec, type MiniClusterSpec, noAdditions, settlePods } from "../../core/parse/spec";
import { mergedResources } from "../../core/pool/parse/requests";
import type { WorkersFields } from "../../groups/fields";
import { withGroups } from "../../groups/spec";
import type { ClusterFields } from "./fields";

/** The parsed arguments of a cluster: of the whole, and of each of its Jobs. */
export interface ParsedJobs {
  cluster: ClusterFields;
  lead: ClusterFields;
  workers: WorkersFields[];
}

/** The spec of a MiniCluster. */
export function settleCluster(
  { cluster, lead, workers }: ParsedJobs,
  features: readonly FeatureRules[],
): MiniClusterSpec {
  const spec = settleLeadJob(lead, workers.length === 0);
  if (workers.length === 0) return withFeatures(spec, lead, features);
  if (spec.role === "follower") throw new Error("the rules let no cluster through that has and joins a lead broker");
  const { groups, ...withWorkers } = withGroups(spec, workers, cluster.groups !== undefined);
  const settled = groups.map((group, index) => withFeatures(group, workers[index] ?? {}, features));
  return withFeatures({ ...withWorkers, groups: settled }, lead, features);
}

/** The spec of the Job with the lead broker, or of a Job that joins one in the form of the Flux Operator. */
function settleLeadJob(fields: ClusterFields, runsJobs: boolean): MiniClusterSpec {
  const { flux, suspend, bursting, minSize, tasks, wait, cleanup, retryCommand, autoscale } = fields;
  const isFlat = flux.minimalService || bursting !== undefined || joinsClusters(flux.bursting);
  const pods = settlePods(fields, isFlat);
  const { leadBroker } = flux.bursting ?? {};
  const ofPool = fields.pool && hostHardware(fields.pool, mergedResources(pods.main, fields.podTemplate));
  const hardware = runsJobs ? ofPool : undefined;
  const common: BrokerPodsSpec = {
    ...pods,
    cluster: fields.name,
    size: sizeOf(fields),
    maxSize: maxSizeOf(fields),
    wait,
    cleanup,
    instance: settleInstance(fields, maxSizeOf(fields), hardware, joiningHosts(bursting, hardware)),
    suspend: suspend ?? false,
    suspendsAtZero: false,
    features: {},
    additions: noAdditions(),
  };
  if (leadBroker) return { ...common, role: "follower", lead: { isLate: false, ...leadBroker } };
  return {
    ...common,
    role: "lead",
    mode: launchMode(fields.interactive, pods.main),
    hasMaxSize: fields.maxSize !== undefined,
    groups: [],
    minSize,
    tasks,
    retryCommand,
    autoscale,
  };
}
