/** How much an object takes, as it is, and for the comparison between sizes. */
export interface Bytes {
  all: number;
  beyondDigits: number;
}

/** What the API server and the engine write down by themselves: when, by whom, how often, and how it goes. */
const notOurs = new Set([
  "status",
  "managedFields",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "created",
  "modified",
  "time",
]);

/** Bytes of JSON; and those of what depends on the arguments alone, with the size in one character. */
export function bytesOf(text: string, size: number): Bytes {
  const ours = JSON.stringify(JSON.parse(text), (key, item: unknown) => (notOurs.has(key) ? undefined : item));
  const beyondDigits = Buffer.byteLength(ours.replace(new RegExp(`\\b${size}\\b`, "g"), "#"));
  return { all: Buffer.byteLength(text), beyondDigits };
}
