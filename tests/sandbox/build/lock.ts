import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const heartbeatMs = 2_000;
/** A killed holder no longer touches its lock; after this time another builder takes over. */
const staleMs = 15_000;

/** Runs `work` while no other process holds the lock file, and reports once that it waits. */
export async function withBuildLock<T>(lockPath: string, report: (line: string) => void, work: () => Promise<T>) {
  fs.mkdirSync(path.dirname(lockPath), { recursive: true });
  let isReported = false;
  while (!tryLock(lockPath)) {
    if (!isReported) report("another process is building the sandbox; waiting for it");
    isReported = true;
    await sleep(500);
  }
  const heartbeat = setInterval(() => touch(lockPath), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    fs.rmSync(lockPath, { force: true });
  }
}

function tryLock(lockPath: string): boolean {
  try {
    fs.closeSync(fs.openSync(lockPath, "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // If two processes take over a stale lock, both build: the results are put in place atomically.
  const age = Date.now() - (fs.statSync(lockPath, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age > staleMs) fs.rmSync(lockPath, { force: true });
  return false;
}

function touch(lockPath: string): void {
  const now = new Date();
  try {
    fs.utimesSync(lockPath, now, now);
  } catch {
    // The cache was emptied during the build, which itself reports the consequences.
  }
}
