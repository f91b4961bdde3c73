import * as pulumi from "@pulumi/pulumi";
import { type InputProblem, withoutStack } from "../shared/errors";
import type { AddIssue } from "../shared/rules";

/** Reports a message at a path of a manifest: a problem, or a difference from the operator. */
export type Report = AddIssue;

/**
 * The part of an entry that a report is about. A report about a whole block is at its key, a report about any other
 * value at the value.
 */
export type Part = "whole" | "key" | "value";

/** Reports a message about a part of the entry at a path. */
export type ReportPart = (path: PropertyKey[], message: string, part?: Part) => void;

/** A note on a manifest, and its position. Lines and columns count from 1. */
export interface MiniClusterManifestWarning {
  /** Path in the manifest, such as `spec.containers[0].volumes.data`. */
  path: string;
  line: number;
  column: number;
  message: string;
}

/** The printed form of a note, which is the form of compilers, so that editors find the position. */
export function printNote(fileName: string, { path, line, column, message }: MiniClusterManifestWarning): string {
  return `${fileName}:${line}:${column}: ${path === "" ? "" : `${path}: `}${shortened(message)}`;
}

export const byPosition = (one: MiniClusterManifestWarning, other: MiniClusterManifestWarning) =>
  one.line - other.line || one.column - other.column;

// A wrong value may be very long.
const shortened = (message: string) => (message.length > 500 ? `${message.slice(0, 500)}…` : message);

// More problems than this usually have one cause: the wrong file.
const maxShown = 50;

/** One error for all problems of a manifest, in the order of its lines, and then of its overrides. */
export function manifestError(
  fileName: string,
  problems: MiniClusterManifestWarning[],
  ofOverrides: InputProblem[] = [],
): pulumi.InputPropertiesError {
  const ordered = [...problems].sort(byPosition);
  const shown = ordered.slice(0, maxShown);
  const more = ordered.length > shown.length ? [`and ${ordered.length - shown.length} more`] : [];
  const lines = [
    ...shown.map((problem) => printNote(fileName, problem)),
    ...more,
    ...ofOverrides.map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`),
  ];
  return withoutStack(
    new pulumi.InputPropertiesError({
      message: ["invalid MiniCluster manifest, nothing was created", ...lines.map((line) => `  ${line}`)].join("\n"),
      errors: [
        ...shown.map(({ path, ...place }) => ({
          propertyPath: path,
          reason: printNote(fileName, { path: "", ...place }),
        })),
        ...ofOverrides,
      ],
    }),
  );
}

/** The kind of a plain value, in a message. It never contains the value, which may be a secret. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a string";
  if (typeof value === "boolean") return "true or false";
  if (typeof value === "number") return "a number";
  return typeof value === "object" && value !== null ? "a map" : "a value of another type";
}
