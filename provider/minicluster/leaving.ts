import { type Inputs, numberAt, type Remark } from "../shared/changes";
import { podsIn } from "./capacity";
import { hostRange } from "./flux/hostlist";
import type { MiniClusterSpec } from "./parse/spec";

/** Remarks on pods that leave with another size, and on what becomes of their jobs, from the inputs of the Job's patch. */
export function leavingRemarks(spec: MiniClusterSpec, before: Inputs, after: Inputs): Remark[] {
  const [old, changed] = [before, after].map(podsIn);
  if (old === undefined || changed === undefined || changed >= old) return [];
  const hosts = hostRange(spec.name, changed, old - changed);
  const verb = old - changed === 1 ? "leaves" : "leave";
  const jobs =
    spec.drainTimeoutSeconds > 0
      ? `no new job starts there, and those that run there have ${spec.drainTimeoutSeconds} s to end`
      : "the jobs that run there are lost";
  return [{ severity: "info", text: `${hosts} ${verb}: ${jobs}` }];
}

/** Remarks on pods that a smaller size has not got rid of yet, from the Job as the API server has it. */
export function stillLeavingRemarks(spec: MiniClusterSpec, before: Inputs, after: Inputs, seen: Inputs): Remark[] {
  const leaving = numberAt(seen, "status", "terminating") ?? 0;
  if (leaving === 0 || leavingRemarks(spec, before, after).length === 0) return [];
  return [{ severity: "info", text: describeLeaving(leaving) }];
}

/** Text on a number of pods that have been told to leave, and have not gone. */
export const describeLeaving = (pods: number) =>
  pods === 1 ? "1 pod is still leaving" : `${pods} pods are still leaving`;
