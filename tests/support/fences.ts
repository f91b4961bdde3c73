import * as fs from "node:fs";
import * as path from "node:path";
import ts from "typescript";

const root = path.resolve(__dirname, "../..");

/** A piece of code on a page. */
export interface Fence {
  /** Page, from the root of the package, and the line of its first line of code. */
  place: string;
  language: string;
  text: string;
}

/** The pages that people read, from the root of the package. */
export const pages = (): string[] => [
  "README.md",
  "CONTRIBUTING.md",
  ...["docs", "examples", "templates", "sdk/generator/examples"].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !/node_modules|[/\\]?\.vitepress/.test(file))
      .map((file) => path.join(folder, file))
      .sort(),
  ),
];

export const readPage = (page: string) => fs.readFileSync(path.join(root, page), "utf8");

/** Every piece of code on the pages, in order. */
export const fences = (): Fence[] => pages().flatMap(fencesOn);

/** The pieces of code on a page, in order. */
export function fencesOn(page: string): Fence[] {
  const text = readPage(page);
  return [...text.matchAll(/^( *)```(\w*)[^\n]*\n([^]*?)^\1```$/gm)].map((match) => {
    const [, indent = "", language = "", code = ""] = match;
    const line = text.slice(0, match.index).split("\n").length + 1;
    return { place: `${page}:${line}`, language, text: code.replace(new RegExp(`^${indent}`, "gm"), "") };
  });
}

/** SDKs that no public type refers to: tests/engine/npmPackage.spec.ts compiles a program without them. */
const cloudSdks = /\/@pulumi\/(aws|gcp|azure-native)\//;

/** True for a program that uses the SDK of a cloud: the resources of a cloud are arguments only in TypeScript. */
export const usesCloud = (program: string) => /from "@pulumi\/(aws|gcp|azure-native|eks)["/]/.test(program);

/** The compiler's errors in some programs, for users of the package. */
export function compilerErrors(programs: Fence[], installed = false): string[] {
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  const files = new Map(programs.map(({ text }, index) => [path.join(root, "tests/unit", `program${index}.ts`), text]));
  const host = ts.createCompilerHost(options);
  host.fileExists = (file) => files.has(file) || ((installed || !cloudSdks.test(file)) && ts.sys.fileExists(file));
  host.readFile = (file) => files.get(file) ?? ts.sys.readFile(file);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()]
    .flatMap((file) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    })
    .map(({ file, messageText }) => {
      const index = [...files.keys()].indexOf(file?.fileName ?? "");
      return `${programs[index]?.place ?? "?"}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
}

/** Runs a program in TypeScript from a page with these modules: to its end, where it is a function. */
export function runProgram(text: string, load: (name: string) => unknown): unknown {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function("require", "exports", "module", outputText) as (...given: unknown[]) => void;
  const module: { exports: unknown } = { exports: {} };
  run(load, module.exports, module);
  return typeof module.exports === "function" ? (module.exports as () => unknown)() : undefined;
}
