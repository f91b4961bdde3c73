import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import type { JobPatch } from "@pulumi/kubernetes/batch/v1/jobPatch";
import * as pulumi from "@pulumi/pulumi";
import { lookAtCluster } from "../../shared/apiServer";
import { remarkOnError } from "../../shared/changes";
import { whenKnown } from "../../shared/deferred";
import { withoutStack } from "../../shared/errors";
import { printable } from "../../shared/printable";
import { MiniClusterWait } from "../args";
import { diagnoseCommand } from "../flux/hosts";
import type { MiniClusterSpec } from "../parse/spec";
import { describeLeaving } from "./capacity";
import { kubectlOf } from "./kubectl";
import { explainGangRefusal } from "./nativeGang";
import {
  type JobToLookAt,
  type Progress,
  readLastWords,
  readPodProblems,
  readProgress,
  readQueueProblems,
} from "./progress";

/** Milliseconds after which pods that are not Ready are reported. */
const patience = 30_000;

/**
 * Milliseconds until the next look at the Job: a tenth of the time that it has been waited for, from 2 to 30 seconds. A hundred
 * clusters that wait for nodes for minutes would else ask the API server fifty times a second.
 */
export const pauseAfter = (waited: number) => Math.min(Math.max(waited / 10, 2_000), 30_000);

/** The resources of a wait. */
interface Wait {
  /** Resources that exist when the wait begins. */
  begun: pulumi.Resource[];
  /** Resource that waits. */
  ended: pulumi.Resource;
  /** The Job, if it exists before the wait is over. */
  job?: Job;
}

/**
 * Logs how many brokers have joined while the engine waits, and the reasons of the others once they are slow: the engine
 * only knows in the end that the wait has run out of time. All of it as far as the API server can be asked.
 */
export function reportWhileWaiting(
  spec: MiniClusterSpec,
  component: pulumi.ComponentResource,
  { begun, ended, job }: Wait,
): void {
  if (spec.wait === MiniClusterWait.None) return;
  duringWait({ begun, ended }, (signal) => countWhileWaiting(spec, { component, job }, signal));
  duringWait({ begun, ended }, async (signal) => {
    await untilSlow(spec, signal);
    const seen = await describeWait(spec, { component, job });
    if (!signal.aborted) await pulumi.log.warn(`still waiting for the pods of ${spec.name}${seen}`, component);
  });
}

/** Does some work while the engine waits for a resource, from the time on when all that comes before it exists. */
export function duringWait({ begun, ended }: Omit<Wait, "job">, work: (signal: AbortSignal) => Promise<void>): void {
  if (pulumi.runtime.isDryRun()) return;
  const over = new AbortController();
  // The program may have ended by then, and with it the engine's ear.
  pulumi.all(begun.map(({ urn }) => urn)).apply(() => void work(over.signal).catch(() => undefined));
  ended.urn.apply(() => over.abort());
}

/** Resolves when a wait is slow, and rejects when it is over. */
export const untilSlow = ({ waitTimeoutSeconds }: MiniClusterSpec, signal: AbortSignal) =>
  sleep(Math.min(patience, (waitTimeoutSeconds * 1000) / 2), undefined, { signal, ref: false });

/** Component whose cluster is looked at, and its Job. */
interface Look {
  component: pulumi.Resource;
  job: Job | undefined;
}

async function countWhileWaiting(spec: MiniClusterSpec, look: Look, signal: AbortSignal) {
  const start = performance.now();
  const pause = () => sleep(pauseAfter(performance.now() - start), undefined, { signal, ref: false });
  await pause();
  const seen = await lookAt(look);
  for (let told = ""; seen; await pause()) {
    const text = await readProgress(seen, spec).then(describeProgress, () => told);
    // Shown beside the component until the next one comes.
    if (text !== told && !signal.aborted) await pulumi.log.info(text, look.component, undefined, true);
    told = text;
  }
}

/** Hook that logs why a resize was refused, or what has kept the pods when a wait has run out of time. */
export const remarkOnWait = (name: string, spec: MiniClusterSpec, component: pulumi.Resource, job?: Job) =>
  remarkOnError(`minicluster:${name}:wait`, component, async (errors) => [
    {
      severity: "error",
      text:
        explainGangRefusal(spec, errors) ??
        `${awaited[spec.wait](spec.name)} in time${await describeWait(spec, { component, job })}`,
    },
  ]);

const awaited: Record<MiniClusterWait, (name: string) => string> = {
  [MiniClusterWait.Ready]: (name) => `the pods of ${name} have not all become Ready`,
  [MiniClusterWait.Settled]: (name) => `the pods of ${name} have not all become Ready or gone`,
  [MiniClusterWait.Complete]: (name) => `the command of ${name} has not ended`,
  [MiniClusterWait.None]: (name) => `${name} has not come up`,
};

const describeProgress = ({ joined, wanted, leaving }: Progress) =>
  `${joined} of ${wanted} brokers have joined${leaving > 0 ? `, ${describeLeaving(leaving)}` : ""}`;

async function lookAt({ component, job }: Look): Promise<JobToLookAt | undefined> {
  const uid = job && (await whenKnown(job.metadata.uid));
  const read = uid === undefined ? undefined : await lookAtCluster(component);
  return read && uid !== undefined ? { read, uid } : undefined;
}

/** Progress of a cluster, the reasons that keep it, and the command that shows more, as the end of a message. */
async function describeWait(spec: MiniClusterSpec, look: Look): Promise<string> {
  const seen = await lookAt(look);
  const described = async (job: JobToLookAt) => [
    describeProgress(await readProgress(job, spec)),
    ...(await readQueueProblems(job, spec)),
    ...(await readPodProblems(job, spec)),
  ];
  const told = seen ? await described(seen).catch(() => []) : [];
  return `${told.length > 0 ? `: ${told.join("; ")}` : ""}; to see more, run: ${await diagnosis(spec, look)}`;
}

/** Command that shows why the pods of a component do not come up. */
const diagnosis = async (spec: MiniClusterSpec, { component }: Pick<Look, "component">) =>
  diagnoseCommand(spec, await kubectlOf(component));

/** Last lines of the lead broker's log, as the end of the message on its failure. */
async function describeLastWords(spec: MiniClusterSpec, look: Look): Promise<string> {
  const seen = await lookAt(look);
  const words = seen ? await readLastWords(seen, spec) : [];
  return words.length > 0 ? `\nthe last lines of the lead broker:\n${words.join("\n")}` : "";
}

/**
 * Name of the Job, which exists only if the Job has not failed: a wait also ends when the Job has given up. A preview
 * shows the failure and goes on, so that the change that mends it can be seen.
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
      `to see why, run: ${await diagnosis(spec, { component })}; to run it anew, replace its Job: pulumi up --replace '${urn}'`;
    if (pulumi.runtime.isDryRun()) {
      void pulumi.log.warn(message, component);
      return result;
    }
    const lastWords = await describeLastWords(spec, { component, job }).catch(() => "");
    throw withoutStack(new pulumi.ResourceError(`${message}${lastWords}`, component, true));
  });
}
