import { isDeepStrictEqual } from "node:util";

/** What a value has in another way than a plain one: fields of maps by name, and maps in lists by position. */
export function differences(value: unknown, plain: unknown): unknown {
  if (isMap(value) && isMap(plain)) {
    const keys = [...new Set([...Object.keys(plain), ...Object.keys(value)])];
    return otherOf(keys.map((key) => [key, value[key], plain[key]]));
  }
  if (isListOfMaps(value) && isListOfMaps(plain)) {
    const positions = [...Array(Math.max(value.length, plain.length)).keys()];
    return otherOf(positions.map((at) => [`[${at}]`, value[at], plain[at]]));
  }
  if (isText(value) && isText(plain)) return otherLines(value, plain);
  return value ?? "none";
}

/** The lines that one text has alone, after those that the other has alone. */
function otherLines(text: string, plain: string): string {
  const [lines, plainLines] = [text.split("\n"), plain.split("\n")];
  const lost = plainLines.filter((line) => !lines.includes(line)).map((line) => `- ${line}\n`);
  const gained = lines.filter((line) => !plainLines.includes(line)).map((line) => `+ ${line}\n`);
  return [...lost, ...gained].join("") || text;
}

const isText = (value: unknown): value is string => typeof value === "string" && value.includes("\n");

const otherOf = (entries: [key: string, value: unknown, plain: unknown][]) =>
  Object.fromEntries(
    entries
      .filter(([, value, plain]) => !isDeepStrictEqual(value, plain))
      .map(([key, value, plain]) => [key, differences(value, plain)]),
  );

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isListOfMaps = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isMap);
