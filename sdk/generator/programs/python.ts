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

const style: Style = { columns: 100, indent: "    ", indentColumns: 4 };

/** Writes a program in Python. The types of the SDK for Go distinguish objects of the schema from maps of the user. */
export function writePython(program: Program, types: GoTypes): string {
  const lines = [
    ...program.lookups.map((lookup) => lookupLine(lookup, types)),
    ...program.resources.flatMap((resource) => resourceLines(program, resource, types)),
  ];
  const outputs = program.outputs.map(({ name, value }) => `pulumi.export("${name}", ${plain(value)})`);
  const body = [...(readsConfig(program) ? ["config = pulumi.Config()"] : []), ...lines].join("\n\n");
  return `${[importsOf(program), body, outputs.join("\n")].filter((part) => part !== "").join("\n\n")}\n`;
}

function importsOf(program: Program): string {
  const isOurs = ({ type }: Resource) => type.startsWith("minicluster:");
  const components = program.resources.filter(isOurs).map(({ type }) => type.split(":").at(-1) ?? "");
  const functions = program.lookups.map(({ name }) => snakeCase(name));
  // As isort sorts names.
  const names = [...[...new Set(components)].sort(), ...[...new Set(functions)].sort()];
  const usesPulumi =
    program.outputs.length > 0 ||
    readsConfig(program) ||
    program.resources.some(({ options }) => optionsOf(options) !== undefined);
  return [
    ...(usesPulumi ? ["import pulumi"] : []),
    ...(program.resources.every(isOurs) ? [] : ["import pulumi_kubernetes as k8s"]),
    `from pulumi_minicluster import ${names.join(", ")}`,
  ].join("\n");
}

function lookupLine({ variable, name, args, comment }: Lookup, types: GoTypes): string {
  const fields = types.fieldsOf(`${capitalized(name)}OutputArgs`);
  const items = args.map(({ key, value, comment: above }) => ({
    before: `${snakeCase(key)}=`,
    value: valueCode(value, fields?.get(key)?.type ?? "", types),
    ...(above !== undefined && { comment: commentLines(above) }),
  }));
  const call: Code = { open: `${snakeCase(variable)} = ${snakeCase(name)}(`, close: ")", items };
  return [...(comment === undefined ? [] : commentLines(comment)), layOut(call, style, 0, 0)].join("\n");
}

function resourceLines(program: Program, resource: Resource, types: GoTypes): string[] {
  const { variable, name, type, properties, options, comment } = resource;
  const component = type.split(":").at(-1) ?? "";
  const isProvider = type === "pulumi:providers:kubernetes";
  const struct = isProvider ? undefined : `${component}Args`;
  const given = properties.map(({ key, value, comment: above }) => ({
    before: `${snakeCase(key)}=`,
    value: valueCode(value, struct === undefined ? "" : (types.fieldsOf(struct)?.get(key)?.type ?? ""), types),
    ...(above !== undefined && { comment: commentLines(above) }),
  }));
  const opts = optionsOf(options);
  const before = isReferred(program, variable) ? `${snakeCase(variable)} = ` : "";
  const call: Code = {
    open: `${before}${isProvider ? "k8s.Provider" : component}(`,
    close: ")",
    items: [
      { value: JSON.stringify(name) },
      ...given,
      ...(opts === undefined ? [] : [{ before: "opts=", value: opts }]),
    ],
  };
  return [[...(comment === undefined ? [] : commentLines(comment)), layOut(call, style, 0, 0)].join("\n")];
}

function optionsOf({ providers, dependsOn, aliases }: Resource["options"]): Code | undefined {
  const items = [
    { before: "providers=", values: providers.map(snakeCase) },
    { before: "depends_on=", values: dependsOn.map(snakeCase) },
    { before: "aliases=", values: aliases.map((urn) => JSON.stringify(urn)) },
  ].flatMap(({ before, values }) =>
    values.length > 0 ? [{ before, value: bracketed("[", "]", values, (value) => ({ value })) }] : [],
  );
  return items.length > 0 ? { open: "pulumi.ResourceOptions(", close: ")", items } : undefined;
}

function valueCode(value: Value, type: string, types: GoTypes): Code {
  const element = type.replace(/^(\*|\[\]|map\[string\])/, "");
  switch (value.kind) {
    case "list":
      return bracketed("[", "]", value.items, (item) => ({ value: valueCode(item, element, types) }));
    case "map": {
      const fields = type.startsWith("map[string]") ? undefined : types.fieldsOf(structOf(element));
      return bracketed("{", "}", value.entries, (entry) => entryItem(entry, fields, element, types));
    }
    case "literal":
      return literal(value.value);
    default:
      return plain(value);
  }
}

const bracketed = <T>(open: string, close: string, given: T[], item: (one: T) => Item): Code => ({
  open,
  close,
  trailing: open === "{",
  items: given.map(item),
});

function entryItem(
  { key, value, comment }: Entry,
  fields: ReturnType<GoTypes["fieldsOf"]>,
  element: string,
  types: GoTypes,
): Item {
  const field = fields?.get(key);
  return {
    before: `${JSON.stringify(field ? snakeCase(key) : key)}: `,
    value: valueCode(value, field?.type ?? element, types),
    ...(comment !== undefined && { comment: commentLines(comment) }),
  };
}

function literal(value: string | number | boolean): Code {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  const lines = value.split(/(?<=\n)/);
  if (lines.length < 3) return quoted(value);
  return { open: "(", close: ")", separator: "", items: lines.map((line) => ({ value: quoted(line) })) };
}

/** In the quotation marks that the text does not contain, as formatters prefer. */
function quoted(value: string): string {
  const text = JSON.stringify(value);
  return value.includes('"') && !value.includes("'") ? `'${text.slice(1, -1).replaceAll('\\"', '"')}'` : text;
}

function plain(value: Value): string {
  if (value.kind === "output")
    return `${snakeCase(value.resource)}.${snakeCase(value.property)}${value.key === undefined ? "" : `["${value.key}"]`}`;
  if (value.kind === "config") return `config.require${value.secret ? "_secret" : ""}("${value.key}")`;
  throw new Error(`not a value of an output: ${value.kind}`);
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/-/g, "_");

const commentLines = (text: string) => text.split("\n").map((line) => `# ${line.trim()}`);
