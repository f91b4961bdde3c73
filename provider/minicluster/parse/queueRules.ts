import { isPlainObject } from "../../shared/objects";
import type { Rule } from "../../shared/rules";
import { maxRunTimeLabel, queueLabel, topologyAnnotations } from "../names";
import type { BrokerPodsFields } from "./fields";

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
      addIssue(["gang", "topology"], "asks for nothing; set required, preferred or unconstrained, or remove it");
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
