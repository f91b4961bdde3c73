import { labelledName, properties } from "../shared/checks";
import { isPlainObject } from "../shared/objects";
import { type Rule, type Picked, ruleOn, type View } from "../shared/rules";
import { MiniClusterGangVersion, MiniClusterResize } from "../core/args";
import type { MiniClusterFields } from "../minicluster/parse/fields";
import type { BrokerPodsFields } from "../core/parse/fields";
import { queueLabel, topologyAnnotations } from "../core/parse/names";
import { sizeFields, sizeOf } from "../core/parse/sizes";

/** The Kubernetes gang of a cluster's pods. */
export interface PodGroupSpec {
  version: MiniClusterGangVersion;
  /** Pods that are placed together or not at all. */
  minCount: number;
}

/** The PodGroup of a cluster with `gang.native`. By default its number is that of the pods which the instance waits for. */
export function settlePodGroup(fields: MiniClusterFields): PodGroupSpec | undefined {
  const { native } = fields.gang;
  return native && { version: native.version, minCount: native.minCount ?? fields.minSize ?? sizeOf(fields) };
}

const miniClusterRule = ruleOn<MiniClusterFields>();
const podsRule = ruleOn<BrokerPodsFields>();

/** The rules on `gang.native`. */
export const nativeGangRules: Rule<MiniClusterFields>[] = [
  miniClusterRule(["gang.native?", "gang.queueName"], ({ gang }, addIssue) => {
    if (gang.native && gang.queueName !== undefined)
      addIssue(["gang", "native"], "Kueue already admits all pods together; keep queueName or native");
  }),
  miniClusterRule(["gang.native?", "gang.schedulerName"], ({ gang }, addIssue) => {
    if (gang.native && gang.schedulerName !== undefined)
      addIssue(["gang", "native"], "is for Kubernetes' own scheduler; keep schedulerName or native");
  }),
  miniClusterRule(["gang.native?", "pod.schedulerName"], ({ gang, pod }, addIssue) => {
    if (gang.native && pod.schedulerName !== undefined) addIssue(["pod", "schedulerName"], otherScheduler);
  }),
  miniClusterRule(["gang.native?", "podTemplate"], ({ gang, podTemplate }, addIssue) => {
    if (!gang.native) return;
    const { spec }: { spec?: unknown } = properties(podTemplate);
    const { schedulerName, schedulingGroup } = isPlainObject(spec) ? spec : {};
    if (schedulerName !== undefined) addIssue(["podTemplate", "spec", "schedulerName"], otherScheduler);
    if (schedulingGroup !== undefined)
      addIssue(["podTemplate", "spec", "schedulingGroup"], "is the PodGroup of gang.native; keep one of them");
  }),
  miniClusterRule(["gang.native.minCount", ...sizeFields], (fields, addIssue) => {
    if (!fields.gang.native) return;
    const { minCount = 1 } = fields.gang.native;
    const [key, bound] = [fields.autoscale ? "autoscale.min" : "size", sizeOf(fields)];
    if (minCount > bound)
      addIssue(
        ["gang", "native", "minCount"],
        `minCount ${minCount} is above ${key} ${bound}, with which no pod would ever be scheduled; lower minCount or raise ${key}`,
      );
  }),
  miniClusterRule(["gang.native.version", "resize", "autoscale?"], ({ gang, resize, autoscale }, addIssue) => {
    if (gang.native?.version !== MiniClusterGangVersion.V1alpha2) return;
    const at = ["gang", "native", "version"];
    const refused = "the API server of Kubernetes 1.36 refuses another number of pods of a gang";
    if (autoscale) addIssue(at, `${refused}, which autoscale sets; use "v1beta1", or remove autoscale`);
    else if (resize !== MiniClusterResize.Manifest)
      addIssue(at, `${refused}; set resize to "manifest", and each resize replaces the Job, or use "v1beta1"`);
  }),
];

const otherScheduler = "another scheduler does not support gang.native; keep one of them";

/** True for a cluster that Kueue resizes while it runs. */
export const isElastic = ({ queueName, elastic }: Pick<BrokerPodsFields["gang"], "queueName" | "elastic">) =>
  elastic ?? queueName !== undefined;

/**
 * A cluster whose queue is a label of its Job, as in the manifests of the Flux Operator, with the queue as `gang.queueName`. The
 * argument takes the default of `gang.elastic` that fits its request of a topology: manifests have no such field.
 */
export function queuedView<T extends BrokerPodsFields>(fields: T): View<T> {
  const { jobLabels, gang } = fields;
  const queueName = properties(jobLabels)[queueLabel];
  if (queueName === undefined || queueName === "" || properties(gang).queueName !== undefined)
    return { value: fields, moved: [] };
  const others = Object.fromEntries(Object.entries(jobLabels).filter(([label]) => label !== queueLabel));
  const elastic = gang.elastic ?? (topologyRequests(fields).length > 0 ? false : undefined);
  return {
    value: { ...fields, jobLabels: others, gang: { ...gang, queueName, elastic } },
    moved: [
      [
        ["gang", "queueName"],
        ["jobLabels", queueLabel],
      ],
    ],
  };
}

/** Labels of a Job without those of Kueue. */
export const withoutQueueLabels = (jobLabels: BrokerPodsFields["jobLabels"]): BrokerPodsFields["jobLabels"] =>
  isPlainObject(jobLabels)
    ? Object.fromEntries(Object.entries(jobLabels).filter(([key]) => !key.startsWith("kueue.x-k8s.io/")))
    : jobLabels;

/** Fields that may request a topology. */
const topologyFields = ["gang.topology", "pod.annotations[]", "podTemplate"] as const;

/** The rules on a cluster in a queue of Kueue. */
export const queueRules: Rule<BrokerPodsFields>[] = [
  podsRule(["gang.queueName", "gang.elastic"], ({ gang: { queueName, elastic } }, addIssue) => {
    if (queueName === undefined && elastic !== undefined)
      addIssue(["gang", "elastic"], "requires gang.queueName; set it, or remove elastic");
  }),
  podsRule(["gang.queueName", "gang.topology?"], ({ gang: { queueName, topology } }, addIssue) => {
    if (queueName === undefined && topology)
      addIssue(["gang", "topology"], "requires gang.queueName; set it, or remove topology");
  }),
  podsRule(["gang.queueName"], ({ gang: { queueName } }, addIssue) => {
    // A label may have other values than the name of a queue.
    const message = typeof queueName === "string" && labelledName.safeParse(queueName).error?.issues[0]?.message;
    if (message) addIssue(["gang", "queueName"], message);
  }),
  podsRule(["gang.queueName", "jobLabels[]"], ({ gang: { queueName }, jobLabels }, addIssue) => {
    if (queueName !== undefined && jobLabels[queueLabel] !== undefined)
      addIssue(["jobLabels", queueLabel], "is set by gang.queueName; keep one of them");
  }),
  podsRule(["gang.topology"], ({ gang: { topology } }, addIssue) => {
    if (topology && topology.required === undefined && topology.preferred === undefined && !topology.unconstrained)
      addIssue(["gang", "topology"], "is empty; set required, preferred or unconstrained, or remove it");
  }),
  podsRule(topologyFields, (fields, addIssue) => {
    const requests = topologyRequests(fields);
    for (const { path } of requests.slice(1))
      addIssue(path, `Kueue accepts one topology request; keep this one or ${requests[0]?.path.join(".")}`);
  }),
  podsRule(["gang.queueName", "gang.elastic", ...topologyFields], (fields, addIssue) => {
    if (!isElastic(fields.gang)) return;
    // Kueue refuses two of them. The third it takes, but pods that come later may never start (seen with 0.19.2, with its
    // gate ElasticJobsViaWorkloadSlicesWithTAS and without).
    for (const { path } of topologyRequests(fields))
      addIssue(
        path,
        "Kueue cannot resize a running Job with a topology; set gang.elastic to false, with which each resize stops all brokers, " +
          "or remove this",
      );
  }),
];

type Kind = keyof typeof topologyAnnotations;

/** Requests of a topology, from wherever they reach the pods. */
function topologyRequests({
  gang: { topology },
  pod,
  podTemplate,
}: Picked<BrokerPodsFields, (typeof topologyFields)[number]>): { path: string[] }[] {
  const { metadata }: { metadata?: unknown } = properties(podTemplate);
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
