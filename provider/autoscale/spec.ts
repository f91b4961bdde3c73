import { hasGroups, isAutoscaled, isGroup, jobsOf, type MiniClusterSpec } from "../core/parse/spec";
import type { AutoscaleSpec } from "./fields";

/** A Job that is autoscaled. */
export type AutoscaledJob = MiniClusterSpec & { autoscale: AutoscaleSpec };

/** The Jobs of a cluster whose counts its agent sets. */
export const autoscaledJobs = (spec: MiniClusterSpec): AutoscaledJob[] =>
  // The bounds in the spec of a Job are the whole spec of `autoscale`.
  isGroup(spec) ? [] : (jobsOf(spec).filter(isAutoscaled) as AutoscaledJob[]);

/** The largest sizes that the agent sets. */
export const largestSizes = (spec: MiniClusterSpec) =>
  autoscaledJobs(spec)
    .map(({ name, autoscale: { max } }) => (hasGroups(spec) ? `${name}: ${max}` : String(max)))
    .join(", ");
