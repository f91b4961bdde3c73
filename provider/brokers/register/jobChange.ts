import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import * as pulumi from "@pulumi/pulumi";
import { numberAt, type Inputs, type Remark } from "../../shared/changes";
import { properties } from "../../shared/checks";
import { whenKnown } from "../../shared/deferred";
import { version } from "../../shared/version";
import { MiniClusterWait } from "../args";
import { followsQueue, hashAnnotation, maxAnnotation, scriptsAnnotation } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";

/** Job in the outputs of a resource, as far as the remarks read it. */
export interface Seen {
  metadata?: { annotations?: Record<string, unknown> };
  spec?: { parallelism?: number; suspend?: boolean };
  status?: { ready?: number; completionTime?: string; conditions?: { type?: string; status?: string }[] };
}

const endings = ["Complete", "Failed"];

/** True for a Job that runs nothing any more. */
export const hasEnded = ({ status = {} }: Seen) =>
  status.completionTime !== undefined ||
  (status.conditions ?? []).some(({ type = "", status: state }) => endings.includes(type) && state === "True");

/**
 * Pods that an update of the Job would wait for in vain, because the cluster is to have another number: only the patch
 * that comes after the update could let it end.
 */
function awaitedInVain(spec: MiniClusterSpec, seen: Inputs): { pods: number; ready: number } | undefined {
  const job = seen as Seen;
  const pods = job.spec?.parallelism;
  const ready = job.status?.ready ?? 0;
  // What the Job was when it was made says nothing of how it is: only a refresh has seen it with its patch.
  const hash = properties(job.metadata?.annotations)[hashAnnotation];
  const isRefreshed = hash !== undefined && hash !== followsQueue;
  const isOver = hasEnded(job) || job.spec?.suspend === true || spec.wait === MiniClusterWait.None || ready === pods;
  const isVain = isRefreshed && !isOver && pods !== Math.max(1, spec.size);
  return isVain && pods !== undefined ? { pods, ready } : undefined;
}

/** Remarks on a resize of a Job that has ended, which runs nothing any more, whatever its size. */
export function endedRemarks(
  spec: MiniClusterSpec,
  { before, after, seen }: { before: Inputs; after: Inputs; seen: Inputs },
  severity: Remark["severity"],
): Remark[] {
  const [old, changed] = [before, after].map((inputs) => numberAt(inputs, "spec", "completions"));
  if (old === undefined || changed === undefined || old === changed || !hasEnded(seen)) return [];
  const text =
    `the Job ${spec.namespace}/${spec.name} has ended, and another size changes nothing about it; to run it anew at this size, ` +
    `replace it: pulumi up --replace '**batch/v1:Job::*'`;
  return [{ severity, text }];
}

/**
 * Remarks on a resize that replaces the Job, because the hosts of the instance follow the size where `maxSize` is not set.
 * The replacement stands in the preview; its reason does not.
 */
export function replacementRemarks(spec: MiniClusterSpec, before: Inputs, after: Inputs): Remark[] {
  const [old, changed] = [before, after].map((inputs) => numberAt(inputs, "spec", "completions"));
  const [oldHash, hash] = [before, after].map((inputs) => annotationsIn(inputs)[hashAnnotation]);
  if (spec.role === "follower" || spec.hasMaxSize) return [];
  if (old === undefined || changed === undefined || old === changed || oldHash === hash) return [];
  return [replacementRemark("size", old, changed)];
}

/** The same for another largest size of a cluster whose size follows its queue, from the inputs of its agent. */
export function largerReplacementRemarks(spec: MiniClusterSpec, before: Inputs, after: Inputs): Remark[] {
  const [old, changed] = [before, after].map((inputs) => annotationsIn(inputs)[maxAnnotation]);
  if (spec.role === "follower" || spec.hasMaxSize) return [];
  if (typeof old !== "string" || typeof changed !== "string" || old === changed) return [];
  return [replacementRemark("max", old, changed)];
}

function replacementRemark(what: "size" | "max", old: number | string, changed: number | string): Remark {
  const text =
    `${what === "max" ? "autoscale.max" : what} ${old} => ${changed} replaces the Job and restarts every broker, because ` +
    `maxSize is not set; set maxSize to the largest ${what} that you will want together with this change, and later ones are ` +
    "made in place";
  return { severity: "warning", text };
}

const annotationsIn = (inputs: Inputs) => properties((inputs as Seen).metadata?.annotations);

/**
 * Remarks on the patch of a ConfigMap whose scripts another version of this package has changed: a changed script replaces the Job,
 * although no argument has changed.
 */
export function scriptRemarks({ namespace, name }: MiniClusterSpec, before: Inputs, after: Inputs): Remark[] {
  const [old, changed] = [before, after].map(annotationsIn);
  // A cluster of a version without the mark has other scripts, too.
  if (old?.[scriptsAnnotation] === changed?.[scriptsAnnotation]) return [];
  const text =
    `new scripts of version ${version} replace the Job ${namespace}/${name} and restart every broker; to keep the jobs that run, ` +
    "go back to the former version until they have ended";
  return [{ severity: "warning", text }];
}

/** The unique identifier of the object that some outputs belong to. */
export const uidOf = (seen: Inputs) => (seen["metadata"] as { uid?: string } | undefined)?.uid;

/** Time in which the engine has to reach the patch. One that works on several resources at a time needs far less. */
const patienceMillis = 20_000;

/**
 * The order of a Job and the patch of its size. The patch comes after the Job. But a refresh marks every Job that runs as
 * unhealthy, and the engine then updates it, even where nothing has changed: the provider waits for the pods that the Job has
 * had so far, and where these cannot all come up, a new size would never be reached. Then the patch goes first.
 */
export class SizeFirst {
  private goAhead: () => void = () => undefined;
  private readonly ahead = new Promise<void>((resolve) => (this.goAhead = resolve));
  /** To be called when the engine has come to the patch. */
  reached: () => void = () => undefined;
  private readonly isReached = new Promise<void>((resolve) => (this.reached = resolve));

  constructor(
    private readonly name: string,
    private readonly spec: MiniClusterSpec,
  ) {}

  /** Before an update of the Job: lets the patch go first where the Job would wait in vain. */
  async beforeJob(seen: Inputs): Promise<Remark[]> {
    const awaited = awaitedInVain(this.spec, seen);
    if (!awaited) return [];
    this.goAhead();
    const over = new AbortController();
    const inTime = await Promise.race([
      this.isReached.then(() => true),
      sleep(patienceMillis, false, { signal: over.signal, ref: false }).catch(() => false),
    ]);
    over.abort();
    return inTime ? [] : [this.tooLate(awaited)];
  }

  /** Options by which the patch depends on the Job and is deleted with it, or on nothing if the patch goes first. */
  optionsOfPatch(job: Job): pulumi.CustomResourceOptions {
    const before = Promise.race([whenKnown(job.urn).then(() => [job]), this.ahead.then(() => [] as Job[])]);
    // The SDK asks no more of this resource than its URN, and takes an empty one for none.
    const urn = pulumi.output(before.then(([made]) => made?.urn ?? ""));
    return { dependsOn: pulumi.output(before), deletedWith: { urn } as pulumi.Resource };
  }

  private tooLate({ pods, ready }: { pods: number; ready: number }): Remark {
    const targets = ["entrypoint-size", "size"].map((patch) => `--target '**::${this.name}-${patch}'`).join(" ");
    const text =
      `the Job ${this.spec.namespace}/${this.spec.name} has ${ready} of ${pods} pods Ready, and the Kubernetes provider would wait for ` +
      `all of them before it sets the size ${this.spec.size}; let the engine work on two resources at a time (--parallel 2), or ` +
      `set the size first: pulumi up ${targets}`;
    return { severity: "error", text };
  }
}
