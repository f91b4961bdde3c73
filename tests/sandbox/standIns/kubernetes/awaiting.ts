import type { Obj } from "../rpc/values";
import { annotationOf, getPath, isAnnotationTrue, kindOf, nameOf } from "./objects";
import { follow, NotReady, outOfTime, poll } from "./polling";
import { type Readiness, readinessCheck } from "./readiness";
import type { Resources } from "./resources";
import { isService, serviceReadiness, waitForService } from "./services";
import { isVolumeOrClaim, waitForVolume } from "./volumes";
import { showingWarnings } from "./statuses";
import { type Condition, waitForConditions } from "./waitFor";

const defaultTimeoutSeconds = 600;

/** The time limit for an operation: the resource option, the annotation, or ten minutes. */
export function timeoutSeconds(option: number, inputs: Obj): number {
  const annotated = annotationOf(inputs, "pulumi.com/timeoutSeconds");
  if (option !== 0) return option;
  return /^\d+$/.test(annotated) ? Number(annotated) : defaultTimeoutSeconds;
}

/** What is waited for after a create or an update. */
export interface Wait {
  inputs: Obj;
  seconds: number;
  isUpdate: boolean;
  /** The object before the write, if there was one. */
  before?: Obj;
  /** Shows a warning as the status of the resource. */
  warn: (warning: string) => void;
}

/** Waits until a live object is ready, and returns it as it is then. */
export async function waitUntilReady(resources: Resources, live: Obj, wait: Wait): Promise<Obj> {
  const waiting = isAnnotationTrue(wait.inputs, "pulumi.com/skipAwait") ? undefined : waitFor(resources, live, wait);
  return waiting ? showingWarnings(resources, live, wait.warn, waiting) : live;
}

/** How to wait for an object, or undefined if no wait is needed. */
function waitFor(
  resources: Resources,
  live: Obj,
  { seconds, isUpdate, before }: Wait,
): (() => Promise<Obj>) | undefined {
  const conditions = waitForConditions(live);
  if (conditions.length > 0) return () => waitForAll(resources, { live, before }, conditions, seconds);
  if (isService(live)) return () => waitForService(resources, live, seconds);
  if (isVolumeOrClaim(live)) return () => waitForVolume(resources, live, isUpdate);
  const check = readinessCheck(live);
  return check && (() => waitForDefault(resources, live, check, seconds));
}

async function waitForAll(
  resources: Resources,
  { live, before }: { live: Obj; before?: Obj },
  conditions: Condition[],
  seconds: number,
): Promise<Obj> {
  let last = live;
  let problem: Error | undefined;
  // All waits of a process share what it has seen of a kind: the first event of a later one is the object as
  // it was before the write.
  const cached = resources.startInformer(live) ? undefined : before;
  const ready = await follow(resources, live, seconds, cached, (object) => {
    // A new object of the same name is not the changed one.
    if (generationOf(object) < generationOf(last)) return undefined;
    last = object;
    problem = undefined;
    try {
      return conditions.every((condition) => condition(object)) ? object : undefined;
    } catch (error) {
      // The expression may fit the object later; only the last problem is worth telling.
      problem = error as Error;
      return undefined;
    }
  });
  if (ready) return ready;
  throw new NotReady(problem?.message ?? interruption(resources.signal), last);
}

const generationOf = (object: Obj) => Number(getPath(object, ["metadata", "generation"]) ?? 0);

const interruption = (signal: AbortSignal) =>
  signal.aborted ? "context canceled" : "timed out waiting for the condition";

async function waitForDefault(
  resources: Resources,
  live: Obj,
  check: (object: Obj) => Readiness,
  seconds: number,
): Promise<Obj> {
  let last = live;
  let missing: string[] = [];
  const ready = await follow(resources, live, seconds, undefined, (object) => {
    last = object;
    const seen = check(object);
    missing = seen.missing ?? [];
    if (seen.failure !== undefined) throw notInitialised(last, [seen.failure]);
    return seen.ready ? last : undefined;
  });
  if (ready) return ready;
  throw outOfTime(resources.signal, last, missing);
}

const notInitialised = (live: Obj, reasons: string[]) =>
  new NotReady(`Resource '${nameOf(live)}' was created but failed to initialize`, live, reasons);

/**
 * Fails for an object that a refresh finds not ready. The user's condition is ignored, and volumes and claims are not
 * checked. Returns whether it has checked the object.
 */
export async function checkOnRead(resources: Resources, live: Obj, inputs: Obj): Promise<boolean> {
  if (isAnnotationTrue(inputs, "pulumi.com/skipAwait")) return false;
  const readiness = isService(live) ? await serviceReadiness(resources, live) : readinessCheck(live)?.(live);
  if (!readiness || readiness.ready) return readiness !== undefined;
  const { failure, missing = [] } = readiness;
  throw notInitialised(live, failure === undefined ? missing : [failure]);
}

/** How dependents of a deleted object go: before it, unless its annotation says otherwise. */
export function deletionPolicy(inputs: Obj): string {
  const policy = annotationOf(inputs, "pulumi.com/deletionPropagationPolicy").toLowerCase();
  return { orphan: "Orphan", background: "Background" }[policy] ?? "Foreground";
}

/** Kinds for which skipAwait also skips waiting for their deletion, an old mistake that programs rely on. */
const skippedOnDelete = new Set("Namespace Pod ReplicationController DaemonSet Deployment StatefulSet Job".split(" "));

/** Waits until a deleted object is gone, or another one has its name. */
export async function waitUntilGone(resources: Resources, live: Obj, inputs: Obj, seconds: number): Promise<void> {
  if (isAnnotationTrue(inputs, "pulumi.com/skipAwait") && skippedOnDelete.has(kindOf(inputs))) return;
  let last = live;
  const uid = getPath(live, ["metadata", "uid"]);
  const gone = await poll(seconds, resources.signal, async () => {
    const found = await resources.find(live).catch(() => last);
    last = found ?? last;
    return !found || (uid !== undefined && getPath(found, ["metadata", "uid"]) !== uid) ? true : undefined;
  });
  if (!gone) throw new NotReady(interruption(resources.signal), last);
}
