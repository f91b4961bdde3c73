import { metadata, type PodGroupManifest } from "../core/objects/manifest";
import type { MiniClusterSpec } from "../core/parse/spec";
import { podGroupName } from "./names";
import type { PodGroupSpec } from "./spec";

/** The gang of the brokers' pods, for Kubernetes' own scheduler. */
export function buildPodGroup(spec: MiniClusterSpec, podGroup: PodGroupSpec): PodGroupManifest {
  const { minCount } = podGroup;
  return { metadata: metadata(spec, podGroupName(spec, podGroup)), spec: { schedulingPolicy: { gang: { minCount } } } };
}
