import { MiniClusterWait } from "../args";
import { hashAnnotation } from "../names";
import { isResizedByPatch, type MiniClusterSpec } from "../parse/spec";

// The Job has ended, well or not: there is nothing more to wait for.
const ended = ["@.completionTime", "@.conditions[?@.type == 'Failed']"];

// The user has paused the Job.
const paused = "@.suspend == true";

// Every pod that was told to leave has gone.
const left = "(!$.status.terminating || $.status.terminating == 0)";

/**
 * Condition of a Job whose patch has not run. A Job that is made anew starts with the counts of its first creation until
 * its patch runs, and it is the patch that waits: the brokers of a cluster that has grown since could never reach their
 * quorum before it.
 */
const notYetPatched = `(@.annotations && !@.annotations['${hashAnnotation}'])`;

const goals: Record<MiniClusterWait, string[]> = {
  [MiniClusterWait.Ready]: ["@.ready == $.spec.parallelism", ...ended],
  [MiniClusterWait.Settled]: [`@.ready == $.spec.parallelism && ${left}`, ...ended],
  [MiniClusterWait.Complete]: ended,
  [MiniClusterWait.None]: ["@.uid"],
};

/**
 * Condition that `pulumi up` waits for, as an RFC 9535 JSONPath on the live Job. It names no size, so that it stays the
 * same through every resize, and the patch of the size waits for it, too.
 */
export function waitForAnnotation(spec: MiniClusterSpec): string {
  const { wait, gang } = spec;
  const patched = isResizedByPatch(spec) ? [notYetPatched] : [];
  // A Job that Kueue holds back has still to start.
  const resting =
    wait === MiniClusterWait.None || gang.queueName !== undefined
      ? []
      : [wait === MiniClusterWait.Settled ? `${paused} && ${left}` : paused];
  return `jsonpath={$[?${[...patched, ...goals[wait], ...resting].join(" || ")}]}`;
}
