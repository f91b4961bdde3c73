/** Size of an object, as stored, and without the parts that vary with time, for the comparison between sizes. */
export interface Bytes {
  all: number;
  beyondDigits: number;
}

/** Fields that the API server and the engine write themselves: times, managers, versions and status. */
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
