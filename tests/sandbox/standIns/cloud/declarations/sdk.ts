import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as ts from "typescript";
import { installedVersion } from "../../build";
import { placeOf } from "./tokens";

/** The declaration files of an installed Pulumi SDK. They are only parsed: type checking them takes a minute. */
export class Sdk {
  readonly version: string;
  private readonly directory: string;
  private readonly files = new Map<string, ts.SourceFile>();
  private readonly interfaces = new Map<string, Map<string, ts.InterfaceDeclaration>>();

  constructor(readonly name: string) {
    this.directory = dirname(require.resolve(`@pulumi/${name}/package.json`));
    this.version = installedVersion(`@pulumi/${name}`);
  }

  /** The file that declares a resource or a function. */
  fileOf(token: string): ts.SourceFile {
    const { path } = placeOf(token);
    const script = join(this.directory, `${path}.js`);
    // Only the script spells the token, so this distinguishes a misspelt one from one whose file exists by chance.
    if (!existsSync(script) || !new RegExp(`["']${token}["']`).test(readFileSync(script, "utf8")))
      throw new Error(`@pulumi/${this.name} has no ${token}`);
    return this.file(`${path}.d.ts`);
  }

  /** An interface by its name inside a file, with its namespaces: `eks.NodeGroupTaint`. */
  interface(file: ts.SourceFile, name: string): ts.InterfaceDeclaration {
    let known = this.interfaces.get(file.fileName);
    if (!known) this.interfaces.set(file.fileName, (known = interfacesIn(file.statements)));
    const found = known.get(name);
    if (!found) throw new Error(`${file.fileName} has no interface ${name}`);
    return found;
  }

  /** The file with all nested types of inputs or of outputs. */
  types(direction: "input" | "output"): ts.SourceFile {
    return this.file(`types/${direction}.d.ts`);
  }

  /** The values of `enums.<namespaces>.<name>`. */
  enumValues(namespaces: string[], name: string): (string | number)[] {
    const file = this.file(join("types/enums", ...namespaces, "index.d.ts"));
    const declarations = file.statements
      .filter(ts.isVariableStatement)
      .flatMap((s) => [...s.declarationList.declarations]);
    const type = declarations.find((declaration) => declaration.name.getText(file) === name)?.type;
    if (!type || !ts.isTypeLiteralNode(type)) throw new Error(`${file.fileName} has no values of ${name}`);
    return type.members.map((member) => {
      const value = ts.isPropertySignature(member) && member.type && literalValue(member.type);
      if (value === undefined || value === false) throw new Error(`not a value of an enum: ${member.getText(file)}`);
      return value;
    });
  }

  private file(path: string): ts.SourceFile {
    let file = this.files.get(path);
    if (!file) {
      const text = readFileSync(join(this.directory, path), "utf8");
      const options = { languageVersion: ts.ScriptTarget.ES2022, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
      file = ts.createSourceFile(`@pulumi/${this.name}/${path}`, text, options);
      this.files.set(path, file);
    }
    return file;
  }
}

function interfacesIn(statements: readonly ts.Statement[], prefix = ""): Map<string, ts.InterfaceDeclaration> {
  const found = new Map<string, ts.InterfaceDeclaration>();
  for (const statement of statements) {
    if (ts.isInterfaceDeclaration(statement)) found.set(prefix + statement.name.text, statement);
    if (!ts.isModuleDeclaration(statement) || !statement.body || !ts.isModuleBlock(statement.body)) continue;
    const inner = interfacesIn(statement.body.statements, `${prefix}${statement.name.text}.`);
    for (const [name, declaration] of inner) found.set(name, declaration);
  }
  return found;
}

/** The value of a type that is a string or a number itself. */
export function literalValue(type: ts.TypeNode): string | number | undefined {
  if (!ts.isLiteralTypeNode(type)) return undefined;
  const { literal } = type;
  if (ts.isStringLiteral(literal)) return literal.text;
  return ts.isNumericLiteral(literal) ? Number(literal.text) : undefined;
}
