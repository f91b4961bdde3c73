import { isNetworkLabel } from "../clouds/nodes/parse/topology";
import { MiniClusterResize } from "../core/args";
import type { BrokerPodsFields } from "../core/parse/fields";
import { sizeFields, initialSizeOf } from "../core/parse/sizes";
import { properties } from "../shared/checks";
import { isPlainObject } from "../shared/objects";
import { type AddIssue, type Rule, ruleOn } from "../shared/rules";
import { MiniClusterGangVersion } from "./args";
import type { GangFields } from "./fields";
import { elasticAnnotation, queueLabel } from "./names";
import { isElastic, topologyRequests } from "./spec";

/** The fields that the rules read in every Job. */
export interface GangJobFields extends BrokerPodsFields {
  gang: GangFields;
}

/** The fields that the rules read in a cluster with the lead broker. */
export interface GangClusterFields extends GangJobFields {
  size?: number;
  minSize?: number;
  suspend?: boolean;
  autoscale?: { min: number };
}

const miniClusterRule = ruleOn<GangClusterFields>();
const podsRule = ruleOn<GangJobFields>();

/** The rules on `gang.native`. */
export const nativeGangRules: Rule<GangClusterFields>[] = [
  miniClusterRule(["suspend", "gang.queueName"], ({ suspend, gang }, addIssue) => {
    if (suspend !== undefined && gang.queueName !== undefined)
      addIssue(["suspend"], "Kueue suspends and resumes the Jobs of its queues; remove suspend or gang.queueName");
  }),
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
      addIssue(["podTemplate", "spec", "schedulingGroup"], "is set by gang.native to its PodGroup; keep one of them");
  }),
  miniClusterRule(["gang.native.minCount", ...sizeFields], (fields, addIssue) => {
    if (!fields.gang.native) return;
    const { minCount = 1 } = fields.gang.native;
    const [key, bound] = [fields.autoscale ? "autoscale.min" : "size", initialSizeOf(fields)];
    if (minCount > bound)
      addIssue(
        ["gang", "native", "minCount"],
        `minCount ${minCount} is above ${key} ${bound}, with which no pod would ever be scheduled; lower minCount or raise ${key}`,
      );
  }),
  miniClusterRule(["gang.native.version", "resize", "autoscale?"], ({ gang, resize, autoscale }, addIssue) => {
    if (gang.native?.version !== MiniClusterGangVersion.V1alpha2) return;
    const at = ["gang", "native", "version"];
    const refused = "the API server of Kubernetes 1.36 rejects a change of the number of pods of a gang";
    if (autoscale) addIssue(at, `${refused}, which autoscale sets; use "v1beta1", or remove autoscale`);
    else if (resize !== MiniClusterResize.Manifest)
      addIssue(at, `${refused}; set resize to "manifest", and each resize replaces the Job, or use "v1beta1"`);
  }),
];

/** The rule on a Job that a size of 0 suspends. */
export function queuedAtZeroRule(
  { gang, autoscale }: { gang: Pick<GangFields, "queueName">; autoscale?: object },
  size: number,
  addIssue: AddIssue,
): void {
  if (gang.queueName !== undefined && size === 0)
    addIssue(
      autoscale ? ["autoscale", "min"] : ["size"],
      "0 suspends the Job, which only Kueue may do with gang.queueName; use at least 1 or remove gang.queueName",
    );
}

const otherScheduler = "another scheduler does not support gang.native; keep one of them";

/** Fields that may request a topology. */
const topologyFields = ["gang.topology", "pod.annotations[]", "podTemplate"] as const;

/** The rules on a cluster in a queue of Kueue. */
export const queueRules: Rule<GangJobFields>[] = [
  podsRule(["gang.schedulerName", "gang.queueName"], ({ gang }, addIssue) => {
    if (gang.schedulerName !== undefined && gang.queueName !== undefined)
      addIssue(["gang"], "queueName and schedulerName exclude each other; keep one of them");
  }),
  podsRule(["gang.schedulerName", "pod.schedulerName"], ({ gang, pod }, addIssue) => {
    if (gang.schedulerName !== undefined && pod.schedulerName !== undefined)
      addIssue(["gang", "schedulerName"], "pod.schedulerName is also set; keep one of them");
  }),
  podsRule(["jobAnnotations[]"], ({ jobAnnotations }, addIssue) => {
    if (jobAnnotations[elasticAnnotation] !== undefined)
      addIssue(["jobAnnotations", elasticAnnotation], "is set by gang.elastic; set that instead");
  }),
  podsRule(["gang.queueName", "gang.elastic"], ({ gang: { queueName, elastic } }, addIssue) => {
    if (queueName === undefined && elastic !== undefined)
      addIssue(["gang", "elastic"], "requires gang.queueName; set it, or remove elastic");
  }),
  podsRule(["gang.queueName", "gang.topology?"], ({ gang: { queueName, topology } }, addIssue) => {
    if (queueName === undefined && topology)
      addIssue(["gang", "topology"], "requires gang.queueName; set it, or remove topology");
  }),
  podsRule(["gang.queueName", "jobLabels[]"], ({ gang: { queueName }, jobLabels }, addIssue) => {
    if (queueName !== undefined && jobLabels[queueLabel] !== undefined)
      addIssue(["jobLabels", queueLabel], "is set by gang.queueName; keep one of them");
  }),
  podsRule(["gang.topology"], ({ gang: { topology } }, addIssue) => {
    if (topology && topology.required === undefined && topology.preferred === undefined && !topology.unconstrained)
      addIssue(["gang", "topology"], "is empty; set required, preferred or unconstrained, or remove it");
  }),
  ...(["required", "preferred"] as const).map((kind) =>
    podsRule(["gang.topology", "pool"], ({ gang: { topology }, pool }, addIssue) => {
      const label = topology?.[kind];
      const levels = pool?.topologyLevels;
      if (typeof label !== "string" || !levels || levels.includes(label) || !isNetworkLabel(label)) return;
      addIssue(
        ["gang", "topology", kind],
        `the nodes of pool ${pool.pool} do not have the label ${label}; use ${levels.join(" or ")}`,
      );
    }),
  ),
  podsRule(topologyFields, (fields, addIssue) => {
    const requests = topologyRequests(fields);
    for (const { path } of requests.slice(1))
      addIssue(path, `Kueue accepts one topology request; keep this one or ${requests[0]?.path.join(".")}`);
  }),
  podsRule(["gang.queueName", "gang.elastic", ...topologyFields], (fields, addIssue) => {
    if (!isElastic(fields.gang)) return;
    // Kueue rejects two of the requests. It accepts the third, but pods of a later resize may never start (seen with 0.19.2, with
    // its gate ElasticJobsViaWorkloadSlicesWithTAS and without).
    for (const { path } of topologyRequests(fields))
      addIssue(
        path,
        "Kueue cannot resize a running Job with a topology; set gang.elastic to false, with which each resize stops all brokers, " +
          "or remove this",
      );
  }),
];
