import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { transformSync } from "esbuild";
import ts from "typescript";

/** One import of a source file. Paths are relative to the root of the sources and have no extension. */
export interface Import {
  from: string;
  to: string;
  /** Gone when the program runs. */
  isType: boolean;
}

/** Every source file below a directory, by its path without the extension. */
export function readSources(root: string): Map<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return new Map(files.map((file) => [file.replace(/\.ts$/, ""), readFileSync(join(root, file), "utf8")]));
}

/** Every import of some source files, however it is written. */
export const importsOf = (sources: Map<string, string>): Import[] =>
  [...sources].flatMap(([from, text]) => {
    const remaining = specifiers(transformSync(text, { loader: "ts" }).code);
    return specifiers(text).map((specifier) => ({
      from,
      to: resolve(from, specifier, sources),
      isType: !remaining.includes(specifier),
    }));
  });

const specifiers = (text: string) => ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

function resolve(from: string, specifier: string, sources: Map<string, string>): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = relative(".", normalize(join(dirname(from), specifier)));
  return sources.has(path) ? path : join(path, "index");
}
