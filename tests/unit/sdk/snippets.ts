import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import type { MiniClusterArgs } from "../../../provider";

const root = path.resolve(__dirname, "../../..");

/** A piece of code on a page. */
export interface Snippet {
  language: string;
  text: string;
  /** Line of the page that it starts at. */
  line: number;
}

/** Every piece of code on a page, in order. */
export function snippetsOf(page: string): Snippet[] {
  return [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(({ 1: language = "", 2: text = "", index }) => ({
    ...{ language, text },
    line: page.slice(0, index).split("\n").length + 1,
  }));
}

/** Every manifest on a page, with the program beside it. */
export function pairsOf(page: string): { title: string; manifest: string; program: Snippet }[] {
  return page
    .split(/^(?=### )/m)
    .slice(1)
    .map((section) => {
      const [manifest, program] = snippetsOf(section);
      if (manifest?.language !== "yaml" || program?.language !== "ts") throw new Error(`no pair in ${section}`);
      return { title: section.slice(4, section.indexOf("\n")), manifest: manifest.text, program };
    });
}

/** What the compiler says of some programs, as the users of the package see it. */
export function compilerErrors(programs: Snippet[]): string[] {
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  const files = new Map(programs.map(({ text, line }) => [path.join(__dirname, `line${line}.ts`), text]));
  const host = ts.createCompilerHost(options);
  host.fileExists = (file) => files.has(file) || ts.sys.fileExists(file);
  host.readFile = (file) => files.get(file) ?? ts.sys.readFile(file);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()]
    .flatMap((file) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    })
    .map(
      ({ file, messageText }) =>
        `${path.basename(file?.fileName ?? "")}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
}

/** The clusters that a program asks for. Nothing is made. */
export function clustersOf({ text }: Snippet): { name: string; args: MiniClusterArgs }[] {
  const clusters: { name: string; args: MiniClusterArgs }[] = [];
  class MiniCluster {
    constructor(name: string, args: MiniClusterArgs) {
      clusters.push({ name, args });
    }
  }
  class Config {
    requireSecret = (key: string) => pulumi.secret(key);
  }
  const modules: Record<string, object> = { "pulumi-minicluster": { MiniCluster }, "@pulumi/pulumi": { Config } };
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  // The program is one of our own pages.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function("require", "exports", outputText) as (require: unknown, exports: object) => void;
  run((name: string) => modules[name], {});
  return clusters;
}
