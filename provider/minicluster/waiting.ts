import type { types } from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { withMessageAlone } from "../shared/errors";
import { MiniClusterWait } from "./args";
import { diagnoseCommand } from "./commands";
import type { MiniClusterSpec } from "./spec";

/** Pods that take longer than this deserve a look. */
const patience = 30_000;

/**
 * Tells how to look into pods that are slow to come up. The engine only knows that the wait has run out of time, and by then
 * this program no longer hears of it: the hint has to come while the wait goes on.
 */
export function hintWhileWaiting(
  spec: MiniClusterSpec,
  component: pulumi.ComponentResource,
  { begun, ended }: { begun: pulumi.Resource[]; ended: pulumi.Resource },
): void {
  if (pulumi.runtime.isDryRun() || spec.wait === MiniClusterWait.None) return;
  const hint = `still waiting for the pods of ${spec.name}; to see what they wait for, run: ${diagnoseCommand(spec)}`;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    if (isOver) return;
    // The program may have ended by then, and with it the engine's ear.
    timer = setTimeout(() => void pulumi.log.warn(hint, component).catch(() => undefined), delay(spec));
    timer.unref();
  };
  pulumi.all(begun.map(({ urn }) => urn)).apply(start);
  ended.urn.apply(() => {
    isOver = true;
    clearTimeout(timer);
  });
}

const delay = ({ waitTimeoutSeconds }: MiniClusterSpec) => Math.min(patience, (waitTimeoutSeconds * 1000) / 2);

/**
 * A value that exists only if the Job has not failed: a wait is over as well when the Job has given up. A preview shows
 * the failure and goes on, so that the change that mends it can be seen.
 */
export function unlessFailed(
  spec: MiniClusterSpec,
  component: pulumi.ComponentResource,
  status: pulumi.Output<types.output.batch.v1.JobStatus | undefined>,
  value: pulumi.Output<string>,
): pulumi.Output<string> {
  return pulumi.all([status, value]).apply(([live, result]) => {
    // A Job that is only rendered to a file has no status.
    const failure = live?.conditions?.find(({ type, status: state }) => type === "Failed" && state === "True");
    if (!failure) return result;
    const message =
      `the Job ${spec.namespace}/${spec.name} has failed (${failure.reason}: ${failure.message}); ` +
      `to see why, run: ${diagnoseCommand(spec)}; to run it anew, replace its Job (pulumi up --replace <urn>)`;
    if (!pulumi.runtime.isDryRun()) throw withMessageAlone(new pulumi.ResourceError(message, component, true));
    void pulumi.log.warn(message, component);
    return result;
  });
}
