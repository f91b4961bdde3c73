import { properties } from "../shared/checks";
import { isPlainObject } from "../shared/objects";
import type { AddIssue } from "../shared/rules";

/** A part of a Kubernetes object. Any value in it may be known only later. */
export type Fields = Record<string, unknown>;

/** The fields of a part, or none if it is absent or known only later. */
export const fieldsOf = (value: unknown): Fields => properties(value as Fields | undefined);

/** True for a part that is absent, or whose fields are known now. */
export const isKnown = (part: unknown): boolean => part === undefined || isPlainObject(part);

/** The items of a list, or none if it is absent or known only later. */
export const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A text that is known now. Kubernetes treats an empty one as absent. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** A number that is known now. */
export const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** True for a value that Kubernetes treats as absent. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === "";

/** A function that adds issues below a part. */
export type At = AddIssue;

/** Calls back for each item of a list in a part, with its fields. */
export function eachIn(owner: Fields, list: string, at: At, callback: (item: Fields, at: At, index: number) => void) {
  itemsOf(owner[list]).forEach((item, index) =>
    callback(fieldsOf(item), (path, message) => at([list, index, ...path], message), index),
  );
}

/** Calls back for a part of a part, if it exists and is known now. */
export function partIn(owner: Fields, name: string, at: At, callback: (part: Fields, at: At) => void): void {
  const part = owner[name];
  if (!isPlainObject(part)) return;
  callback(part, (path, message) => at([name, ...path], message));
}

/** Checks that fields exist. */
export function required(owner: Fields, names: readonly string[], at: At): void {
  for (const name of names) if (isAbsent(owner[name])) at([name], "is required; add it");
}

/** Checks the value of a field that exists and is known now. */
export function checked(owner: Fields, name: string, problem: (text: string) => string | undefined, at: At): void {
  const value = textOf(owner[name]);
  const message = value === undefined ? undefined : problem(value);
  if (message !== undefined) at([name], `${JSON.stringify(value)} ${message}`);
}

/** Checks that texts are not empty, where Kubernetes distinguishes an empty one from an absent one. */
export function notEmpty(owner: Fields, names: readonly string[], at: At): void {
  for (const name of names) if (owner[name] === "") at([name], "must not be empty; leave it out");
}

/** Check that a text is one of some values. */
export const oneOf =
  (...values: string[]) =>
  (text: string): string | undefined =>
    values.includes(text) ? undefined : `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;

/** Checks that a number that is known now is within limits. */
export function within(owner: Fields, name: string, [min, max]: readonly [number, number], at: At): void {
  const value = numberOf(owner[name]);
  if (value === undefined || (value >= min && value <= max)) return;
  at([name], `${value} must be ${max === Infinity ? `at least ${min}` : `from ${min} to ${max}`}`);
}

/** Checks that at most one of some fields is set, and at least as many as `least`. */
export function oneSource(owner: Fields, names: readonly string[], at: At, least: 0 | 1 = 1): void {
  const given = names.filter((name) => owner[name] !== undefined);
  if (given.length < least) at([], `must have one of ${names.join(", ")}; add it`);
  for (const extra of given.slice(1)) at([extra], `excludes ${given[0]}; keep one of them`);
}
