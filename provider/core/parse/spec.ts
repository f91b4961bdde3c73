import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterArch } from "../../clouds/nodes/args";
import {
  type MiniClusterContainerArgs,
  MiniClusterMatchPolicy,
  MiniClusterPullPolicy,
  MiniClusterQueuePolicy,
  MiniClusterResize,
  MiniClusterWait,
} from "../args";
import type { AutoscaleSpec } from "../../autoscale/fields";
import type { BurstingFields } from "../../bursting/parse/fields";
import { type ContainerFields, type LaunchMode, launchMode, runsFlux, settleVolume } from "./container";
import type { MiniClusterFields } from "../../minicluster/parse/fields";
import { type BrokerPodsFields, drainTimeoutOf } from "./fields";
import { joinsClusters } from "./flux";
import { isElastic, type PodGroupSpec, settlePodGroup } from "../../gang/rules";
import { hostHardware, type InstanceSpec, settleInstance } from "./instance";
import type { ConsoleSpec } from "../../console/fields";
import type { MetricsSpec } from "../../metrics/fields";
import { headlessServiceName } from "./names";
import type { StorageSpec } from "../../storage/fields";
import { bindContainer, bindPod } from "../pool/parse/bind";
import { fillsNode } from "../pool/parse/fillsNode";
import { mergedResources } from "../pool/parse/requests";
import { type RequeueSpec, settleRequeue } from "../../requeue/fields";
import { isRestricted, restrictContainer, restrictPod } from "./restricted";
import { settleEscalation } from "./security";
import { maxSizeOf, sizeOf } from "./sizes";

/** A container with every default set. */
export interface ContainerSpec extends ReturnType<typeof settleContainer> {
  /** Its index in the argument's list. */
  index: number;
}

/** The pods of a cluster, whether it has the lead broker or joins one: the input of the builders. */
export interface BrokerPodsSpec extends ReturnType<typeof settlePods> {
  /** Name of the MiniCluster whose Service, Secret and labels the pods have: their own, unless they are a group of another one. */
  cluster: string;
  /** Pods that the cluster runs. */
  size: number;
  /** Its hosts in the instance. */
  maxSize: number;
  /** The Flux instance that it belongs to. */
  instance: InstanceSpec;
  wait: MiniClusterWait;
  /** True for a suspended Job. Nothing if Kueue sets the field itself. */
  suspend: boolean | undefined;
  /** True where a size of 0 suspends the Job. */
  suspendsAtZero: boolean;
  cleanup: boolean;
  /** Size that follows the queue. */
  autoscale?: AutoscaleSpec;
  /** The Kubernetes gang of the pods. */
  podGroup?: PodGroupSpec;
  /** Labels of nodes that the pods beside the workers avoid, because a pool of workers may have no nodes at rest. */
  avoidedNodes?: Record<string, string[]>;
  /** The maximum price of its nodes per hour without another preview, if all prices are known. */
  largestPricePerHour?: number;
}

/** A cluster with the lead broker. */
export interface LeadSpec extends BrokerPodsSpec {
  role: "lead";
  mode: LaunchMode;
  /** True if the hosts of the instance do not depend on the size: a resize up to `maxSize` is then in place. */
  hasMaxSize: boolean;
  /** Groups of workers, each a separate Job. Without any the pods of this Job run the jobs. */
  groups: GroupSpec[];
  /** Brokers that must be online before the command runs. Default: the size when the lead broker starts. */
  minSize?: number;
  tasks: number;
  /** True where a command that fails is started again. */
  retryCommand: boolean;
  archive?: { path: string };
  /** Clusters that may join, and the way to the lead broker. */
  bursting?: BurstingFields;
  /** Metrics for Prometheus. */
  metrics?: MetricsSpec;
  /** Console for the users of the instance. */
  console?: ConsoleSpec;
  /** Jobs that are submitted again after they have lost a host. */
  requeue?: RequeueSpec;
  /** Volume with the state of the instance, which then outlives the pod. */
  storage?: StorageSpec;
}

/** A Job of followers, whose lead broker is in another one. */
export interface FollowerSpec extends BrokerPodsSpec {
  role: "follower";
  lead: RemoteLead;
}

/** A group of workers: a Job of followers beside that of the lead broker. */
export interface GroupSpec extends FollowerSpec {
  /** Its name in `groups`. */
  group: string;
}

/** The lead broker in another Job or cluster: known when the program runs, or only later. */
export type RemoteLead =
  | { isLate: false; address: string; port: number }
  | {
      isLate: true;
      address: pulumi.Input<string>;
      port: pulumi.Input<number>;
      demandPort?: pulumi.Input<number>;
    };

/** Arguments with every check made and every default set: the input of the builders. */
export type MiniClusterSpec = LeadSpec | FollowerSpec;

/** A cluster whose size follows its queue. */
export type FollowingSpec = MiniClusterSpec & { autoscale: AutoscaleSpec };

/** True for a cluster whose Job starts over when a container has failed by itself. */
export const retriesCommand = (spec: MiniClusterSpec) => spec.role === "follower" || spec.retryCommand;

/** True for a cluster whose terminating pods drain their ranks. */
export const drains = ({ drainTimeoutSeconds }: MiniClusterSpec) => drainTimeoutSeconds > 0;

/** True if an init container copies the Flux view. Otherwise it is mounted, or the image has Flux. */
export const copiesView = ({ container }: MiniClusterSpec["flux"]) => !container.disable && !container.imageVolume;

/** True for a group of workers, which shares the objects of its cluster. */
export const isGroup = (spec: MiniClusterSpec) => spec.cluster !== spec.name;

/** True for a cluster with a separate lead broker, whose workers are groups. */
export const hasGroups = (spec: MiniClusterSpec): spec is LeadSpec => spec.role === "lead" && spec.groups.length > 0;

/** The volume with the state of the instance, in the pod of the lead broker. */
export const storageOf = (spec: MiniClusterSpec) => (spec.role === "lead" ? spec.storage : undefined);

/** The Jobs of a cluster. */
export const jobsOf = (spec: MiniClusterSpec): MiniClusterSpec[] => [spec, ...(hasGroups(spec) ? spec.groups : [])];

/** The Jobs of a cluster whose counts its agent sets. */
export const followersOfQueue = (spec: MiniClusterSpec): FollowingSpec[] =>
  isGroup(spec) ? [] : jobsOf(spec).filter(sizeFollowsQueue);

/** True for a cluster whose agent sets the counts of the Job, and not Pulumi. */
export const sizeFollowsQueue = (spec: MiniClusterSpec): spec is FollowingSpec => spec.autoscale !== undefined;

/** True for a cluster whose lead broker's pod serves the demand of the queue, for itself or for a cluster that joins. */
export const servesDemand = (spec: MiniClusterSpec): spec is LeadSpec =>
  spec.role === "lead" && (followersOfQueue(spec).length > 0 || spec.bursting?.expose.demand !== undefined);

/** True for a cluster whose counts a patch of the Job sets. */
export const isResizedByPatch = (spec: MiniClusterSpec) =>
  spec.resize === MiniClusterResize.Patch && !sizeFollowsQueue(spec);

/** The spec of a MiniCluster. */
export function settleMiniCluster(fields: MiniClusterFields): MiniClusterSpec {
  const { flux, suspend, gang, bursting, autoscale, metrics, minSize, tasks, archive, wait, cleanup } = fields;
  const { retryCommand, requeue, console } = fields;
  const isFlat = flux.minimalService || bursting !== undefined || joinsClusters(flux.bursting);
  const pods = settlePods(fields, isFlat);
  const { leadBroker } = flux.bursting ?? {};
  const common: BrokerPodsSpec = {
    ...pods,
    cluster: fields.name,
    size: sizeOf(fields),
    maxSize: maxSizeOf(fields),
    wait,
    cleanup,
    instance: settleInstance(
      fields,
      fields.pool && hostHardware(fields.pool, mergedResources(pods.main, fields.podTemplate)),
    ),
    suspend: gang.queueName === undefined ? (suspend ?? false) : undefined,
    suspendsAtZero: false,
    podGroup: settlePodGroup(fields),
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
    archive,
    bursting,
    autoscale,
    metrics,
    console,
    requeue: requeue && settleRequeue(requeue, pods.drainTimeoutSeconds),
  };
}

// As in the Flux Operator: followers retry soon while the lead broker does not run yet.
const defaultConnectTimeout = "5s";

/** The Flux views that exist, by architecture: tag and repository of the operator's own images. */
export const defaultViews: Record<MiniClusterArch, string> = {
  [MiniClusterArch.Amd64]: "ghcr.io/converged-computing/flux-view-ubuntu:tag-noble",
  [MiniClusterArch.Arm64]: "ghcr.io/converged-computing/flux-view-ubuntu:arm-noble",
};

/** The pods of a cluster, bound to its pool. Brokers reach only the lead broker where the tree is flat. */
export function settlePods(fields: BrokerPodsFields, isFlat: boolean) {
  const { name, namespace, containers, services, pool, network, podSecurity } = fields;
  const { deadlineSeconds, backoffLimit, jobLabels, shareProcessNamespace, waitTimeoutSeconds, resize } = fields;
  const { gang, podTemplate, prepull, logging, pod, jobAnnotations } = fields;
  const restricts = isRestricted(fields);
  const settle = (container: ContainerFields, index: number) => ({
    ...settleContainer(container, name, restricts),
    index,
  });
  const broker = containers.find((container) => runsFlux(container, containers));
  if (!broker) throw new Error("the rules let no cluster through in which no container runs Flux");
  const main = pool ? bindContainer(broker, fields, pool) : broker;
  const ownPod = restricts ? { ...pod, securityContext: restrictPod(pod.securityContext, fields) } : pod;
  const boundPod = pool ? bindPod(ownPod, pool) : ownPod;
  const bound = { ...fields, pod: boundPod, containers: containers.map((each) => (each === broker ? main : each)) };
  const { nodeSelector, tolerations, annotations } = pod;
  return {
    name,
    namespace,
    deadlineSeconds,
    backoffLimit,
    jobLabels,
    jobAnnotations,
    shareProcessNamespace,
    waitTimeoutSeconds,
    resize,
    drainTimeoutSeconds: drainTimeoutOf(fields),
    podTemplate,
    logging,
    podSecurity,
    pool,
    prepull,
    gang: { ...gang, elastic: isElastic(gang) },
    main: settle(main, containers.indexOf(broker)),
    sidecars: containers.map(settle).filter((_, index) => containers[index] !== broker),
    services: services.map(settle),
    // A budget would reject the evictions by which a cloud ends the pods of spot nodes before it reclaims the nodes.
    disruptionBudget: fields.disruptionBudget ?? (pool !== undefined && pool.interruption?.evicts !== true),
    pod: boundPod,
    fillsNode: pool !== undefined && fillsNode(bound, pool),
    // The services use the user's own settings, and not the nodes of the pool.
    servicesPod: { nodeSelector, tolerations, annotations },
    network: { ...network, headlessName: headlessServiceName(fields) },
    flux: settleFlux(fields, isFlat, restricts),
  };
}

function settleFlux({ flux, pool }: BrokerPodsFields, isFlat: boolean, restricts: boolean) {
  const { container } = flux;
  const {
    simple,
    queuePolicy = MiniClusterQueuePolicy.Fcfs,
    matchPolicy = MiniClusterMatchPolicy.Lonode,
  } = flux.scheduler;
  const arch = flux.arch ?? pool?.node.arch;
  return {
    ...flux,
    arch,
    // The user's own configuration takes precedence.
    connectTimeout: flux.connectTimeout ?? (flux.brokerConfig ? "" : defaultConnectTimeout),
    topology: flux.topology ?? (isFlat ? "kary:0" : undefined),
    scheduler: { simple, queuePolicy, matchPolicy },
    container: {
      ...secured(container, restricts),
      image: container.image ?? defaultViews[arch ?? MiniClusterArch.Amd64],
      imagePullPolicy: pullPolicy(container),
    },
  };
}

// As in the Flux Operator.
const defaultLogs = "/tmp/fluxout";

function settleContainer(container: ContainerFields, clusterName: string, restricts: boolean) {
  return {
    ...secured(container, restricts),
    name: container.name ?? clusterName,
    logs: container.logs ?? defaultLogs,
    commands: { ...container.commands, prefix: container.commands.prefix ?? [] },
    imagePullPolicy: pullPolicy(container),
    volumes: Object.fromEntries(
      Object.entries(container.volumes).map(([name, volume]) => [name, settleVolume(volume)]),
    ),
  };
}

/** A container with the security context that the level of its pod requires. */
function secured<T extends Pick<ContainerFields, "securityContext">>(container: T, restricts: boolean) {
  const securityContext = settleEscalation(container.securityContext);
  return { ...container, securityContext: restricts ? restrictContainer(securityContext) : securityContext };
}

const pullPolicy = ({
  pullAlways,
  imagePullPolicy,
}: Pick<MiniClusterContainerArgs, "pullAlways" | "imagePullPolicy">) =>
  pullAlways ? MiniClusterPullPolicy.Always : (imagePullPolicy ?? MiniClusterPullPolicy.IfNotPresent);
