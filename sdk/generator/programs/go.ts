import { spawnSync } from "node:child_process";
import { address } from "../address";
import { type GoTypes, structOf } from "./goTypes";
import { type Code, type Item, layOut, type Style } from "./layout";
import {
  capitalized,
  type Entry,
  isReferred,
  type Lookup,
  type Program,
  readsConfig,
  type Resource,
  type Value,
} from "./model";

const style: Style = { columns: 110, indent: "\t", indentColumns: 4 };

/** Writes a program in Go, with the types of the SDK's declarations. gofmt aligns it. */
export function writeGo(program: Program, types: GoTypes): string {
  const writer = new GoWriter(program, types);
  const body = [
    ...program.lookups.flatMap((lookup) => writer.lookup(lookup)),
    ...program.resources.flatMap((resource, index) => writer.resource(resource, index)),
  ];
  const outputs = program.outputs.map(({ name, value }) => `ctx.Export("${name}", ${writer.reference(value)})`);
  const isLastError = outputs.length === 0;
  const lines = [...body.slice(0, isLastError ? -3 : undefined), ...outputs, `return ${isLastError ? "err" : "nil"}`];
  const imports = [
    `"${address.goModule}/minicluster"`,
    ...(program.resources.some(isProvider) ? ['"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"'] : []),
    '"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    ...(readsConfig(program) ? ['"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"'] : []),
  ];
  return format(
    [
      "package main\n",
      `import (\n${imports.join("\n")}\n)\n`,
      "func main() {\npulumi.Run(func(ctx *pulumi.Context) error {",
      ...lines,
      "})\n}\n",
    ].join("\n"),
  );
}

const isProvider = ({ type }: Resource) => type === "pulumi:providers:kubernetes";

function format(text: string): string {
  const { status, stdout, stderr, error } = spawnSync("gofmt", { input: text, encoding: "utf8" });
  if (error) throw new Error(`gofmt is part of Go 1.26: ${error.message}`);
  if (status !== 0) throw new Error(`${stderr}\n${text}`);
  return stdout;
}

class GoWriter {
  /** Variables for the choices that pointers need, before the resource. */
  private choices: string[] = [];
  private readonly named = new Set<string>();

  constructor(
    private readonly program: Program,
    private readonly types: GoTypes,
  ) {}

  lookup({ variable, name, args, comment }: Lookup): string[] {
    const called = capitalized(name);
    this.choices = [];
    const call: Code = {
      open: `minicluster.${called}Output(ctx, minicluster.${called}OutputArgs{`,
      close: "})",
      items: args.map((entry) => this.field(entry, this.fields(`${called}OutputArgs`))),
    };
    const assign = `${camelCase(variable)} := `;
    const lines = (assign + layOut(call, style, 2, assign.length)).split("\n");
    return [...(comment === undefined ? [] : commentLines(comment)), ...this.choices, ...lines];
  }

  resource(resource: Resource, index: number): string[] {
    const { variable, name, type, properties, options, comment } = resource;
    const component = type.split(":").at(-1) ?? "";
    const [pkg, made] = isProvider(resource) ? ["kubernetes", "Provider"] : ["minicluster", component];
    this.choices = [];
    const call: Code = {
      open: `${pkg}.New${made}(ctx, ${JSON.stringify(name)}, &${pkg}.${made}Args{`,
      close: `}${this.options(options)})`,
      items: properties.map((entry) =>
        isProvider(resource) ? providerItem(entry) : this.field(entry, this.fields(`${component}Args`)),
      ),
    };
    const isUsed = isReferred(this.program, variable);
    // `:=` requires a new variable: err of the first statement, or the variable of the resource.
    const assign = `${isUsed ? camelCase(variable) : "_"}, err ${isUsed || index === 0 ? ":=" : "="} `;
    const text = assign + layOut(call, style, 2, assign.length);
    return [
      ...(comment === undefined ? [] : commentLines(comment)),
      ...this.choices,
      ...text.split("\n"),
      "if err != nil {",
      "return err",
      "}",
    ];
  }

  private options({ providers, dependsOn, aliases }: Resource["options"]): string {
    const given = [
      ...providers.map((one) => `pulumi.Providers(${camelCase(one)})`),
      ...dependsOn.map((one) => `pulumi.DependsOn([]pulumi.Resource{${camelCase(one)}})`),
      ...aliases.map((urn) => `pulumi.Aliases([]pulumi.Alias{{URN: pulumi.URN(${JSON.stringify(urn)})}})`),
    ];
    return given.map((option) => `, ${option}`).join("");
  }

  private fields(struct: string) {
    const fields = this.types.fieldsOf(struct);
    if (!fields) throw new Error(`the SDK for Go has no struct ${struct}`);
    return fields;
  }

  private field({ key, value, comment }: Entry, fields: ReturnType<GoWriter["fields"]>): Item {
    const field = fields.get(key);
    if (!field) throw new Error(`the SDK for Go has no field ${key}`);
    return {
      before: `${field.name}: `,
      value: this.value(value, field.type, key),
      ...(comment !== undefined && { comment: commentLines(comment) }),
    };
  }

  private value(value: Value, type: string, key: string): Code {
    if (value.kind === "list") return this.list(value.items, type, key);
    if (value.kind === "map") return this.map(value.entries, type, key);
    if (value.kind === "literal") return this.literal(value.value, type, key);
    return this.reference(value, type);
  }

  private list(items: Value[], type: string, key: string): Code {
    if (type === "pulumi.StringArrayInput")
      return {
        open: "pulumi.ToStringArray([]string{",
        close: "})",
        items: items.map((item) => ({ value: text(item) })),
      };
    const element = type.replace(/^\[\]/, "");
    const open = `${qualified(type)}{`;
    const codes = items.map((item) => this.value(item, element, key));
    const [only] = codes;
    // Go infers the element type from the list. A single element shares its lines with the list.
    if (codes.length === 1 && only !== undefined && typeof only !== "string" && element.endsWith("Args"))
      return { ...only, open: `${open}{`, close: "}}" };
    return { open, close: "}", items: codes.map((code) => ({ value: withoutType(code, element) })) };
  }

  private map(entries: Entry[], type: string, key: string): Code {
    if (type.startsWith("map[string]")) {
      const element = type.slice("map[string]".length);
      const items = entries.map(({ key: name, value, comment }) => ({
        before: `${JSON.stringify(name)}: `,
        value: withoutType(this.value(value, element, key), element),
        ...(comment !== undefined && { comment: commentLines(comment) }),
      }));
      return { open: `${qualified(type)}{`, close: "}", items };
    }
    if (type === "pulumi.StringMapInput")
      return {
        open: "pulumi.StringMap{",
        close: "}",
        items: entries.map(({ key: name, value }) => ({
          before: `${JSON.stringify(name)}: `,
          value: this.value(value, "pulumi.StringInput", key),
        })),
      };
    const struct = structOf(type);
    const open = `${type.startsWith("*") ? "&" : ""}minicluster.${struct}{`;
    return { open, close: "}", items: entries.map((entry) => this.field(entry, this.fields(struct))) };
  }

  private literal(value: string | number | boolean, type: string, key: string): Code {
    const written = typeof value === "string" ? quoted(value) : String(value);
    const input = /^pulumi\.(String|Int|Bool|Float64)(?:Ptr)?Input$/.exec(type)?.[1];
    if (input !== undefined) return `pulumi.${input}(${written})`;
    const pointer = /^\*(string|int|bool|float64)$/.exec(type)?.[1];
    if (pointer !== undefined) return `pulumi.${pointer[0]?.toUpperCase()}${pointer.slice(1)}Ref(${written})`;
    const choice = type.replace(/^\*/, "").replace(/(Ptr)?Input$/, "");
    const constant = typeof value === "string" ? this.types.constantOf(choice, value) : undefined;
    if (constant === undefined) return written;
    return type.startsWith("*") ? `&${this.choice(key, `minicluster.${constant}`)}` : `minicluster.${constant}`;
  }

  /** A variable that a pointer can refer to. */
  private choice(key: string, constant: string): string {
    let name = key;
    for (let count = 2; this.named.has(name); count += 1) name = `${key}${count}`;
    this.named.add(name);
    this.choices.push(`${name} := ${constant}`);
    return name;
  }

  reference(value: Value, type = ""): string {
    if (value.kind === "config") {
      const read = `config.Require${value.secret ? "Secret" : ""}(ctx, "${value.key}")`;
      return value.secret ? read : `pulumi.String(${read})`;
    }
    if (value.kind !== "output") throw new Error(`not a reference: ${value.kind}`);
    const { resource, property } = value;
    const lookup = this.program.lookups.find(({ variable }) => variable === resource);
    if (lookup) return this.result(lookup, property, type);
    const owner = this.program.resources.find(({ variable }) => variable === resource);
    const output = this.fields(owner?.type.split(":").at(-1) ?? "").get(property);
    if (!output) throw new Error(`${resource} has no output ${property}`);
    const index = value.key === undefined ? "" : `.MapIndex(pulumi.String("${value.key}"))`;
    return `${camelCase(resource)}.${output.name}${index}${conversion(output.type, type)}`;
  }

  /** A property of the result of a function, which is a method of its output. */
  private result({ variable, name }: Lookup, property: string, type: string): string {
    const field = this.fields(`${capitalized(name)}Result`).get(property);
    if (!field) throw new Error(`${name} has no result ${property}`);
    const isOptional = field.type.startsWith("*");
    const output = `${field.type.replace(/^\*/, "")}${isOptional ? "Ptr" : ""}Output`;
    return `${camelCase(variable)}.${field.name}()${conversion(output, type)}`;
  }
}

/** The conversion of an output of one type into an input of another. */
function conversion(output: string, input: string): string {
  const isOptional = output.endsWith("PtrOutput");
  if (isOptional) return /Input$/.test(input) && !input.endsWith("PtrInput") ? ".Elem()" : "";
  const own = /^(\w+)PtrInput$/.exec(input)?.[1];
  return own === undefined ? "" : `.To${own}PtrOutput()`;
}

const providerItem = ({ key, value }: Entry): Item => ({
  before: `${key[0]?.toUpperCase()}${key.slice(1)}: `,
  value: `pulumi.String(${text(value)})`,
});

function text(value: Value): string {
  if (value.kind !== "literal") throw new Error(`not a literal: ${value.kind}`);
  return JSON.stringify(value.value);
}

const qualified = (type: string) => type.replace(/^((?:\[\]|map\[string\])*)([A-Z]\w*)$/, "$1minicluster.$2");

const withoutType = (code: Code, element: string): Code =>
  typeof code === "string" || !element.endsWith("Args")
    ? code
    : { ...code, open: code.open.replace(/^minicluster\.\w+\{$/, "{") };

/** A raw string if it has several lines or quotation marks. */
const quoted = (value: string) =>
  /["\n]/.test(value) && !value.includes("`") ? `\`${value}\`` : JSON.stringify(value);

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const commentLines = (text: string) => text.split("\n").map((line) => `// ${line.trim()}`);
