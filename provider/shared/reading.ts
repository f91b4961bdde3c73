import { properties } from "./checks";
import type { AddIssue } from "./rules";

/** A part of a Kubernetes object. Any value in it may be known only later. */
export type Fields = Record<string, unknown>;

/** The fields of a part; empty if it is absent or known only later. */
export const fieldsOf = (value: unknown): Fields => properties(value as Fields | undefined);

/** The items of a list; empty if it is absent or known only later. */
export const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A text that is known now. Kubernetes treats an empty text as absent. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Calls back for each item of a list in a part, with its fields. */
export const eachIn = (owner: Fields, list: string, at: AddIssue, callback: (item: Fields, at: AddIssue) => void) =>
  itemsOf(owner[list]).forEach((item, index) =>
    callback(fieldsOf(item), (path, message) => at([list, index, ...path], message)),
  );
