import { readFileSync } from "node:fs";
import ts from "typescript";

interface Property {
  type: string;
  isRequired: boolean;
}

let interfaces: Map<string, Map<string, Property>> | undefined;

/**
 * Everything in an object that Kubernetes does not know, knows as something else, or misses: one line each. The schema is
 * the declarations of the Kubernetes provider, which are generated from the Kubernetes API's own.
 */
export function schemaProblems(value: unknown, type: string, path: string): string[] {
  const item = /^(.+)\[\]$/.exec(type)?.[1];
  if (item !== undefined)
    return Array.isArray(value)
      ? value.flatMap((each, index) => schemaProblems(each, item, `${path}[${index}]`))
      : [`${path} is no list`];
  const values = /^\{\[key:string\]:(.+);\}$/.exec(type)?.[1];
  const reference = /^inputs\.(.+)$/.exec(type)?.[1];
  if (values === undefined && reference === undefined) return isPlain(value, type) ? [] : [`${path} is no ${type}`];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${path} is no object`];
  const properties = reference === undefined ? undefined : propertiesOf(reference);
  const missing = [...(properties ?? [])]
    .filter(([key, { isRequired }]) => isRequired && !(key in value))
    .map(([key]) => `${path}.${key} is missing`);
  const wrong = Object.entries(value).flatMap(([key, each]) => {
    const inner = values ?? properties?.get(key)?.type;
    return inner === undefined ? [`${path}.${key} is unknown`] : schemaProblems(each, inner, `${path}.${key}`);
  });
  return [...missing, ...wrong];
}

/** Whether a value is of one of some plain types, such as `number|string` or `"Job"`. */
function isPlain(value: unknown, type: string): boolean {
  return type.split("|").some((each) => each === typeof value || each === JSON.stringify(value));
}

function propertiesOf(name: string): Map<string, Property> {
  interfaces ??= readInterfaces(require.resolve("@pulumi/kubernetes/types/input.d.ts"));
  const found = interfaces.get(name);
  if (!found) throw new Error(`the Kubernetes provider declares no ${name}`);
  return found;
}

function readInterfaces(file: string): Map<string, Map<string, Property>> {
  const found = new Map<string, Map<string, Property>>();
  const visit = (scope: string, node: ts.Node) => {
    if (ts.isModuleDeclaration(node)) node.body?.forEachChild((child) => visit(`${scope}${node.name.text}.`, child));
    if (ts.isInterfaceDeclaration(node)) found.set(scope + node.name.text, readProperties(node));
  };
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, false);
  source.forEachChild((node) => visit("", node));
  return found;

  function readProperties(node: ts.InterfaceDeclaration): Map<string, Property> {
    const members = node.members.filter(ts.isPropertySignature);
    return new Map(
      members.map(({ name, type, questionToken }) => [
        (name as ts.Identifier | ts.StringLiteral).text,
        { type: plainType(source.text.slice(type?.pos, type?.end)), isRequired: questionToken === undefined },
      ]),
    );
  }
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
    for (const { type } of properties.values()) {
      const inner = /inputs\.([\w.]+)/.exec(type)?.[1];
      if (inner !== undefined) visit(inner);
    }
  };
  visit(name);
  return Object.fromEntries(found);
}
