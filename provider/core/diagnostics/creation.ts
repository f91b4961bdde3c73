import type { Diagnostic } from "../../diagnostics/hooks";
import { propertyPath } from "../../shared/errors";
import type { JobManifests } from "../objects";
import { isAutoscaled, type MiniClusterSpec } from "../parse/spec";
import type { FeatureDiagnostics } from "./featureDiagnostics";

/** A Job of a cluster with its objects, and the argument of the cluster behind each path of the arguments of the Job. */
export interface CreatedJob {
  spec: MiniClusterSpec;
  manifests: JobManifests;
  features: readonly FeatureDiagnostics[];
  sourcePathOf: (path: PropertyKey[]) => PropertyKey[];
}

/** Notices of a new cluster: sizes that cannot change in place, and hosts that the command does not use. */
export const creationNotices = (jobs: CreatedJob[]): Diagnostic[] =>
  [...fixedSizes(jobs), ...jobs.flatMap(({ spec }) => idleHosts(spec))].map((message) => ({
    severity: "info",
    message,
  }));

/** One sentence on all sizes of a cluster whose change would replace its Jobs, because the hosts of the instance depend on them. */
function fixedSizes(jobs: CreatedJob[]): string[] {
  const fixed = jobs.filter(({ spec }) => !isAutoscaled(spec) && !spec.hasMaxSize);
  if (fixed.length === 0) return [];
  const sizes = fixed.map(({ spec, sourcePathOf }) => `${propertyPath(sourcePathOf(["size"]))} ${spec.size}`);
  const remedies = fixed.map(({ sourcePathOf }) => propertyPath(sourcePathOf(["maxSize"])));
  const replaced = jobs.length > 1 ? "all Jobs of the cluster" : "the Job";
  const are = fixed.length > 1 ? "are" : "is";
  return [
    `${sizes.join(", ")} ${are} fixed: a later change replaces ${replaced}; set ${remedies.join(", ")} to resize in place`,
  ];
}

/** Flux places the tasks of a command on as few hosts as they fit, unless there is one for each host. */
function idleHosts(spec: MiniClusterSpec): string[] {
  if (spec.role === "follower" || isAutoscaled(spec) || (spec.mode !== "submit" && spec.mode !== "batch")) return [];
  const { tasks, size } = spec;
  if (tasks === undefined || tasks >= size) return [];
  const need = tasks === 1 ? "1 task needs 1 host" : `${tasks} tasks need at most ${tasks} hosts`;
  const idle = `${size - tasks} of the ${size} hosts ${size - tasks === 1 ? "stays" : "stay"} idle`;
  return [`${need}, so at least ${idle}; set tasks to ${size} or more to use all hosts`];
}
