import * as assert from "node:assert/strict";
import * as fc from "fast-check";

/** A little less than a megabyte. */
const most = 1_000_000;

/** One text, again and again, up to a megabyte. */
export const repeated = (unit: string) => unit.repeat(Math.max(1, Math.floor(most / Buffer.byteLength(unit))));

// What regular expressions and parsers go back over: names, digits, separators, brackets, quotes, escapes, blanks.
const units = [
  ..."a0.-_,:;/\\'\"`$%&*!#~?=+@ \t\n\r[]{}()<>|é\u0001",
  ..."a, a. a/ a- a= a: 0-9, [0-9], ,[ 1_ 1e $( {a= [a ]] aB".split(" "),
  "\\\n",
  "a ",
  "[a]\n",
];
const starts = "a 1 / a-[ \" ' { custom: kary: 5 https:// 10.0.0.".split(" ");

/** Long texts that begin like something, repeat something and end as nothing does. */
export const longTexts = fc
  .tuple(
    fc.constantFrom("", "curve\n", "a = ", ...starts),
    fc.oneof(fc.constantFrom(...units), fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: 4 })),
    fc.constantFrom("", "!", "]", "'", '"', "a", "\0"),
  )
  .map(([start, unit, end]) => `${start}${repeated(unit)}${end}`);

/** Names that objects have by birth. */
const births = "toString constructor hasOwnProperty valueOf __proto__ __defineGetter__ isPrototypeOf".split(" ");

/** An object that has these as its own. */
const born = (value: unknown) =>
  JSON.parse(`{${births.map((name) => `"${name}":${JSON.stringify(value)}`).join()}}`) as object;

/** A value within others, so many levels deep. */
export const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
  Array.from({ length: depth }).reduce((value) => wrap(value), 1);

/** Something large, deep or with odd names in place of a value, of a form that its place may take. */
export function hostileValues(value: unknown): fc.Arbitrary<unknown> {
  const [item] = (Array.isArray(value) ? value : Object.values(Object(value) as object)) as unknown[];
  const plain = item ?? "a";
  const lists = [1000, 100_000].flatMap((length) => [
    Array.from({ length }, () => plain),
    Array.from({ length }, (_, index) => (typeof plain === "number" && length === 1000 ? index + 1 : `a${index}`)),
  ]);
  const maps = [10_000, 50_000].map((length) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`a${index}`, plain])),
  );
  const deep = [nested(20_000, (inner) => [inner]), nested(20_000, (inner) => ({ a: inner }))];
  return fc.oneof(longTexts, fc.constantFrom<unknown>(...births, ...lists, ...maps, born(plain), ...deep));
}

/** The keys of all places in a plain value. */
export function keysWithin(value: unknown): (string | number)[][] {
  const inner: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item: unknown, index) => [index, item])
    : typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? Object.entries(value)
      : [];
  return inner.flatMap(([key, each]) => [[key], ...keysWithin(each).map((keys) => [key, ...keys])]);
}

const mostSeconds = 1;

/**
 * Work that takes less than a second of a processor. Nothing makes it faster than it is, and compilers, collectors and
 * other tests make it slower: what was slow has two more tries.
 */
export function inGoodTime(what: string, work: () => void): void {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least >= mostSeconds; tries++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  assert.ok(least < mostSeconds, `${what} took ${least} s`);
}
