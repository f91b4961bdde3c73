const lookEveryMillis = 1000;

/** Ends this process after its engine has, however that came about: the SDK's server would wait for calls for ever. */
export function endWithEngine(): void {
  const engine = process.ppid;
  setInterval(() => {
    if (process.ppid !== engine) process.exit();
  }, lookEveryMillis).unref();
}
