import { setTimeout as sleep } from "node:timers/promises";
import type { Obj } from "../rpc/values";
import { annotationOf, getPath, isAnnotationTrue, kindOf, nameOf } from "./objects";
import { isCheckedOnRead, type Readiness, readinessCheck } from "./readiness";
import type { Resources } from "./resources";
import { type Condition, waitForConditions } from "./waitFor";

const pollMillis = 80;
const defaultTimeoutSeconds = 600;

/** The object is there, but it did not become what was waited for. */
export class NotReady extends Error {
  constructor(
    message: string,
    readonly object: Obj,
    readonly reasons: string[] = [],
  ) {
    super(message);
  }
}

/** The time limit for an operation: the resource option, the annotation, or ten minutes. */
export function timeoutSeconds(option: number, inputs: Obj): number {
  const annotated = annotationOf(inputs, "pulumi.com/timeoutSeconds");
  if (option !== 0) return option;
  return /^\d+$/.test(annotated) ? Number(annotated) : defaultTimeoutSeconds;
}

/** Calls `look` until it returns something or the time is over. The last look comes after the end of the time. */
async function poll<T>(seconds: number, signal: AbortSignal, look: () => Promise<T | undefined>) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const isLast = Date.now() >= end;
    const seen = await look();
    if (seen !== undefined || isLast || signal.aborted) return seen;
    await sleep(pollMillis, undefined, { signal }).catch(() => undefined);
  }
}

/** Waits until a live object is ready, and returns it as it is then. */
export async function waitUntilReady(resources: Resources, live: Obj, inputs: Obj, seconds: number): Promise<Obj> {
  if (isAnnotationTrue(inputs, "pulumi.com/skipAwait")) return live;
  const conditions = waitForConditions(live);
  if (conditions.length > 0) return waitForAll(resources, live, conditions, seconds);
  const check = readinessCheck(live);
  return check ? waitForDefault(resources, live, check, seconds) : live;
}

/** The object as it is now. One that cannot be seen at the moment is taken to be as it was. */
async function look(resources: Resources, last: Obj): Promise<Obj> {
  return (await resources.find(last).catch(() => last)) ?? last;
}

async function waitForAll(resources: Resources, live: Obj, conditions: Condition[], seconds: number): Promise<Obj> {
  let last = live;
  let problem: Error | undefined;
  const pending = new Set(conditions);
  const ready = await poll(seconds, resources.signal, async () => {
    last = await look(resources, last);
    problem = undefined;
    try {
      for (const condition of pending) if (condition(last)) pending.delete(condition);
    } catch (error) {
      // The expression may fit the object later; only the last problem is worth telling.
      problem = error as Error;
    }
    return pending.size === 0 ? last : undefined;
  });
  if (ready) return ready;
  throw new NotReady(problem?.message ?? interruption(resources.signal), last);
}

const interruption = (signal: AbortSignal) =>
  signal.aborted ? "context canceled" : "timed out waiting for the condition";

async function waitForDefault(
  resources: Resources,
  live: Obj,
  check: (object: Obj) => Readiness,
  seconds: number,
): Promise<Obj> {
  let last = live;
  const ready = await poll(seconds, resources.signal, async () => {
    last = await look(resources, last);
    const { ready, failure } = check(last);
    if (failure !== undefined) throw notInitialised(last, [failure]);
    return ready ? last : undefined;
  });
  if (ready) return ready;
  const name = nameOf(last);
  const cancelled = `Resource operation was cancelled for ${JSON.stringify(name)}`;
  throw new NotReady(resources.signal.aborted ? cancelled : `'${name}' timed out waiting to be Ready`, last);
}

const notInitialised = (live: Obj, reasons: string[]) =>
  new NotReady(`Resource '${nameOf(live)}' was created but failed to initialize`, live, reasons);

/** Fails for an object that a refresh finds not ready. What the user waits for does not matter here. */
export function checkOnRead(live: Obj, inputs: Obj): void {
  if (isAnnotationTrue(inputs, "pulumi.com/skipAwait") || !isCheckedOnRead(live)) return;
  const { ready, failure } = readinessCheck(live)?.(live) ?? { ready: true };
  if (!ready) throw notInitialised(live, failure === undefined ? [] : [failure]);
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
