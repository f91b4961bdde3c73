import { brokerSelector, disruptionBudgetName } from "../names";
import type { MiniClusterSpec } from "../parse/spec";
import { metadata } from "./metadata";
import type { DisruptionBudgetManifest } from "./types";

/** Keeps every broker from voluntary eviction. */
export function buildDisruptionBudget(spec: MiniClusterSpec): DisruptionBudgetManifest | undefined {
  if (!spec.disruptionBudget) return undefined;
  return {
    metadata: metadata(spec, disruptionBudgetName(spec)),
    // Kubernetes does not know the scale of a Job, so the number of pods has to be said; the largest holds at every size.
    spec: { minAvailable: spec.maxSize, selector: brokerSelector(spec) },
  };
}
