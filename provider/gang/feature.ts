import { objects } from "../core/objects/identities";
import type { Feature } from "../core/register/feature";
import { explainGangRejection, gangDiagnostics, readQueueProblems } from "./diagnostics";
import { gang, type GangFields } from "./fields";
import { elasticAnnotation, queueLabels } from "./names";
import { buildPodGroup } from "./objects";
import { registerPodGroup } from "./register";
import { nativeGangRules, queueRules } from "./rules";
import { gangAdditions, gangOf, buildGangSpec, withQueueArgument } from "./spec";

/** Pods that are scheduled together or not at all, by Kueue, another scheduler or Kubernetes itself. */
export const gangFeature: Feature = {
  name: "gang",
  jobFields: { gang: gang.prefault({}) },
  rules: nativeGangRules,
  jobRules: queueRules,
  normalize: withQueueArgument,
  buildSpec({ gang: fields }: { gang: GangFields }, spec) {
    const built = buildGangSpec(fields, spec);
    return {
      spec: built,
      additions: gangAdditions(fields, spec, built.podGroup),
      isHeldBack: built.isQueued,
    };
  },
  // Kueue does not allow these to change while the Job runs.
  fixedInJob: [
    `metadata.annotations["${elasticAnnotation}"]`,
    ...queueLabels.map((key) => `metadata.labels["${key}"]`),
  ],
  onResize: gangDiagnostics,
  restartOnResize: (spec) =>
    gangOf(spec)?.isQueued && spec.additions.jobAnnotations[elasticAnnotation] === undefined
      ? "Kueue stops all pods and starts them again"
      : undefined,
  explain: explainGangRejection,
  waitReasons: readQueueProblems,
  build(spec) {
    const { podGroup } = gangOf(spec) ?? {};
    if (!podGroup) return undefined;
    const manifest = buildPodGroup(spec, podGroup);
    const versioned = { apiVersion: `scheduling.k8s.io/${podGroup.version}`, ...manifest };
    return {
      manifests: { podGroup: manifest },
      objects: objects("PodGroup", versioned),
      registerFirst: (job, options) => registerPodGroup(job, podGroup, manifest, options),
    };
  },
};
