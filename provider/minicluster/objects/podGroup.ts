import { podGroupName } from "../names";
import type { MiniClusterSpec } from "../parse/spec";
import { metadata } from "./metadata";
import type { PodGroupManifest } from "./types";

/** The gang of the brokers' pods, for Kubernetes' own scheduler. */
export function buildPodGroup(spec: MiniClusterSpec): PodGroupManifest | undefined {
  const { podGroup } = spec;
  if (!podGroup) return undefined;
  const { minCount } = podGroup;
  return { metadata: metadata(spec, podGroupName(spec, podGroup)), spec: { schedulingPolicy: { gang: { minCount } } } };
}

/** The gang that a pod is a member of. The Job controller then makes none by itself. */
export const schedulingGroup = (spec: MiniClusterSpec) =>
  spec.podGroup && { podGroupName: podGroupName(spec, spec.podGroup) };
