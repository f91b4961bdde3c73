import { isDeepStrictEqual } from "node:util";

/** Differences of a value from a base value, lists of maps by position. A path with one difference is one name. */
export function differences(value: unknown, plain: unknown): unknown {
  const [own, other] = [partsOf(value), partsOf(plain)];
  if (own && other) {
    const names = [...new Set([...Object.keys(other), ...Object.keys(own)])];
    const different = names.filter((name) => !isDeepStrictEqual(own[name], other[name]));
    return Object.fromEntries(different.map((name) => namedDifference(name, own[name], other[name])));
  }
  if (isText(value) && isText(plain)) return otherLines(value, plain);
  return value ?? "none";
}

function namedDifference(name: string, value: unknown, plain: unknown): [name: string, difference: unknown] {
  const difference = differences(value, plain);
  if (!partsOf(value) || !partsOf(plain) || !isMap(difference)) return [name, difference];
  const [[inner, only] = [""], ...others] = Object.entries(difference);
  if (others.length > 0) return [name, difference];
  return [inner.startsWith("[") ? name + inner : `${name}.${inner}`, only];
}

/** Fields of a map, or items of a list of maps. */
function partsOf(value: unknown): Record<string, unknown> | undefined {
  if (isMap(value)) return value;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMap)) return undefined;
  return Object.fromEntries(value.map((item, at) => [`[${at}]`, item]));
}

/** The lines that only one text has, after those that only the other has. */
function otherLines(text: string, plain: string): string {
  const [lines, plainLines] = [text.split("\n"), plain.split("\n")];
  const lost = plainLines.filter((line) => !lines.includes(line)).map((line) => `- ${line}\n`);
  const gained = lines.filter((line) => !plainLines.includes(line)).map((line) => `+ ${line}\n`);
  return [...lost, ...gained].join("") || text;
}

const isText = (value: unknown): value is string => typeof value === "string" && value.includes("\n");

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
