const lookEveryMillis = 1000;

/**
 * Ends this process after the one that has started it, however that came about: the SDK's server would wait for calls of an
 * engine for ever. Without the address of an engine somebody has started it by hand, for engines to come and go.
 */
export function endWithEngine(args: string[]): void {
  if (!args.some((arg) => !arg.startsWith("-"))) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
  }, lookEveryMillis).unref();
}
