import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
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
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.Latest };
    const remaining = specifiers(ts.transpileModule(text, { compilerOptions }).outputText);
    return specifiers(text).map((specifier) => ({
      ...{ from, to: resolve(from, specifier, sources), isType: !remaining.includes(specifier) },
    }));
  });

const specifiers = (text: string) => ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

/** The expressions after `new` in a source file that come from modules of some kind. */
export function constructionsFrom(text: string, isMeant: (module: string) => boolean): string[] {
  const source = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);
  const names = new Set(boundTo(source, isMeant));
  return find(source, ts.isNewExpression)
    .map(({ expression }) => expression.getText())
    .filter((expression) => names.has(expression.split(/[.(]/).find((part) => part !== "") ?? ""));
}

/** Names in a source file that stand for modules of some kind, or for parts of them. */
function boundTo(source: ts.SourceFile, isMeant: (module: string) => boolean): string[] {
  const holders = find(source, (node) => ts.isImportDeclaration(node) || ts.isVariableDeclaration(node));
  return holders
    .filter((holder) => specifiers(holder.getText()).some(isMeant))
    .flatMap((holder) => find(holder, isBinding))
    .map(({ name }) => name.getText());
}

type Binding = ts.ImportClause | ts.NamespaceImport | ts.ImportSpecifier | ts.VariableDeclaration | ts.BindingElement;

function isBinding(node: ts.Node): node is Binding & { name: ts.Identifier } {
  const isDeclaration = ts.isVariableDeclaration(node) || ts.isBindingElement(node);
  const isImport = ts.isImportClause(node) || ts.isNamespaceImport(node) || ts.isImportSpecifier(node);
  return (isDeclaration || isImport) && node.name?.kind === ts.SyntaxKind.Identifier;
}

function find<T extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is T): T[] {
  const found: T[] = is(node) ? [node] : [];
  node.forEachChild((child) => void found.push(...find(child, is)));
  return found;
}

function resolve(from: string, specifier: string, sources: Map<string, string>): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = relative(".", normalize(join(dirname(from), specifier)));
  return sources.has(path) ? path : join(path, "index");
}
