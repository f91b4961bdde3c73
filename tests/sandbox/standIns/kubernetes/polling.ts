import { setTimeout as sleep } from "node:timers/promises";
import type { Obj } from "../rpc/values";
import { nameOf, stringAt } from "./objects";
import type { Resources } from "./resources";

const pollMillis = 80;

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

/** Calls `look` until it returns something or the time is over. The last look comes after the end of the time. */
export async function poll<T>(
  seconds: number,
  signal: AbortSignal,
  look: (isLast: boolean) => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const isLast = Date.now() >= end || signal.aborted;
    const seen = await look(isLast);
    if (seen !== undefined || isLast) return seen;
    await sleep(pollMillis, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Passes every state of an object to `see`, a cached one first, until it returns something or the time is over.
 * Polling would miss how a Job ended that is deleted at once.
 */
export async function follow<T>(
  resources: Resources,
  live: Obj,
  seconds: number,
  cached: Obj | undefined,
  see: (object: Obj) => T | undefined,
): Promise<T | undefined> {
  const over = new AbortController();
  const end = () => over.abort();
  // Not AbortSignal.any with a timeout: Node 20 may collect that as garbage, and then it never fires.
  const timer = setTimeout(end, seconds * 1000);
  resources.signal.addEventListener("abort", end);
  if (resources.signal.aborted) end();
  try {
    return (cached && see(cached)) ?? (await followUntil(resources, live, over.signal, see));
  } finally {
    clearTimeout(timer);
    resources.signal.removeEventListener("abort", end);
  }
}

async function followUntil<T>(
  resources: Resources,
  live: Obj,
  over: AbortSignal,
  see: (object: Obj) => T | undefined,
): Promise<T | undefined> {
  let answer = see(live);
  let version = stringAt(live, "metadata", "resourceVersion");
  while (answer === undefined && !over.aborted) {
    for await (const object of resources.watch(live, version, over)) {
      answer = see(object);
      if (answer !== undefined) break;
    }
    // After a broken connection, earlier events may be lost; the present state is still readable.
    version = "";
    if (answer === undefined) await sleep(pollMillis, undefined, { signal: over }).catch(() => undefined);
  }
  return answer;
}

/** The object as it is now. One that cannot be seen at the moment is taken to be as it was. */
export async function look(resources: Resources, last: Obj): Promise<Obj> {
  return (await resources.find(last).catch(() => last)) ?? last;
}

/** The error for an object whose own check has not passed when the time was over or the engine cancelled. */
export function outOfTime(signal: AbortSignal, live: Obj, missing: string[]): NotReady {
  const name = nameOf(live);
  const cancelled = `Resource operation was cancelled for ${JSON.stringify(name)}`;
  return new NotReady(signal.aborted ? cancelled : `'${name}' timed out waiting to be Ready`, live, missing);
}
