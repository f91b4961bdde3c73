import { joiningHosts } from "../../bursting/parse/spec";
import { MiniClusterRestartPolicy } from "../../core/args";
import { launchMode } from "../../core/parse/container";
import type { FeatureRules } from "../../core/parse/featureRules";
import { withFeatures } from "../../core/parse/featureRules";
import { joinsClusters } from "../../core/parse/flux";
import { hostHardware, buildInstanceSpec } from "../../core/parse/instance";
import { maxSizeOf, initialSizeOf } from "../../core/parse/sizes";
import { type BrokerPodsSpec, type MiniClusterSpec, noAdditions, buildBrokerPodsSpec } from "../../core/parse/spec";
import { mergedResources } from "../../core/pool/parse/givenRequests";
import type { WorkersFields } from "../../groups/fields";
import { withGroups } from "../../groups/spec";
import type { ClusterFields } from "./fields";

/** The parsed arguments of a whole cluster and of each of its Jobs. */
export interface ParsedJobs {
  cluster: ClusterFields;
  lead: ClusterFields;
  workers: WorkersFields[];
}

/** The spec of a MiniCluster. */
export function buildClusterSpec(
  { cluster, lead, workers }: ParsedJobs,
  features: readonly FeatureRules[],
): MiniClusterSpec {
  const spec = buildLeadJobSpec(lead, workers.length === 0);
  if (workers.length === 0) return withFeatures(spec, lead, features);
  if (spec.role === "follower")
    throw new Error("the cluster has groups and joins another lead broker, although a rule rejects this");
  const { groups, ...withWorkers } = withGroups(spec, workers, cluster.groups !== undefined);
  const built = groups.map((group, index) => withFeatures(group, workers[index] ?? {}, features));
  return withFeatures({ ...withWorkers, groups: built }, lead, features);
}

/** The spec of the Job with the lead broker, or of a Job that joins a lead broker in the form of the Flux Operator. */
function buildLeadJobSpec(fields: ClusterFields, runsJobs: boolean): MiniClusterSpec {
  const { flux, suspend, bursting, minSize, tasks, wait, cleanup, retryCommand, autoscale } = fields;
  const isFlat = flux.minimalService || bursting !== undefined || joinsClusters(flux.bursting);
  const pods = buildBrokerPodsSpec(fields, isFlat);
  const { leadBroker } = flux.bursting ?? {};
  const ofPool = fields.pool && hostHardware(fields.pool, mergedResources(pods.main, fields.podTemplate));
  const hardware = runsJobs ? ofPool : undefined;
  const common: BrokerPodsSpec = {
    ...pods,
    cluster: fields.name,
    size: initialSizeOf(fields),
    maxSize: maxSizeOf(fields),
    hasMaxSize: fields.maxSize !== undefined || leadBroker !== undefined,
    wait,
    cleanup,
    instance: buildInstanceSpec(fields, maxSizeOf(fields), hardware, joiningHosts(bursting, hardware)),
    suspend: suspend ?? false,
    suspendsAtZero: false,
    features: {},
    additions: noAdditions(),
  };
  const mode = launchMode(pods.main);
  // Without a command, a broker that fails is replaced. With "OnFailure", the kubelet restarts every container.
  const restarts = mode === "interactive" || pods.pod.restartPolicy === MiniClusterRestartPolicy.OnFailure;
  if (leadBroker) return { ...common, role: "follower", lead: { isLate: false, ...leadBroker } };
  return {
    ...common,
    role: "lead",
    mode,
    groups: [],
    minSize,
    tasks,
    retryCommand: retryCommand ?? restarts,
    autoscale,
  };
}
