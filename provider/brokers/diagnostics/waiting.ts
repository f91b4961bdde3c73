import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import type { JobPatch } from "@pulumi/kubernetes/batch/v1/jobPatch";
import * as pulumi from "@pulumi/pulumi";
import { readerOf } from "../../diagnostics/apiServer";
import { onError } from "../../diagnostics/hooks";
import { kubectlOf } from "../../diagnostics/kubectl";
import { whenKnown } from "../../shared/deferred";
import { withoutStack } from "../../shared/errors";
import { printable } from "../../shared/printable";
import { MiniClusterWait } from "../args";
import { diagnoseCommand } from "../flux/hosts";
import type { MiniClusterSpec } from "../parse/spec";
import { explainGangRejection } from "./gang";
import {
  type JobReader,
  type Progress,
  readLastLogLines,
  readPodProblems,
  readProgress,
  readQueueProblems,
} from "./pods";
import { describeTerminating } from "./resize";

/** Milliseconds after which pods that are not Ready are reported. */
const patience = 30_000;

/**
 * Milliseconds until the Job is read again: a tenth of the time waited so far, from 2 to 30 seconds. A hundred clusters that
 * wait for nodes for minutes would else send fifty requests a second.
 */
export const pauseAfter = (waited: number) => Math.min(Math.max(waited / 10, 2_000), 30_000);

/** The resources of a wait. */
export interface Wait {
  /** Resources that exist when the wait begins. */
  begun: pulumi.Resource[];
  /** Resource that waits. */
  ended: pulumi.Resource;
}

/** The component of a cluster, and its Job, if that exists before the wait is over. */
interface Cluster {
  component: pulumi.Resource;
  job?: Job | undefined;
}

/**
 * Logs how many brokers have joined while the engine waits, and why the others have not, once they are slow: the engine
 * itself only reports that the wait has timed out. Without a connection to the API server it names the command that shows more.
 */
export function reportWhileWaiting(
  spec: MiniClusterSpec,
  component: pulumi.ComponentResource,
  { job, ...wait }: Wait & { job?: Job },
): void {
  if (spec.wait === MiniClusterWait.None) return;
  duringWait(wait, (signal) => countWhileWaiting(spec, { component, job }, signal));
  duringWait(wait, async (signal) => {
    await untilSlow(spec, signal);
    const reasons = await describeWait(spec, { component, job });
    if (!signal.aborted) await pulumi.log.warn(`still waiting for the pods of ${spec.name}${reasons}`, component);
  });
}

/** Runs `work` while the engine waits for a resource, once everything before it exists. */
export function duringWait({ begun, ended }: Wait, work: (signal: AbortSignal) => Promise<void>): void {
  if (pulumi.runtime.isDryRun()) return;
  const over = new AbortController();
  // An error is of no consequence: the program may have ended by then, and with it the engine's connection.
  pulumi.all(begun.map(({ urn }) => urn)).apply(() => void work(over.signal).catch(() => undefined));
  ended.urn.apply(() => over.abort());
}

/** Resolves when a wait is slow, and rejects when it is over. */
export const untilSlow = ({ waitTimeoutSeconds }: MiniClusterSpec, signal: AbortSignal) =>
  sleep(Math.min(patience, (waitTimeoutSeconds * 1000) / 2), undefined, { signal, ref: false });

async function countWhileWaiting(spec: MiniClusterSpec, cluster: Cluster, signal: AbortSignal) {
  const start = performance.now();
  const pause = () => sleep(pauseAfter(performance.now() - start), undefined, { signal, ref: false });
  await pause();
  const job = await jobReaderOf(cluster);
  for (let logged = ""; job; await pause()) {
    const progress = await readProgress(job, spec).then(describeProgress, () => logged);
    // An ephemeral message, shown beside the component until the next one.
    if (progress !== logged && !signal.aborted) await pulumi.log.info(progress, cluster.component, undefined, true);
    logged = progress;
  }
}

/** Hook that logs why a resize was rejected, or why pods are not Ready when a wait has timed out. */
export const waitDiagnostics = (name: string, spec: MiniClusterSpec, component: pulumi.Resource, job?: Job) =>
  onError(`minicluster:${name}:wait`, component, async (errors) => [
    {
      severity: "error",
      message:
        explainGangRejection(spec, errors) ??
        `${timedOut[spec.wait](spec.name)} in time${await describeWait(spec, { component, job })}`,
    },
  ]);

const timedOut: Record<MiniClusterWait, (name: string) => string> = {
  [MiniClusterWait.Ready]: (name) => `the pods of ${name} have not all become Ready`,
  [MiniClusterWait.Settled]: (name) => `the pods of ${name} have not all become Ready or gone`,
  [MiniClusterWait.Complete]: (name) => `the command of ${name} has not ended`,
  [MiniClusterWait.None]: (name) => `${name} was not created or updated`,
};

const describeProgress = ({ joined, wanted, terminating }: Progress) =>
  `${joined} of ${wanted} brokers have joined${terminating > 0 ? `, ${describeTerminating(terminating)}` : ""}`;

async function jobReaderOf({ component, job }: Cluster): Promise<JobReader | undefined> {
  const uid = job && (await whenKnown(job.metadata.uid));
  const read = uid === undefined ? undefined : await readerOf(component);
  return read && uid !== undefined ? { read, uid } : undefined;
}

/** Progress of a cluster, the problems of its pods, and the command that shows more, as the end of a message. */
async function describeWait(spec: MiniClusterSpec, cluster: Cluster): Promise<string> {
  const job = await jobReaderOf(cluster);
  const describe = async (reader: JobReader) => [
    describeProgress(await readProgress(reader, spec)),
    ...(await readQueueProblems(reader, spec)),
    ...(await readPodProblems(reader, spec)),
  ];
  const parts = job ? await describe(job).catch(() => []) : [];
  return `${parts.length > 0 ? `: ${parts.join("; ")}` : ""}; to see more, run: ${await diagnosis(spec, cluster)}`;
}

/** Command that shows why the pods of a component do not become Ready. */
const diagnosis = async (spec: MiniClusterSpec, { component }: Cluster) =>
  diagnoseCommand(spec, await kubectlOf(component));

/** Last lines of the lead broker's log, as the end of the message on its failure. */
async function describeLastLogLines(spec: MiniClusterSpec, cluster: Cluster): Promise<string> {
  const job = await jobReaderOf(cluster);
  const lines = job ? await readLastLogLines(job, spec) : [];
  return lines.length > 0 ? `\nthe last lines of the lead broker's log:\n${lines.join("\n")}` : "";
}

/**
 * Name of the Job, or an error if the Job has failed: a wait also ends when the Job has given up. A preview warns of the
 * failure and goes on, so that the change that corrects it can be previewed.
 */
export function unlessFailed(
  spec: MiniClusterSpec,
  component: pulumi.ComponentResource,
  { job, waiting }: { job: Job; waiting: Job | JobPatch },
): pulumi.Output<string> {
  return pulumi.all([waiting.status, job.metadata.name, job.urn]).apply(async ([live, result, urn]) => {
    // A Job that is only rendered to a file has no status.
    const failure = live?.conditions?.find(({ type, status: state }) => type === "Failed" && state === "True");
    if (!failure) return result;
    const message =
      `the Job ${spec.namespace}/${spec.name} has failed (${failure.reason}: ${printable(failure.message)}); ` +
      `to see why, run: ${await diagnosis(spec, { component })}; to run it again, replace it: pulumi up --replace '${urn}'`;
    if (pulumi.runtime.isDryRun()) {
      void pulumi.log.warn(message, component);
      return result;
    }
    const lastLines = await describeLastLogLines(spec, { component, job }).catch(() => "");
    throw withoutStack(new pulumi.ResourceError(`${message}${lastLines}`, component, true));
  });
}
