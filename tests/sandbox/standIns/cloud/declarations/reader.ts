import * as ts from "typescript";
import { literalValue, type Sdk } from "./sdk";
import type { Properties, Property, Shape } from "./shapes";

const keywords: Partial<Record<ts.SyntaxKind, Shape>> = {
  [ts.SyntaxKind.StringKeyword]: { kind: "string" },
  [ts.SyntaxKind.NumberKeyword]: { kind: "number" },
  [ts.SyntaxKind.BooleanKeyword]: { kind: "boolean" },
  [ts.SyntaxKind.AnyKeyword]: { kind: "any" },
};

/** Wrappers that describe when a value is known, not its type. */
const wrappers = ["pulumi.Input", "pulumi.Output"];

/** Converts types of the SDKs into shapes, and throws at any other type, which would not be checked. */
export class ShapeReader {
  /** The objects that the shapes read so far refer to. */
  readonly objects: Record<string, Properties> = {};

  constructor(private readonly sdk: Sdk) {}

  /** The properties of an interface, by its name inside a file. */
  interface(file: ts.SourceFile, name: string): Properties {
    const declaration = this.sdk.interface(file, name);
    if (declaration.heritageClauses) throw new Error(`${file.fileName}: ${name} extends another interface`);
    return this.properties(file, declaration.members);
  }

  /** The outputs of a resource class. */
  outputs(file: ts.SourceFile, name: string): Properties {
    const found = file.statements.filter(ts.isClassDeclaration).find((statement) => statement.name?.text === name);
    if (!found) throw new Error(`${file.fileName} has no class ${name}`);
    return this.properties(file, found.members.filter(ts.isPropertyDeclaration));
  }

  private properties(file: ts.SourceFile, members: readonly (ts.TypeElement | ts.PropertyDeclaration)[]): Properties {
    const entries = members.map((member): [string, Property] => {
      if ((!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member)) || !member.type)
        throw new Error(`${file.fileName}: not a property: ${member.getText(file)}`);
      const name = ts.isStringLiteral(member.name) ? member.name.text : member.name.getText(file);
      const required = !member.questionToken && !allowsUndefined(member.type);
      return [name, { shape: this.shape(file, member.type), required }];
    });
    return Object.fromEntries(entries);
  }

  private shape(file: ts.SourceFile, type: ts.TypeNode): Shape {
    const keyword = keywords[type.kind];
    if (keyword) return keyword;
    const literal = literalValue(type);
    if (literal !== undefined) return { kind: "oneOf", values: [literal] };
    if (ts.isParenthesizedTypeNode(type)) return this.shape(file, type.type);
    if (ts.isArrayTypeNode(type)) return { kind: "array", items: this.shape(file, type.elementType) };
    if (ts.isUnionTypeNode(type)) return this.union(file, type);
    if (ts.isTypeReferenceNode(type)) return this.reference(file, type);
    const [member] = ts.isTypeLiteralNode(type) ? type.members : [];
    if (ts.isTypeLiteralNode(type) && type.members.length === 1 && member && ts.isIndexSignatureDeclaration(member))
      return { kind: "map", values: this.shape(file, member.type) };
    throw notUnderstood(file, type);
  }

  private union(file: ts.SourceFile, type: ts.UnionTypeNode): Shape {
    const types = type.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword).filter(isData);
    const members = types.map((member) => this.shape(file, member));
    // The SDKs write `string | enums.X` where a cloud may accept more than the enum lists. A test had better
    // refuse what the enum does not say.
    const hasEnum = members.some(({ kind }) => kind === "oneOf");
    const left = hasEnum ? members.filter(({ kind }) => kind !== "string") : members;
    return left.length === 1 && left[0] ? left[0] : { kind: "union", members: left };
  }

  private reference(file: ts.SourceFile, type: ts.TypeReferenceNode): Shape {
    const name = type.typeName.getText(file);
    const [argument] = type.typeArguments ?? [];
    if (argument && wrappers.includes(name)) return this.shape(file, argument);
    const [root, ...path] = name.split(".");
    if (argument || path.length === 0) throw notUnderstood(file, type);
    if (root === "enums")
      return { kind: "oneOf", values: this.sdk.enumValues(path.slice(0, -1), path.at(-1) as string) };
    if (root === "inputs" || root === "outputs") return this.object(root, name, path.join("."));
    throw notUnderstood(file, type);
  }

  private object(root: "inputs" | "outputs", name: string, path: string): Shape {
    if (!(name in this.objects)) {
      // It is set before its properties are read, since a type may hold itself.
      this.objects[name] = {};
      this.objects[name] = this.interface(this.sdk.types(root === "inputs" ? "input" : "output"), path);
    }
    return { kind: "object", name };
  }
}

/** True for `T | undefined`, also inside a wrapper. */
function allowsUndefined(type: ts.TypeNode): boolean {
  if (type.kind === ts.SyntaxKind.UndefinedKeyword) return true;
  if (ts.isUnionTypeNode(type)) return type.types.some(allowsUndefined);
  const [argument] = ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : [];
  return argument !== undefined && allowsUndefined(argument);
}

/** False for a class of the SDK beside a string, as in `string | Role`: a test had better give the string. */
function isData(type: ts.TypeNode): boolean {
  return !ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName) || type.typeArguments !== undefined;
}

function notUnderstood(file: ts.SourceFile, type: ts.TypeNode): Error {
  return new Error(`${file.fileName}: a type that this reader does not understand: ${type.getText(file)}`);
}
