/** The value of a promise, unless the signal is aborted first. */
export function untilAborted<T>(signal: AbortSignal, value: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    void value.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
