import type * as pulumi from "@pulumi/pulumi";
import { hashKnown } from "../../shared/deferred";
import { MiniClusterRestartPolicy, MiniClusterWait } from "../args";
import { killedStatuses, leftStatus } from "../flux/statuses";

import { autoscaled, brokerSelector, disruptionBudgetName, hashAnnotation } from "../parse/names";
import { isAutoscaled, isResizedByPatch, type MiniClusterSpec, retriesCommand, copiesView } from "../parse/spec";
import { type DisruptionBudgetManifest, metadata, patchMetadata, type PodTemplate } from "./manifest";
import { poolNodeAnnotations } from "../pool/objects/poolNodeAnnotation";

/** The Indexed Job whose pods are the brokers. */
export function buildJob(spec: MiniClusterSpec, template: PodTemplate) {
  const { jobLabels, jobAnnotations } = spec.additions;
  const { labels, ...identity } = metadata(spec, spec.name, {
    ...spec.jobAnnotations,
    "pulumi.com/waitFor": waitForAnnotation(spec),
    ...(isAutoscaled(spec) && { [hashAnnotation]: autoscaled }),
    ...jobAnnotations,
  });
  return {
    metadata: { ...identity, labels: { ...labels, ...spec.jobLabels, ...jobLabels } },
    spec: {
      completionMode: "Indexed",
      ...counts(spec),
      suspend: spec.suspend,
      ...(!isResizedByPatch(spec) && { activeDeadlineSeconds: spec.deadlineSeconds }),
      backoffLimit: spec.backoffLimit,
      ...(isReplaced(spec) && { backoffLimitPerIndex: spec.backoffLimit }),
      ttlSecondsAfterFinished: spec.cleanup ? cleanupSeconds : undefined,
      // Two brokers must never have the same rank: a pod is replaced only after it has terminated.
      podReplacementPolicy: "Failed",
      // The lead broker's exit status decides whether the Job succeeds.
      successPolicy: { rules: [{ succeededIndexes: "0" }] },
      podFailurePolicy: podFailurePolicy(spec),
      template,
    },
  };
}

/** Fields whose change replaces the Job. */
export function replacingParts(spec: MiniClusterSpec, template: PodTemplate): object {
  const { jobLabels: labels, jobAnnotations: annotations } = spec.additions;
  const isMarked = [annotations, labels].some((marks) => Object.keys(marks).length > 0);
  return isMarked ? { template, queue: { annotations, labels } } : template;
}

// Long enough for `pulumi up` to see how the Job has ended.
const cleanupSeconds = 60;

/** The part of the Job that a resize changes. It is patched again when a field that replaces the Job changes. */
export function buildJobScale(spec: MiniClusterSpec, replacing: object, leafHash?: pulumi.Input<string>) {
  const { annotations, ...identity } = patchMetadata(spec, spec.name, hashKnown(replacing), leafHash);
  return {
    // A resize is compared with the former patch.
    metadata: {
      ...identity,
      annotations: { ...annotations, ...poolNodeAnnotations(spec), ...spec.additions.patchAnnotations },
    },
    spec: {
      ...counts(spec),
      // Set by the patch alone, so that the first patch of a Job, which already has these counts, also changes its specification:
      // while the generation is unchanged, a wait reads an earlier state as the present state.
      activeDeadlineSeconds: spec.deadlineSeconds,
      ...(spec.suspendsAtZero && { suspend: spec.size === 0 }),
    },
  };
}

/**
 * Counts of the Job. Kubernetes resizes an Indexed Job in place only while completions equals parallelism, and a Job without
 * completions would be complete permanently: a cluster of size 0 is suspended, with counts of 1.
 */
function counts({ size }: MiniClusterSpec) {
  const count = Math.max(1, size);
  return { completions: count, parallelism: count };
}

/**
 * Policy by which a pod whose node was drained or lost, or that was terminated, does not count as failed: another pod takes its
 * rank, and no number of them fails the Job. Kubernetes waits for 10 s before it creates the pod, and twice as long after each
 * further pod, up to 10 minutes. With a limit for each rank, which is never reached before the limit of the Job, it counts the
 * pods of each rank separately.
 */
function podFailurePolicy(spec: MiniClusterSpec) {
  if (!isReplaced(spec)) return undefined;
  // If a pod terminates while the view is copied, only that container has an exit status.
  const containers = [spec.main.name, ...(copiesView(spec.flux) ? [spec.flux.container.name] : [])];
  const terminated = (containerName: string) => ({ containerName, operator: "In", values: [leftStatus] });
  // Kubernetes requires the statuses in order, without duplicates.
  const values = [...new Set([leftStatus, ...killedStatuses])].sort((one, other) => one - other);
  const failed = { containerName: spec.main.name, operator: "NotIn", values };
  return {
    rules: [
      { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
      ...containers.map((name) => ({ action: "Ignore", onExitCodes: terminated(name) })),
      ...(retriesCommand(spec) ? [] : [{ action: "FailJob", onExitCodes: failed }]),
    ],
  };
}

/** True if a container that has ended is not restarted in its pod. Only then does Kubernetes record why it has ended. */
const isReplaced = ({ pod }: MiniClusterSpec) => pod.restartPolicy === MiniClusterRestartPolicy.Never;

/** Rejects voluntary evictions of the brokers' pods. */
export function buildDisruptionBudget(spec: MiniClusterSpec): DisruptionBudgetManifest | undefined {
  if (!spec.disruptionBudget) return undefined;
  return {
    metadata: metadata(spec, disruptionBudgetName(spec)),
    // A Job has no subresource `scale`, without which a budget is an integer of minAvailable; the largest holds at every size.
    spec: { minAvailable: spec.maxSize, selector: brokerSelector(spec) },
  };
}

// The parser of Pulumi's Kubernetes provider refuses `a || b && (c) || d`, which RFC 9535 allows: each "and" of two conditions is
// in parentheses.
const both = (one: string, other: string) => `(${one} && ${other})`;

// The Job has ended, successfully or not: no state remains to wait for.
const ended = ["@.completionTime", "@.conditions[?@.type == 'Failed']"];

// The user has paused the Job.
const paused = "@.suspend == true";

// No pod is terminating.
const noneTerminating = "(!$.status.terminating || $.status.terminating == 0)";

/**
 * Condition of a Job whose patch has not run. A replaced Job has the counts of its first creation until its patch runs. Only the
 * patch waits for pods: before it, the brokers of a cluster that has grown since could never reach their quorum.
 */
const notYetPatched = both("@.annotations", `!@.annotations['${hashAnnotation}']`);

/** Conditions of a Job with enough pods Ready, one of which has to hold. */
function enoughReady(spec: MiniClusterSpec): string[] {
  const all = "@.ready == $.spec.parallelism";
  // The agent may have set any larger size, whose pods wait for nodes. It comes after the Job, so a Job that has fewer pods than
  // `min` must not wait for it. The provider splits an expression at the "=" of ">=".
  return isAutoscaled(spec) ? [`@.ready > ${spec.autoscale.min - 1}`, all] : [all];
}

const goals: Record<MiniClusterWait, (spec: MiniClusterSpec) => string[]> = {
  [MiniClusterWait.Ready]: (spec) => [...enoughReady(spec), ...ended],
  [MiniClusterWait.Settled]: (spec) => [...enoughReady(spec).map((ready) => both(ready, noneTerminating)), ...ended],
  [MiniClusterWait.Complete]: () => ended,
  [MiniClusterWait.None]: () => ["@.uid"],
};

/** Followers that end with their broker are never ready again: an index that has succeeded gets no other pod. */
function completed({ flux, wait }: MiniClusterSpec): string[] {
  const needsReady = wait === MiniClusterWait.Ready || wait === MiniClusterWait.Settled;
  return flux.completeWorkers && needsReady ? ["@.succeeded > 0"] : [];
}

/**
 * Condition that `pulumi up` waits for, as an RFC 9535 JSONPath on the live Job. It names no size, so that it stays the
 * same through every resize, and the patch of the size also waits for it. Each "&&" beside a "||" has parentheses: the parser of
 * the provider requires them.
 */
export function waitForAnnotation(spec: MiniClusterSpec): string {
  const { wait, suspend } = spec;
  const patched = isResizedByPatch(spec) ? [notYetPatched] : [];
  // Another controller suspends the Job until it can start.
  const resting =
    wait === MiniClusterWait.None || suspend === undefined
      ? []
      : [wait === MiniClusterWait.Settled ? both(paused, noneTerminating) : paused];
  return `jsonpath={$[?${[...patched, ...goals[wait](spec), ...completed(spec), ...resting].join(" || ")}]}`;
}
