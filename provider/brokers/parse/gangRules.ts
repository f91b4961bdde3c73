import { properties } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import { type Rule, where } from "../../shared/rules";
import { MiniClusterGangVersion, MiniClusterResize } from "../args";
import type { BrokerPodsFields, MiniClusterFields } from "./fields";
import { maxRunTimeLabel, queueLabel, topologyAnnotations } from "./names";
import { sizeOf } from "./sizes";

/** The gang of Kubernetes itself that the pods of a cluster are. */
export interface PodGroupSpec {
  version: MiniClusterGangVersion;
  /** Pods that are placed together or not at all. */
  minCount: number;
}

/** The PodGroup of a cluster that is a gang of Kubernetes itself. By default its number is that of the pods which the instance waits for. */
export function settlePodGroup(fields: MiniClusterFields): PodGroupSpec | undefined {
  const { native } = fields.gang;
  return native && { version: native.version, minCount: native.minCount ?? fields.minSize ?? sizeOf(fields) };
}

/** The rules on a gang of Kubernetes itself. */
export const nativeGangRules: Rule<MiniClusterFields>[] = where(
  ({ gang }) => gang.native,
  (_, addIssue, { gang }) => {
    if (gang.queueName !== undefined)
      addIssue(["gang", "native"], "Kueue admits the pods all together by itself; keep queueName or native");
    if (gang.schedulerName !== undefined)
      addIssue(["gang", "native"], "is for Kubernetes' own scheduler; keep schedulerName or native");
  },
  (_, addIssue, { pod }) => {
    if (pod.schedulerName !== undefined) addIssue(["pod", "schedulerName"], otherScheduler);
  },
  (_, addIssue, { podTemplate }) => {
    const { spec }: { spec?: unknown } = properties(podTemplate);
    const { schedulerName, schedulingGroup } = isPlainObject(spec) ? spec : {};
    if (schedulerName !== undefined) addIssue(["podTemplate", "spec", "schedulerName"], otherScheduler);
    if (schedulingGroup !== undefined)
      addIssue(["podTemplate", "spec", "schedulingGroup"], "is the PodGroup of gang.native; keep one of them");
  },
  ({ minCount = 1 }, addIssue, { size = 1, autoscale }) => {
    const [key, bound] = autoscale ? ["autoscale.min", autoscale.min] : ["size", size];
    if (minCount > bound)
      addIssue(
        ["gang", "native", "minCount"],
        `minCount ${minCount} is above ${key} ${bound}, with which no pod would ever be placed; lower minCount or raise ${key}`,
      );
  },
  ({ version }, addIssue, { resize, autoscale }) => {
    if (version !== MiniClusterGangVersion.V1alpha2) return;
    const at = ["gang", "native", "version"];
    const refused = "the API server of Kubernetes 1.36 refuses another number of pods of a gang";
    if (autoscale) addIssue(at, `${refused}, which autoscale sets; use "v1beta1", or remove autoscale`);
    else if (resize !== MiniClusterResize.Manifest)
      addIssue(at, `${refused}; set resize to "manifest", and each resize replaces the Job, or use "v1beta1"`);
  },
);

const otherScheduler = "another scheduler does not support gang.native; keep one of them";

/** True for a cluster that Kueue resizes while it runs. */
export const isElastic = ({ queueName, elastic }: BrokerPodsFields["gang"]) => elastic ?? queueName !== undefined;

/** The rules on a cluster in a queue of Kueue, most of them those of Kueue's own webhook. */
export const queueRules: Rule<BrokerPodsFields>[] = [
  ({ gang: { queueName, elastic, topology } }, addIssue) => {
    if (queueName !== undefined) return;
    if (elastic !== undefined) addIssue(["gang", "elastic"], "requires gang.queueName; set it, or remove elastic");
    if (topology) addIssue(["gang", "topology"], "requires gang.queueName; set it, or remove topology");
  },
  ({ gang: { queueName }, jobLabels }, addIssue) => {
    if (queueName !== undefined && jobLabels[queueLabel] !== undefined)
      addIssue(["jobLabels", queueLabel], "is set by gang.queueName; keep one of them");
    const seconds = jobLabels[maxRunTimeLabel];
    if (typeof seconds === "string" && !/^0*[1-9]\d*$/.test(seconds))
      addIssue(["jobLabels", maxRunTimeLabel], `"${seconds}" must be a number of seconds, at least 1`);
  },
  ({ gang: { topology } }, addIssue) => {
    if (topology && topology.required === undefined && topology.preferred === undefined && !topology.unconstrained)
      addIssue(["gang", "topology"], "is empty; set required, preferred or unconstrained, or remove it");
  },
  (fields, addIssue) => {
    const requests = topologyRequests(fields);
    for (const { path } of requests.slice(1))
      addIssue(path, `Kueue takes one request of a topology; keep this one or ${requests[0]?.path.join(".")}`);
  },
  (fields, addIssue) => {
    if (!isElastic(fields.gang)) return;
    // Kueue refuses two of them. The third it takes, but pods that come later may never start (seen with 0.19.2, with its
    // gate ElasticJobsViaWorkloadSlicesWithTAS and without).
    for (const { path } of topologyRequests(fields))
      addIssue(
        path,
        "Kueue does not resize a Job while it runs that it places by a topology; set gang.elastic to false, and each resize " +
          "stops all brokers, or remove this",
      );
  },
];

type Kind = keyof typeof topologyAnnotations;

/** Requests of a topology, from wherever they reach the pods. */
function topologyRequests({ gang: { topology }, pod, podTemplate }: BrokerPodsFields): { path: string[] }[] {
  const { metadata }: { metadata?: unknown } = podTemplate ?? {};
  const merged = isPlainObject(metadata) ? metadata.annotations : undefined;
  const kinds = Object.keys(topologyAnnotations) as Kind[];
  const within = (map: unknown, path: string[]) =>
    kinds.flatMap((kind) => {
      const key = topologyAnnotations[kind];
      return isPlainObject(map) && map[key] !== undefined ? [{ path: [...path, key] }] : [];
    });
  return [
    ...kinds.flatMap((kind) => (topology?.[kind] ? [{ path: ["gang", "topology", kind] }] : [])),
    ...within(pod.annotations, ["pod", "annotations"]),
    ...within(merged, ["podTemplate", "metadata", "annotations"]),
  ];
}
