/** What the API server and the engine write down by themselves: when, by whom, how often, and how it goes. */
const notOurs = new Set([
  ...["status", "managedFields", "resourceVersion", "generation", "creationTimestamp"],
  ...["created", "modified", "time"],
]);

/** Bytes of an object's JSON. */
export const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** As `bytesOf`, of what depends on the arguments alone, with a size and the highest rank written in one character each. */
export function bytesBeyondDigits(value: unknown, size: number): number {
  const ours = JSON.stringify(value, (key, item: unknown) => (notOurs.has(key) ? undefined : item));
  return Buffer.byteLength(ours.replace(new RegExp(`\\b(${size}|${size - 1})\\b`, "g"), "#"));
}

/** Throws if anything takes more bytes at a greater size. */
export function refuseGrowth(what: string, bytes: { size: number; bytes: number }[]): void {
  const [smallest, ...greater] = bytes;
  for (const one of greater) {
    if (!smallest || one.bytes <= smallest.bytes) continue;
    const more = one.bytes - smallest.bytes;
    throw new Error(`${what} takes ${more} bytes more at size ${one.size} than at size ${smallest.size}`);
  }
}
