import * as assert from "node:assert/strict";
import * as fc from "fast-check";

/** A value of full size, or the same in a share of it: 1 is the full size. */
export type Sized<Value> = (share: number) => Value;

/** A little less than a megabyte. */
const most = 1_000_000;

const countIn = (length: number, share: number) => Math.max(1, Math.floor(length * share));

/** One text, again and again, up to a share of a megabyte. */
export const repeated = (unit: string, share: number) => unit.repeat(countIn(most / Buffer.byteLength(unit), share));

// What regular expressions and parsers go back over: names, digits, separators, brackets, quotes, escapes, blanks.
const units = [
  ..."a0.-_,:;/\\'\"`$%&*!#~?=+@ \t\n\r[]{}()<>|é\u0001",
  ..."a, a. a/ a- a= a: 0-9, [0-9], ,[ 1_ 1e $( {a= [a ]] aB".split(" "),
  "\\\n",
  "a ",
  "[a]\n",
];
const starts = "a 1 / a-[ \" ' { custom: kary: 5 https:// 10.0.0.".split(" ");

/** Long texts with a meaningful beginning, a repeated part and a meaningless end. */
export const longTexts = fc
  .tuple(
    fc.constantFrom("", "curve\n", "a = ", ...starts),
    fc.oneof(fc.constantFrom(...units), fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: 4 })),
    fc.constantFrom("", "!", "]", "'", '"', "a", "\0"),
  )
  .map(([start, unit, end]) => {
    const text: Sized<string> = (share) => `${start}${repeated(unit, share)}${end}`;
    // A counterexample is these three, not a megabyte.
    return Object.assign(text, { [fc.toStringMethod]: () => fc.stringify([start, unit, end]) });
  });

/** Names of properties that objects inherit. */
const births = "toString constructor hasOwnProperty valueOf __proto__ __defineGetter__ isPrototypeOf".split(" ");

/** An object with own properties of these names. */
const born = (value: unknown) =>
  JSON.parse(`{${births.map((name) => `"${name}":${JSON.stringify(value)}`).join()}}`) as object;

/** A value inside many levels of others. */
export const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
  Array.from({ length: depth }).reduce((value) => wrap(value), 1);

/** A large or deep value, or one with odd names, of a form that its place accepts. */
export function hostileValues(value: unknown): fc.Arbitrary<Sized<unknown>> {
  const [item] = (Array.isArray(value) ? value : Object.values(Object(value) as object)) as unknown[];
  const plain = item ?? "a";
  const list = (length: number, itemAt: (index: number) => unknown) => (share: number) =>
    Array.from({ length: countIn(length, share) }, (_, index) => itemAt(index));
  const lists = [1000, 100_000].flatMap((length) => [
    list(length, () => plain),
    list(length, (index) => (typeof plain === "number" && length === 1000 ? index + 1 : `a${index}`)),
  ]);
  const maps = [10_000, 50_000].map((length) => {
    const entries = list(length, (index) => [`a${index}`, plain]);
    return (share: number) => Object.fromEntries(entries(share) as [string, unknown][]);
  });
  const wraps = [(inner: unknown) => [inner], (inner: unknown) => ({ a: inner })];
  const deep = wraps.map((wrap) => (share: number) => nested(countIn(20_000, share), wrap));
  const odd = [...births, born(plain)].map((each) => () => each);
  return fc.oneof(longTexts, fc.constantFrom<Sized<unknown>[]>(...odd, ...lists, ...maps, ...deep));
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

/** A sixteenth of the size: work in the square of the size is 256 times shorter then. */
const part = 1 / 16;

/** Work below this is not measured in part: compilers and collectors would take most of the time. In seconds. */
const short = 1;

/** Work that takes time in proportion to the size of what it reads: at most three times what a part of it promises. */
export function inProportion(what: string, work: (share: number) => void): void {
  const whole = leastSeconds(() => work(1), short);
  if (whole < short) return;
  const most = (3 * leastSeconds(() => work(part), 0)) / part;
  assert.ok(whole < most, `${what} took ${whole} s; in proportion to a part of it, it takes at most ${most} s`);
}

/** The processor time of some work. Only disturbances change it, upwards: slow work is measured two more times. */
function leastSeconds(work: () => void, enough: number): number {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least >= enough; tries++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}
