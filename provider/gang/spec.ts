import { specOf } from "../core/parse/featureRules";
import type { Additions, MiniClusterSpec } from "../core/parse/spec";
import { isPlainObject, ownValue } from "../shared/objects";
import { properties } from "../shared/checks";
import type { MovedArgs } from "../shared/rules";
import type { MiniClusterGangVersion } from "./args";
import type { GangFields } from "./fields";
import { elasticAnnotation, podGroupName, queueLabel, queueLabels, topologyAnnotations } from "./names";

/** The Kubernetes gang of a cluster's pods. */
export interface PodGroupSpec {
  version: MiniClusterGangVersion;
  /** Pods that are placed together or not at all. */
  minCount: number;
}

/** Scheduling of the pods of a Job together, by Kueue or by Kubernetes. */
export interface GangSpec {
  /** True if Kueue admits the Job. */
  isQueued: boolean;
  podGroup?: PodGroupSpec;
}

/** The gang of a Job. */
export const gangOf = (spec: MiniClusterSpec) => specOf<GangSpec>(spec, "gang");

/** The gang of a Job with `gang.native`. By default it has as many pods as the instance waits for. */
export function buildGangSpec(gang: GangFields, { size, ...spec }: MiniClusterSpec): GangSpec {
  const { native, queueName } = gang;
  const quorum = spec.role === "lead" ? spec.minSize : undefined;
  return {
    isQueued: queueName !== undefined,
    ...(native && { podGroup: { version: native.version, minCount: native.minCount ?? quorum ?? size } }),
  };
}

/** What a gang adds to the Job: the labels and annotations by which Kueue finds it, and the scheduler of its pods. */
export function gangAdditions(
  { schedulerName, queueName, topology, ...gang }: GangFields,
  spec: MiniClusterSpec,
  podGroup: PodGroupSpec | undefined,
): Partial<Additions> {
  const { jobLabels } = spec;
  const given = queueLabels.filter((key) => jobLabels[key] !== undefined);
  const podGroups = podGroup && { schedulingGroup: { podGroupName: podGroupName(spec, podGroup) } };
  return {
    jobAnnotations: isElastic({ queueName, ...gang }) ? { [elasticAnnotation]: "true" } : {},
    jobLabels: {
      ...Object.fromEntries(given.map((key) => [key, ownValue(jobLabels, key) ?? ""])),
      ...(queueName !== undefined && { [queueLabel]: queueName }),
    },
    podAnnotations: topologyRequest(topology),
    // With a PodGroup in the pods, the Job controller creates no other PodGroup.
    podSpec: { ...(schedulerName !== undefined && { schedulerName }), ...podGroups },
  };
}

/** Annotations with the pods' topology request to Kueue. */
function topologyRequest({ required, preferred, unconstrained }: Partial<GangFields["topology"]> = {}) {
  return {
    ...(required !== undefined && { [topologyAnnotations.required]: required }),
    ...(preferred !== undefined && { [topologyAnnotations.preferred]: preferred }),
    ...(unconstrained && { [topologyAnnotations.unconstrained]: "true" }),
  };
}

/** True for a cluster that Kueue resizes while it runs. */
export const isElastic = ({ queueName, elastic }: Pick<GangFields, "queueName" | "elastic">) =>
  elastic ?? queueName !== undefined;

/**
 * The arguments of a Job whose queue is a label of the Job, as in the manifests of the Flux Operator, with the queue as
 * `gang.queueName`. `gang.elastic` has the default that fits the topology request: manifests have no such field.
 */
export function withQueueArgument(args: Record<string, unknown>): MovedArgs {
  const { jobLabels } = args;
  const gang = properties(args["gang"] as Partial<GangFields> | undefined);
  const queueName = properties(jobLabels as Record<string, unknown> | undefined)[queueLabel];
  if (queueName === undefined || queueName === "" || gang.queueName !== undefined) return { args, moved: [] };
  const others = Object.fromEntries(Object.entries(jobLabels as object).filter(([label]) => label !== queueLabel));
  const elastic = gang.elastic ?? (topologyRequests(args).length > 0 ? false : undefined);
  return {
    args: { ...args, jobLabels: others, gang: { ...gang, queueName, elastic } },
    moved: [
      [
        ["gang", "queueName"],
        ["jobLabels", queueLabel],
      ],
    ],
  };
}

/** Labels of a Job without the labels of Kueue. */
export const withoutQueueLabels = (jobLabels: unknown): unknown =>
  isPlainObject(jobLabels)
    ? Object.fromEntries(Object.entries(jobLabels).filter(([key]) => !key.startsWith("kueue.x-k8s.io/")))
    : jobLabels;

/** Arguments that may request a topology, checked or not. */
interface TopologyArgs {
  gang?: unknown;
  pod?: unknown;
  podTemplate?: unknown;
}

/** Topology requests, from every argument that sets one. */
export function topologyRequests({ gang, pod, podTemplate }: TopologyArgs): { path: string[] }[] {
  const kinds = Object.keys(topologyAnnotations) as (keyof typeof topologyAnnotations)[];
  const partOf = (value: unknown, key: string) => (isPlainObject(value) ? value[key] : undefined);
  const topology = partOf(gang, "topology");
  const within = (map: unknown, path: string[]) =>
    kinds.flatMap((kind) => {
      const key = topologyAnnotations[kind];
      return partOf(map, key) === undefined ? [] : [{ path: [...path, key] }];
    });
  return [
    ...kinds.flatMap((kind) => (partOf(topology, kind) ? [{ path: ["gang", "topology", kind] }] : [])),
    ...within(partOf(pod, "annotations"), ["pod", "annotations"]),
    ...within(partOf(partOf(podTemplate, "metadata"), "annotations"), ["podTemplate", "metadata", "annotations"]),
  ];
}
