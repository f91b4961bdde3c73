import * as pulumi from "@pulumi/pulumi";
import { withoutStack } from "../shared/errors";

/** Something to say of a manifest, and where it stands. Lines and columns count from 1. */
export interface MiniClusterManifestWarning {
  /** Path in the manifest, such as `spec.containers[0].volumes.data`. */
  path: string;
  line: number;
  column: number;
  message: string;
}

/** How a note is printed: as compilers do, so that an editor finds the place. */
export function printNote(fileName: string, { path, line, column, message }: MiniClusterManifestWarning): string {
  return `${fileName}:${line}:${column}: ${path === "" ? "" : `${path}: `}${shortened(message)}`;
}

// A wrong value may be a book.
const shortened = (message: string) => (message.length > 500 ? `${message.slice(0, 500)}…` : message);

// Whoever has this many problems has one: the wrong file.
const maxShown = 50;

/** One error for everything that is wrong with a manifest, in the order of its lines. */
export function manifestError(fileName: string, problems: MiniClusterManifestWarning[]): pulumi.InputPropertiesError {
  const ordered = [...problems].sort((one, other) => one.line - other.line || one.column - other.column);
  const shown = ordered.slice(0, maxShown);
  const more = ordered.length > shown.length ? [`and ${ordered.length - shown.length} more`] : [];
  const lines = [...shown.map((problem) => printNote(fileName, problem)), ...more];
  return withoutStack(
    new pulumi.InputPropertiesError({
      message: ["invalid MiniCluster manifest, nothing was created", ...lines.map((line) => `  ${line}`)].join("\n"),
      errors: shown.map(({ path, ...place }) => ({
        propertyPath: path,
        reason: printNote(fileName, { path: "", ...place }),
      })),
    }),
  );
}
