import type { types } from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterArch } from "../../clouds/nodes/args";
import {
  MiniClusterMatchPolicy,
  MiniClusterPullPolicy,
  MiniClusterQueuePolicy,
  MiniClusterResize,
  MiniClusterWait,
} from "../args";
import { bindContainer, bindPod } from "../pool/parse/podDefaults";
import { fillsNode } from "../pool/parse/fillsNode";
import { type ContainerFields, type LaunchMode, runsFlux, buildVolumeSpec } from "./container";
import { type BrokerPodsFields, drainTimeoutOf } from "./fields";
import type { InstanceSpec } from "./instance";
import { headlessServiceName } from "./names";
import { isRestricted, restrictContainer, restrictPod } from "./restricted";
import { withEscalation } from "./security";

/** A container with every default set. */
export interface ContainerSpec extends ReturnType<typeof buildContainerSpec> {
  /** Its index in the argument's list. */
  index: number;
}

/** Settings of the scripts, without the prefix of their names: false is an empty text, and a list is a bash array. */
export type Settings = Record<string, string | number | boolean | string[]>;

type Texts = Record<string, string>;

/** What features add to a Job of brokers and to its cluster: plain data that the builders place. */
export interface Additions {
  /** Labels and annotations of the Job whose change replaces the Job. */
  jobLabels: Record<string, pulumi.Input<string>>;
  jobAnnotations: Texts;
  /** Annotations of the patch of the Job's size, which the next preview compares. */
  patchAnnotations: Texts;
  podAnnotations: Record<string, pulumi.Input<string>>;
  /** Fields of the brokers' pods. */
  podSpec: Pick<types.input.core.v1.PodSpec, "schedulerName" | "schedulingGroup">;
  /** Volumes of the brokers' pods, by name, and where the container that runs Flux mounts them. */
  volumes: Record<string, Omit<types.input.core.v1.Volume, "name">>;
  mountPaths: Texts;
  /** Directory of the state of the broker (Flux `statedir`). */
  stateDirectory: { path?: string };
  /** Scripts of the brokers' pods. */
  scripts: Texts;
  /** Settings of all scripts of the brokers' pods, and of the lead broker's script. */
  podSettings: Settings;
  leadSettings: Settings;
  /** Options of the submitted command, unless the user has chosen hosts. */
  submitOptions: Record<string, string[]>;
  /** Settings of the program of the lead broker's pod, which runs if a feature adds any. */
  leadProgram: Record<string, unknown>;
  /** Price of a host per hour, by the cluster of the host. */
  prices: Record<string, number>;
  /** Kinds of objects, and objects with logs, that show why a cluster is not ready. */
  diagnosedKinds: Record<string, true>;
  diagnosedLogs: Record<string, true>;
}

/** Additions of no feature. */
export const noAdditions = (): Additions => ({
  jobLabels: {},
  jobAnnotations: {},
  patchAnnotations: {},
  podAnnotations: {},
  podSpec: {},
  volumes: {},
  mountPaths: {},
  stateDirectory: {},
  scripts: {},
  podSettings: {},
  leadSettings: {},
  submitOptions: {},
  leadProgram: {},
  prices: {},
  diagnosedKinds: {},
  diagnosedLogs: {},
});

/** Sizes between which a program in the cluster sets the counts of a Job. */
export interface SizeBounds {
  min: number;
  max: number;
}

/** The pods of a cluster, with the lead broker or without: the input of the builders. */
export interface BrokerPodsSpec extends ReturnType<typeof buildBrokerPodsSpec> {
  /** Name of the cluster whose Service, Secret and labels the pods have: for a group, the name of its MiniCluster. */
  cluster: string;
  /** Pods that the cluster runs. */
  size: number;
  /** Its hosts in the instance. */
  maxSize: number;
  /** True if the hosts of the instance do not depend on the size: a resize up to `maxSize` is then in place. */
  hasMaxSize: boolean;
  /** The Flux instance that it belongs to. */
  instance: InstanceSpec;
  wait: MiniClusterWait;
  /** True for a suspended Job. Undefined if another controller sets the field. */
  suspend: boolean | undefined;
  /** True if a size of 0 suspends the Job. */
  suspendsAtZero: boolean;
  cleanup: boolean;
  /** Sizes between which the agent of the cluster sets the counts. */
  autoscale?: SizeBounds;
  /** Labels of nodes that the pods beside the workers avoid, because an autoscaled pool of workers may have no nodes. */
  avoidedNodes?: Record<string, string[]>;
  /** Price of its nodes per hour at the largest size that it can reach without another preview, if all prices are known. */
  largestPricePerHour?: number;
  /** The specs of features by their names, which only the features read. */
  features: Record<string, unknown>;
  additions: Additions;
}

/** A cluster with the lead broker. */
export interface LeadSpec extends BrokerPodsSpec {
  role: "lead";
  mode: LaunchMode;
  /** Groups of workers, each a separate Job. Without groups, the pods of this Job run the jobs. */
  groups: GroupSpec[];
  /** Brokers that must be online before the command runs. Default: the size when the lead broker starts. */
  minSize?: number;
  /** Tasks of the command. Default: one task on each node. */
  tasks?: number;
  /** True if a command that fails is started again. */
  retryCommand: boolean;
}

/** A Job of followers, whose lead broker is in another Job. */
export interface FollowerSpec extends BrokerPodsSpec {
  role: "follower";
  lead: RemoteLead;
}

/** A group of workers: a Job of followers beside the Job of the lead broker. */
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

/** Checked arguments with all defaults: the input of the builders. */
export type MiniClusterSpec = LeadSpec | FollowerSpec;

/** A Job whose counts the agent of its cluster sets. */
export type AutoscaledSpec = MiniClusterSpec & { autoscale: SizeBounds };

/** True for a cluster whose Job starts a pod again after a container has failed by itself. */
export const retriesCommand = (spec: MiniClusterSpec) => spec.role === "follower" || spec.retryCommand;

/** True for a cluster whose terminating pods drain their hosts. */
export const drains = ({ drainTimeoutSeconds }: MiniClusterSpec) => drainTimeoutSeconds > 0;

/** True if an init container copies the Flux view. Otherwise it is mounted, or the image has Flux. */
export const copiesView = ({ container }: MiniClusterSpec["flux"]) => !container.disable && !container.imageVolume;

/** True for a group of workers, which shares the objects of its cluster. */
export const isGroup = (spec: MiniClusterSpec) => spec.cluster !== spec.name;

/** True for a cluster with a separate lead broker, whose workers are groups. */
export const hasGroups = (spec: MiniClusterSpec): spec is LeadSpec => spec.role === "lead" && spec.groups.length > 0;

/** True if the user sets the size of the lead broker's cluster. */
export const hasFixedSize = (spec: MiniClusterSpec) => spec.autoscale === undefined && !hasGroups(spec);

/** The Jobs of a cluster. */
export const jobsOf = (spec: MiniClusterSpec): MiniClusterSpec[] => [spec, ...(hasGroups(spec) ? spec.groups : [])];

/** True for a Job whose counts the agent of its cluster sets, and not Pulumi. */
export const isAutoscaled = (spec: MiniClusterSpec): spec is AutoscaledSpec => spec.autoscale !== undefined;

/** True for a cluster whose counts a patch of the Job sets. */
export const isResizedByPatch = (spec: MiniClusterSpec) =>
  spec.resize === MiniClusterResize.Patch && !isAutoscaled(spec);

// As in the Flux Operator: followers retry soon while the lead broker does not run yet.
const defaultConnectTimeout = "5s";

/** The Flux views that exist, by architecture: tag and repository of the operator's own images. */
export const defaultViews: Record<MiniClusterArch, string> = {
  [MiniClusterArch.Amd64]: "ghcr.io/converged-computing/flux-view-ubuntu:tag-noble",
  [MiniClusterArch.Arm64]: "ghcr.io/converged-computing/flux-view-ubuntu:arm-noble",
};

/** The pods of a cluster, bound to its pool. In a flat tree, brokers connect only to the lead broker. */
export function buildBrokerPodsSpec(fields: BrokerPodsFields, isFlat: boolean) {
  const { name, namespace, containers, services, pool, network, podSecurity } = fields;
  const { deadlineSeconds, backoffLimit, jobLabels, shareProcessNamespace, waitTimeoutSeconds, resize } = fields;
  const { podTemplate, prepull, logging, pod, jobAnnotations } = fields;
  const restricts = isRestricted(fields);
  const buildContainer = (container: ContainerFields, index: number) => ({
    ...buildContainerSpec(container, name, restricts),
    index,
  });
  const broker = containers.find((container) => runsFlux(container, containers));
  if (!broker) throw new Error("no container runs Flux, although a rule rejects such a cluster");
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
    main: buildContainer(main, containers.indexOf(broker)),
    sidecars: containers.map(buildContainer).filter((_, index) => containers[index] !== broker),
    services: services.map(buildContainer),
    // A budget would reject the evictions by which a cloud ends the pods of spot nodes before it reclaims the nodes.
    disruptionBudget: fields.disruptionBudget ?? (pool !== undefined && pool.interruption?.evicts !== true),
    pod: boundPod,
    fillsNode: pool !== undefined && fillsNode(bound, pool),
    // The services use the user's own settings, and not the nodes of the pool.
    servicesPod: { nodeSelector, tolerations, annotations },
    network: { ...network, headlessName: headlessServiceName(fields) },
    flux: buildFluxSpec(fields, isFlat, restricts),
  };
}

function buildFluxSpec({ flux, pool }: BrokerPodsFields, isFlat: boolean, restricts: boolean) {
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
      imagePullPolicy: container.pullAlways ? MiniClusterPullPolicy.Always : MiniClusterPullPolicy.IfNotPresent,
    },
  };
}

// As in the Flux Operator.
const defaultLogs = "/tmp/fluxout";

function buildContainerSpec(container: ContainerFields, clusterName: string, restricts: boolean) {
  return {
    ...secured(container, restricts),
    name: container.name ?? clusterName,
    logs: container.logs ?? defaultLogs,
    commands: { ...container.commands, prefix: container.commands.prefix ?? [] },
    imagePullPolicy: container.imagePullPolicy ?? MiniClusterPullPolicy.IfNotPresent,
    volumes: Object.fromEntries(
      Object.entries(container.volumes).map(([name, volume]) => [name, buildVolumeSpec(volume)]),
    ),
  };
}

/** A container with the security context that the level of its pod requires. */
function secured<T extends Pick<ContainerFields, "securityContext">>(container: T, restricts: boolean) {
  const securityContext = withEscalation(container.securityContext);
  return { ...container, securityContext: restricts ? restrictContainer(securityContext) : securityContext };
}
