import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import type { JobPatch } from "@pulumi/kubernetes/batch/v1/jobPatch";
import * as pulumi from "@pulumi/pulumi";
import { readerOf } from "../../diagnostics/apiServer";
import { beforeUpdate, type Inputs, mergeHooks, onError } from "../../diagnostics/hooks";
import { kubectlOf } from "../../diagnostics/kubectl";
import { callsBack } from "../../shared/children";
import { whenKnown, within } from "../../shared/deferred";
import { withoutStack } from "../../shared/errors";
import { printable } from "../../shared/printable";
import { MiniClusterWait } from "../args";
import { diagnoseCommand } from "../flux/hosts";
import type { MiniClusterSpec } from "../parse/spec";
import type { FeatureDiagnostics } from "./featureDiagnostics";
import {
  hasAdvice,
  type JobReader,
  type Progress,
  readLostPods,
  readLastLogLines,
  readPodProblems,
  readProgress,
} from "./pods";
import { describeTerminating } from "./resize";

/** Milliseconds after which pods that are not Ready are reported. */
const patience = 30_000;

/**
 * Milliseconds until the Job is read again: a tenth of the time waited so far, from 2 to 30 seconds. A hundred clusters that wait
 * for nodes for minutes would otherwise send fifty requests per second.
 */
export const pauseAfter = (waited: number) => Math.min(Math.max(waited / 10, 2_000), 30_000);

/** The resources of a wait. */
export interface Wait {
  /** Resources that exist when the wait begins, or a promise that resolves then. */
  begun: pulumi.Resource[] | Promise<unknown>;
  /** Resource that waits. */
  ended: pulumi.Resource;
}

/** The component of a cluster, and the unique identifier of its Job, if that exists before the wait is over. */
interface Cluster {
  component: pulumi.Resource;
  uid: () => Promise<string | undefined>;
  features: readonly FeatureDiagnostics[];
}

/** Milliseconds after which an unknown identifier of a Job stays unknown. */
const uidMillis = 1_000;

/** Milliseconds in which the reasons of a wait are read: fewer than a hook has, so that its message appears without them. */
const reasonsMillis = 8_000;

/** Identifier of a Job that exists when the wait begins. A Job whose update fails during the wait never gets its outputs. */
export const uidOf = (job: Job) => () => within(uidMillis, whenKnown(job.metadata.uid), undefined);

/** Identifier of the Job in the outputs of its resource or of its patch, as the engine has them. */
async function recordedUid({ metadata }: Inputs): Promise<string | undefined> {
  return (await whenKnown<{ uid?: string } | undefined>(pulumi.output(metadata)))?.uid;
}

/** The update of a Job that itself waits for the pods: after a refresh that found them not Ready, or with another label. */
export class WaitOfJob {
  private begin: (uid: string | undefined) => void = () => undefined;
  /** Resolves with the identifier of the Job when its update begins. */
  readonly begun = new Promise<string | undefined>((resolve) => (this.begin = resolve));

  constructor(
    private readonly name: string,
    private readonly component: pulumi.Resource,
    private readonly features: readonly FeatureDiagnostics[],
    /** True if the patch of the size waits for the same pods. */
    private readonly isPatchFirst: () => boolean = () => false,
  ) {}

  /** Identifier of the Job, undefined until its update begins. */
  readonly uid = () => within(0, this.begun, undefined);

  /** Hooks on the Job that note when its update begins, and log why it has failed. */
  hooks(spec: MiniClusterSpec): pulumi.ResourceHookBinding {
    const { name, component, uid, features } = this;
    return mergeHooks(
      beforeUpdate(`minicluster:${name}:jobWait`, component, async (_before, _after, recorded) => {
        if (!this.isPatchFirst()) this.begin(await recordedUid(recorded));
        return [];
      }),
      waitDiagnostics(`${name}:job`, spec, { component, uid, features }, () => !this.isPatchFirst()),
    );
  }
}

/**
 * Logs how many brokers have joined while the engine waits, and why the others have not if the wait is slow: the engine itself
 * reports only that the wait has timed out. Without a connection to the API server it names the command that shows more.
 */
export function reportWhileWaiting(
  spec: MiniClusterSpec,
  component: pulumi.ComponentResource,
  { uid, features, ...wait }: Wait & Pick<Cluster, "uid" | "features">,
): void {
  if (spec.wait === MiniClusterWait.None) return;
  const cluster = { component, uid, features };
  duringWait(wait, (signal) => countWhileWaiting(spec, cluster, signal));
  duringWait(wait, async (signal) => {
    await untilSlow(spec, signal);
    const reasons = await describeWait(spec, cluster);
    if (!signal.aborted) await pulumi.log.warn(`still waiting for the pods of ${spec.name}${reasons}`, component);
  });
}

/** Runs `work` while the engine waits for a resource, once everything before it exists. */
export function duringWait({ begun, ended }: Wait, work: (signal: AbortSignal) => Promise<void>): void {
  if (pulumi.runtime.isDryRun()) return;
  const over = new AbortController();
  // Errors are ignored: the program may have ended by then, and with it the connection to the engine.
  const start = () => void work(over.signal).catch(() => undefined);
  if (Array.isArray(begun)) pulumi.all(begun.map(({ urn }) => urn)).apply(start);
  else void begun.then(start);
  ended.urn.apply(() => over.abort());
}

/** Resolves when a wait is slow, and rejects when it is over. */
export const untilSlow = ({ waitTimeoutSeconds }: MiniClusterSpec, signal: AbortSignal) =>
  sleep(Math.min(patience, (waitTimeoutSeconds * 1000) / 2), undefined, { signal, ref: false });

/** Warns in a preview of pods that a lost node keeps: a host of the instance is down, and the state does not show it. */
export async function warnOfLostPods(
  spec: MiniClusterSpec,
  component: pulumi.ComponentResource,
  job: Job,
): Promise<void> {
  if (!pulumi.runtime.isDryRun() || !callsBack()) return;
  const read = async () => {
    const reader = await jobReaderOf({ component, uid: () => whenKnown(job.metadata.uid) });
    return reader ? readLostPods(reader, spec) : [];
  };
  for (const problem of await within(reasonsMillis, read(), []).catch(() => []))
    await pulumi.log.warn(problem, component);
}

async function countWhileWaiting(spec: MiniClusterSpec, cluster: Cluster, signal: AbortSignal) {
  const start = performance.now();
  const pause = () => sleep(pauseAfter(performance.now() - start), undefined, { signal, ref: false });
  await pause();
  for (let logged = ""; ; await pause()) {
    // Without patches, the Job may appear only while the engine already waits.
    if ((await cluster.uid()) === undefined) continue;
    const job = await jobReaderOf(cluster);
    if (!job) return;
    const progress = await readProgress(job, spec).then(describeProgress, () => logged);
    // An ephemeral message, which the engine shows beside the component until the next message.
    if (progress !== logged && !signal.aborted) await pulumi.log.info(progress, cluster.component, undefined, true);
    logged = progress;
  }
}

/** Hook that logs why a resize was rejected, or why pods are not Ready when a wait has timed out. */
export const waitDiagnostics = (
  name: string,
  spec: MiniClusterSpec,
  { component, uid, features }: Cluster,
  applies: () => boolean = () => true,
) =>
  onError(`minicluster:${name}:wait`, component, async (errors, recorded) => {
    const [rejection] = features.flatMap((feature) => feature.explain?.(spec, errors) ?? []);
    if (rejection !== undefined) return [{ severity: "error", message: rejection }];
    // Any other error is its own reason, such as a rejection by a policy.
    if (!applies() || !errors[0]?.includes("timed out waiting")) return [];
    const known = async () => (await uid()) ?? recordedUid(recorded);
    const reasons = await describeWait(spec, { component, uid: known, features });
    return [{ severity: "error", message: `${timedOut[spec.wait](spec.name)} in time${reasons}` }];
  });

const timedOut: Record<MiniClusterWait, (name: string) => string> = {
  [MiniClusterWait.Ready]: (name) => `the pods of ${name} have not all become Ready`,
  [MiniClusterWait.Settled]: (name) => `the pods of ${name} have not all become Ready or terminated`,
  [MiniClusterWait.Complete]: (name) => `the command of ${name} has not ended`,
  [MiniClusterWait.None]: (name) => `${name} was not created or updated`,
};

const describeProgress = ({ joined, wanted, terminating }: Progress) =>
  `${joined} of ${wanted} brokers have joined${terminating > 0 ? `, ${describeTerminating(terminating)}` : ""}`;

async function jobReaderOf({ component, uid }: Omit<Cluster, "features">): Promise<JobReader | undefined> {
  const known = await uid();
  const read = known === undefined ? undefined : await readerOf(component);
  return read && known !== undefined ? { read, uid: known } : undefined;
}

/** Progress of a cluster, the problems of its pods, and the command that shows more, as the end of a message. */
async function describeWait(spec: MiniClusterSpec, cluster: Cluster): Promise<string> {
  const describe = async () => {
    const reader = await jobReaderOf(cluster);
    if (!reader) return [];
    const pods = await readPodProblems(reader, spec);
    const reasons = cluster.features.flatMap((feature) => feature.waitReasons?.(reader, spec, pods) ?? []);
    return [describeProgress(await readProgress(reader, spec)), ...(await Promise.all(reasons)).flat(), ...pods];
  };
  const parts = await within(reasonsMillis, describe(), []).catch(() => []);
  return `${parts.length > 0 ? `: ${parts.join("; ")}` : ""}; to see more, run: ${await diagnosis(spec, cluster)}`;
}

/** Command that shows why the pods of a component do not become Ready. */
const diagnosis = async (spec: MiniClusterSpec, { component }: Pick<Cluster, "component">) =>
  diagnoseCommand(spec, await kubectlOf(component));

/** Last lines of the lead broker's log, and the problems of failed pods, as the end of the message on a failed Job. */
async function describeFailure(spec: MiniClusterSpec, cluster: Omit<Cluster, "features">): Promise<string> {
  const job = await jobReaderOf(cluster);
  if (!job) return "";
  const lines = await readLastLogLines(job, spec).catch(() => []);
  // The log of a command that has failed is its own reason.
  const problems = (await readPodProblems(job, spec).catch(() => [])).filter(
    (each) => lines.length === 0 || hasAdvice(each),
  );
  return (
    problems.map((problem) => `; ${problem}`).join("") +
    (lines.length > 0 ? `\nthe last lines of the lead broker's log:\n${lines.join("\n")}` : "")
  );
}

/**
 * Name of the Job, or an error if the Job has failed: a wait also ends when the Job has failed. A preview warns of the failure
 * and continues, so that the change that corrects it can be previewed.
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
    const reasons = await describeFailure(spec, { component, uid: uidOf(job) }).catch(() => "");
    throw withoutStack(new pulumi.ResourceError(`${message}${reasons}`, component, true));
  });
}
