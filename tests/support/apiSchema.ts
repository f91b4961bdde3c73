import { readFileSync } from "node:fs";
import ts from "typescript";

/** Types of the properties of each interface that the Kubernetes provider declares. */
type Interfaces = Map<string, Map<string, string>>;

let interfaces: Interfaces | undefined;

function propertiesOf(name: string): Map<string, string> {
  interfaces ??= readInterfaces(require.resolve("@pulumi/kubernetes/types/input.d.ts"));
  const found = interfaces.get(name);
  if (!found) throw new Error(`the Kubernetes provider declares no ${name}`);
  return found;
}

function readInterfaces(file: string): Interfaces {
  const found: Interfaces = new Map();
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, false);
  const visit = (scope: string, node: ts.Node) => {
    if (ts.isModuleDeclaration(node)) node.body?.forEachChild((child) => visit(`${scope}${node.name.text}.`, child));
    if (!ts.isInterfaceDeclaration(node)) return;
    const members = node.members.filter(ts.isPropertySignature);
    const types = members.map(({ name, type }): [string, string] => [
      (name as ts.Identifier | ts.StringLiteral).text,
      plainType(source.text.slice(type?.pos, type?.end)),
    ]);
    found.set(scope + node.name.text, new Map(types));
  };
  source.forEachChild((node) => visit("", node));
  return found;
}

/** A type without what Pulumi puts around every part of it. */
function plainType(text: string): string {
  const bare = text.replace(/\s/g, "").replaceAll("|undefined", "");
  const inner = bare.replace(/pulumi\.Input<([^<>]*)>/g, "$1");
  return inner === bare ? inner : plainType(inner);
}

/** The fields of a type and of every type that it has parts of, by their names without the package. */
export function declaredTypes(name: string): Record<string, string[]> {
  const found = new Map<string, string[]>();
  const visit = (reference: string) => {
    const short = reference.split(".").at(-1) ?? reference;
    if (found.has(short)) return;
    const properties = propertiesOf(reference);
    found.set(short, [...properties.keys()].sort());
    for (const type of properties.values()) {
      const inner = /inputs\.([\w.]+)/.exec(type)?.[1];
      if (inner !== undefined) visit(inner);
    }
  };
  visit(name);
  return Object.fromEntries(found);
}
