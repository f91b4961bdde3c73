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
export function importsOf(sources: Map<string, string>): Import[] {
  return [...sources].flatMap(([from, text]) =>
    specifiers(parse(text)).map(({ specifier, isType }) => ({ from, to: resolve(from, specifier, sources), isType })),
  );
}

/** The expressions after `new` in a source file that come from modules of some kind. */
export function constructionsFrom(text: string, isMeant: (module: string) => boolean): string[] {
  const source = parse(text);
  const names = new Set(boundTo(source, isMeant));
  return find(source, ts.isNewExpression)
    .map(({ expression }) => expression.getText())
    .filter((expression) => names.has(expression.split(/[.(]/).find((part) => part !== "") ?? ""));
}

/** Names in a source file that stand for modules of some kind, or for parts of them. */
function boundTo(source: ts.SourceFile, isMeant: (module: string) => boolean): string[] {
  const holders = find(source, (node) => ts.isImportDeclaration(node) || ts.isVariableDeclaration(node));
  return holders
    .filter((holder) => specifiers(holder).some(({ specifier }) => isMeant(specifier)))
    .flatMap((holder) => find(holder, isBinding))
    .map(({ name }) => name.getText());
}

type Binding = ts.ImportClause | ts.NamespaceImport | ts.ImportSpecifier | ts.VariableDeclaration | ts.BindingElement;

function isBinding(node: ts.Node): node is Binding & { name: ts.Identifier } {
  const isDeclaration = ts.isVariableDeclaration(node) || ts.isBindingElement(node);
  const isImport = ts.isImportClause(node) || ts.isNamespaceImport(node) || ts.isImportSpecifier(node);
  return (isDeclaration || isImport) && node.name?.kind === ts.SyntaxKind.Identifier;
}

const parse = (text: string) => ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true);

function specifiers(source: ts.Node): { specifier: string; isType: boolean }[] {
  const statements = find(source, (node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    .filter((node) => node.moduleSpecifier !== undefined)
    .map((node) => ({ specifier: node.moduleSpecifier as ts.StringLiteral, isType: isTypeOnly(node) }));
  const types = find(source, ts.isImportTypeNode).map(({ argument }) => ({
    specifier: (argument as ts.LiteralTypeNode).literal as ts.StringLiteral,
    isType: true,
  }));
  const calls = find(source, ts.isCallExpression)
    .filter(({ expression }) => ["import", "require"].includes(expression.getText()))
    .map((call) => ({ specifier: call.arguments[0] as ts.StringLiteral, isType: false }));
  return [...statements, ...types, ...calls].map(({ specifier, isType }) => ({ specifier: specifier.text, isType }));
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const { importClause: clause } = node;
  if (!clause || clause.isTypeOnly) return clause !== undefined;
  const named = clause.namedBindings;
  return !clause.name && !!named && ts.isNamedImports(named) && named.elements.every((element) => element.isTypeOnly);
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
