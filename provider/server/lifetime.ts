const lookEveryMillis = 1000;

/**
 * Ends this process when its parent process has ended, for whatever reason: the SDK's server would wait for calls of an
 * engine for ever. A server without the address of an engine was started by hand, and stays up for engines that come and
 * go.
 */
export function endWithEngine(args: string[]): void {
  if (!args.some((arg) => !arg.startsWith("-"))) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
  }, lookEveryMillis).unref();
}
