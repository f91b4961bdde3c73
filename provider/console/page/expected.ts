import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Expected } from "../../forecast/parse/expected";
import type { Reading } from "../../forecast/parse/reading";
import { moment } from "./format";
import type { Board, Job } from "./model";
import { Refusal, type Server } from "./server";

/** Text of the program of a worker, `simulator.ts`, which the build of the page defines. */
declare const SIMULATOR: string;

/** Milliseconds from one reading of the queue to the next one. */
const period = 15_000;

/** What is expected of each waiting job, by its id. */
export type ExpectedStarts = ReadonlyMap<string, Expected>;

/**
 * What is expected of each job that waits only for resources, by its id. Nothing for a saved page, and while the queue
 * is not read.
 */
export function useExpected(server: Server | undefined, { jobs, queues }: Board): ExpectedStarts {
  const [found, setFound] = useState<ExpectedStarts>(new Map());
  const waiting = useMemo(
    () => new Set([...jobs.values()].filter(isInLine(queues)).map(({ f58 }) => f58)),
    [jobs, queues],
  );
  const isNeeded = waiting.size > 0;
  const next = useRef(0);
  useEffect(() => {
    if (!server || !isNeeded) return;
    const stopping = new AbortController();
    void readRepeatedly(server, next, stopping.signal, setFound);
    return () => stopping.abort();
  }, [server, isNeeded]);
  // Jobs that have started or were held since the reading wait no longer.
  return useMemo(() => new Map([...found].filter(([id]) => waiting.has(id))), [found, waiting]);
}

/** Whether a job waits for nothing but resources. */
const isInLine = (queues: Board["queues"]) => (job: Job) =>
  job.state === "SCHED" && job.urgency !== 0 && queues[job.queue ?? ""] === undefined;

/** Reads the queue while the page is visible, until the signal, or until the server has no forecast. */
async function readRepeatedly(
  server: Server,
  next: { current: number },
  signal: AbortSignal,
  setFound: (found: ExpectedStarts) => void,
): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, next.current - Date.now()));
    await visible(signal);
    if (signal.aborted) return;
    next.current = Date.now() + period;
    try {
      setFound(await simulated(await server.get<Reading>("/v1/queue", signal), signal));
    } catch (error) {
      if (signal.aborted) return;
      setFound(new Map());
      if (error instanceof Refusal && error.status === 404) return;
    }
  }
}

/** The expected starts of a reading, by a worker. */
async function simulated(reading: Reading, signal: AbortSignal): Promise<ExpectedStarts> {
  const address = URL.createObjectURL(new Blob([SIMULATOR], { type: "text/javascript" }));
  const worker = new Worker(address);
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<ExpectedStarts>) => resolve(data);
      worker.onerror = reject;
      signal.onabort = reject;
      worker.postMessage(reading);
    });
  } finally {
    worker.terminate();
    URL.revokeObjectURL(address);
  }
}

/** Waits until the page is visible. */
async function visible(signal: AbortSignal): Promise<void> {
  while (document.visibilityState !== "visible" && !signal.aborted)
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true, signal }));
}

/** The expected start of a job, such as "about 2:20 PM", unless it is over. */
export const startOf = (expected: Expected | undefined, now: number) =>
  expected?.start !== undefined && expected.start > now ? `about ${moment(expected.start, now)}` : undefined;
