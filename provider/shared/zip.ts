import type * as Fflate from "fflate";

/** A ZIP archive of files by their paths: the same bytes in every process. */
export function zipOf(texts: Record<string, string>): Buffer {
  // Loaded on demand: most programs need no archive.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { zipSync } = require("fflate") as typeof Fflate;
  const entries = Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));
  const files = Object.fromEntries(entries.map(([file, text]) => [file, Buffer.from(text)]));
  // The first time that an archive can have. It is in local time, as the archive has it.
  return Buffer.from(zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) }));
}
