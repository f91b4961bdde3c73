import type * as pulumi from "@pulumi/pulumi";
import { hashKnown } from "../../shared/hash";
import { MiniClusterRestartPolicy } from "../args";
import { poolNodeAnnotations } from "../capacity";
import { queueLabel } from "../names";
import type { MiniClusterSpec } from "../spec";
import { metadata, patchMetadata } from "./metadata";
import type { PodTemplate } from "./types";
import { waitForAnnotation } from "./waitFor";

/** The Indexed Job whose pods are the brokers. */
export function buildJob(spec: MiniClusterSpec, template: PodTemplate) {
  const { labels, ...identity } = metadata(spec, spec.name);
  const { gang } = spec;
  return {
    metadata: {
      ...identity,
      labels: { ...labels, ...spec.jobLabels, ...(gang.queueName && { [queueLabel]: gang.queueName }) },
      annotations: { "pulumi.com/waitFor": waitForAnnotation(spec) },
    },
    spec: {
      completionMode: "Indexed",
      ...counts(spec),
      suspend: spec.suspend,
      activeDeadlineSeconds: spec.deadlineSeconds,
      backoffLimit: spec.backoffLimit,
      ttlSecondsAfterFinished: spec.cleanup ? cleanupSeconds : undefined,
      // Two brokers must never claim one rank: a pod is replaced when it has gone, not when it is going.
      podReplacementPolicy: "Failed",
      // The lead broker's exit status is the Job's verdict.
      successPolicy: { rules: [{ succeededIndexes: "0" }] },
      podFailurePolicy: podFailurePolicy(spec),
      template,
    },
  };
}

// Long enough for `pulumi up` to see how the Job has ended.
const cleanupSeconds = 60;

/** The part of the Job that a resize changes. */
export function buildJobScale(spec: MiniClusterSpec, template: PodTemplate, leafHash?: pulumi.Input<string>) {
  const { annotations, ...identity } = patchMetadata(spec, spec.name, hashKnown(template), leafHash);
  // A resize is compared with what the patch before it has said.
  return {
    metadata: { ...identity, annotations: { ...annotations, ...poolNodeAnnotations(spec) } },
    spec: { ...counts(spec), ...(spec.restsAtZero && { suspend: spec.size === 0 }) },
  };
}

/**
 * Kubernetes resizes an Indexed Job in place only while completions equals parallelism, and one without completions would be
 * complete for good: a cluster of size 0 rests, suspended, at 1.
 */
function counts({ size }: MiniClusterSpec) {
  const count = Math.max(1, size);
  return { completions: count, parallelism: count };
}

/** A node that is drained or lost is nobody's failure. Kubernetes can tell only where pods are not restarted in place. */
function podFailurePolicy({ pod }: MiniClusterSpec) {
  if (pod.restartPolicy !== MiniClusterRestartPolicy.Never) return undefined;
  return { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] };
}
