import * as path from "node:path";
import ts from "typescript";
import { readSources } from "../../support/imports";

/** What the sources say of a property. */
export interface SourceProperty {
  /** Such as `name?: Input<string>[]`, with a question mark where the property may be missing. */
  line: string;
  comment: string;
}

/** An interface, with its comment. */
export interface SourceType {
  comment: string;
  properties: Map<string, SourceProperty>;
}

/** An enum: the value of each member, and what is said of it. */
export interface SourceEnum {
  comment: string;
  members: Map<string, { value: string; comment: string }>;
}

/** A component: its outputs, and the name of the interface of its arguments. */
export interface SourceComponent extends SourceType {
  args: string;
}

const directory = path.resolve(__dirname, "../../../provider");
const files = new Map(
  [...readSources(directory)].map(([file, text]) => [
    path.join(directory, file),
    ts.createSourceFile(`${file}.ts`, text, ts.ScriptTarget.Latest, true),
  ]),
);

/** What a program can import from the package: each declaration by its name. */
const exported = new Map<string, ts.Node>(exportsOf(path.join(directory, "index")));

/** Everything that is declared at the top of a file. */
const declarations = [...files.values()].flatMap((file) => file.statements.flatMap(named));

/** The same by name. Where there are two of a name, the one counts that programs can import. */
const declared = new Map<string, ts.Node>([...declarations, ...exported]);

/** How many types have a name, wherever they are. */
export const typesCalled = (name: string) =>
  declarations.filter(([each, node]) => each === name && (ts.isInterfaceDeclaration(node) || isEnum(node))).length;

function exportsOf(file: string): [string, ts.Node][] {
  const source = files.get(file);
  if (!source) throw new Error(`no file ${file}`);
  const own = source.statements.filter(isExported).flatMap(named);
  const others = source.statements.filter(ts.isExportDeclaration).flatMap((statement): [string, ts.Node][] => {
    const inner = exportsOf(path.join(path.dirname(file), (statement.moduleSpecifier as ts.StringLiteral).text));
    const clause = statement.exportClause;
    if (!clause) return inner;
    const names = (clause as ts.NamedExports).elements.map(({ name }) => name.text);
    return inner.filter(([name]) => names.includes(name));
  });
  return [...own, ...others];
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) && hasModifier(statement, ts.SyntaxKind.ExportKeyword);
}

function hasModifier(node: ts.HasModifiers, ...kinds: ts.SyntaxKind[]): boolean {
  return ts.getModifiers(node)?.some(({ kind }) => kinds.includes(kind)) ?? false;
}

/** What a statement declares. The type of an enum has the name of its object, and stands for it. */
function named(statement: ts.Statement): [string, ts.Node][] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((declaration) => [declaration.name.getText(), declaration]);
  const isType = ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement);
  return isType && statement.name ? [[statement.name.text, statement]] : [];
}

function commentOf(node: ts.Node): string {
  const [last] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).reverse();
  return ts.getTextOfJSDocComment(last?.comment)?.trim() ?? "";
}

function declarationOf<T extends ts.Node>(name: string, is: (node: ts.Node) => node is T): T {
  const node = declared.get(name);
  if (!node || !is(node)) throw new Error(`the sources have no such ${name}`);
  return node;
}

/** The exported names of some kind. */
const namesOf = (is: (node: ts.Node) => boolean) => [...exported].filter(([, node]) => is(node)).map(([name]) => name);

const isComponent = (node: ts.Node): node is ts.ClassDeclaration =>
  ts.isClassDeclaration(node) && parentsOf(node).includes("pulumi.ComponentResource");

/** An object of constant strings, as enums are written. */
const isEnum = (node: ts.Node): node is ts.VariableDeclaration =>
  ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isAsExpression(node.initializer);

const parentsOf = (node: ts.ClassDeclaration | ts.InterfaceDeclaration) =>
  (node.heritageClauses ?? []).flatMap(({ types }) => types.map(({ expression }) => expression.getText()));

export const componentNames = namesOf(isComponent);
export const enumNames = namesOf(isEnum);
export const interfaceNames = namesOf(ts.isInterfaceDeclaration);

/** Interfaces that others extend: their properties are those of the others. */
export const baseNames = new Set([...declared.values()].filter(ts.isInterfaceDeclaration).flatMap(parentsOf));

/** A component by its name. */
export function componentOf(name: string): SourceComponent {
  const node = declarationOf(name, isComponent);
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.StaticKeyword];
  const fields = node.members.filter(ts.isPropertyDeclaration).filter((field) => !hasModifier(field, ...hidden));
  const [, args] = node.members.find(ts.isConstructorDeclaration)?.parameters ?? [];
  if (!args?.type) throw new Error(`${name} has no constructor with arguments`);
  return { args: args.type.getText(), comment: commentOf(node), properties: propertiesOf(fields) };
}

/** An interface by its name, with what it extends. */
export function interfaceOf(name: string): SourceType {
  const node = declarationOf(name, ts.isInterfaceDeclaration);
  const inherited = parentsOf(node).flatMap((parent) => [...interfaceOf(parent).properties]);
  const own = propertiesOf(node.members.filter(ts.isPropertySignature));
  return { comment: commentOf(node), properties: new Map([...inherited, ...own]) };
}

/** The interface of a type of the schema: that of arguments, where there is one of them and one of outputs. */
export const sourceTypeOf = (name: string) =>
  interfaceOf(interfaceNames.includes(`${name}Args`) ? `${name}Args` : name);

/** An enum by its name. */
export function enumOf(name: string): SourceEnum {
  const node = declarationOf(name, isEnum);
  const { expression } = node.initializer as ts.AsExpression;
  const members = (expression as ts.ObjectLiteralExpression).properties.filter(ts.isPropertyAssignment);
  const entries = members.map(
    (member) =>
      [
        member.name.getText(),
        { value: (member.initializer as ts.StringLiteral).text, comment: commentOf(member) },
      ] as const,
  );
  return { comment: commentOf(node), members: new Map(entries) };
}

function propertiesOf(fields: (ts.PropertySignature | ts.PropertyDeclaration)[]): Map<string, SourceProperty> {
  return new Map(
    fields.map((field) => {
      if (!field.type) throw new Error(`${field.getText()} has no type`);
      const name = field.name.getText();
      const mayBeMissing = field.questionToken !== undefined || allows(field.type, ts.SyntaxKind.UndefinedKeyword);
      const line = `${name}${mayBeMissing ? "?" : ""}: ${written(field.type)}`;
      return [name, { line, comment: commentOf(field) }];
    }),
  );
}

/** Whether a type, or what an Input or an Output of it holds, has an alternative of some kind. */
function allows(type: ts.TypeNode, kind: ts.SyntaxKind): boolean {
  if (ts.isUnionTypeNode(type)) return type.types.some((each) => each.kind === kind);
  return ts.isTypeReferenceNode(type) && /^pulumi\./.test(type.getText()) && allows(type.typeArguments![0]!, kind);
}

/** A type in the notation that the schema is compared in. */
function written(type: ts.TypeNode): string {
  if (ts.isArrayTypeNode(type)) return `${written(type.elementType)}[]`;
  if (ts.isUnionTypeNode(type)) {
    const others = type.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword);
    if (others.length === 1) return written(others[0]!);
  }
  if (ts.isTypeReferenceNode(type)) {
    const name = type.typeName.getText().split(".").at(-1) ?? "";
    const held = type.typeArguments?.map(written).join(", ");
    // Every language adds the ending by itself, to what is given.
    return held === undefined ? name.replace(/Args$/, "") : `${name}<${held}>`;
  }
  const simple = ["string", "number", "boolean"];
  if (simple.includes(type.getText())) return type.getText();
  throw new Error(`the test knows no type like ${type.getText()}`);
}
