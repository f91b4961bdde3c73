import { setTimeout as sleep } from "node:timers/promises";

/** Repeats until the result is neither undefined nor false, and fails with `what` when `timeoutMs` have passed. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 10_000,
  intervalMs = 50,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let lastError: unknown;
  do {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await sleep(intervalMs);
  } while (Date.now() < deadline);
  const reason = lastError instanceof Error ? `: ${lastError.message}` : "";
  throw new Error(`waited ${timeoutMs / 1000} s in vain for ${what}${reason}`, { cause: lastError });
}
