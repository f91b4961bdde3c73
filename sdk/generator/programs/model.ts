import { type Document, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";

/** A program in Pulumi YAML, for conversion into another language. */
export interface Program {
  /** Calls of functions of this package, which precede the resources. */
  lookups: Lookup[];
  resources: Resource[];
  outputs: { name: string; value: Value }[];
}

/** The call of a function, and the variable of its result. */
export interface Lookup {
  variable: string;
  /** Such as `lookupNodes`. */
  name: string;
  comment?: string;
  args: Entry[];
}

/** A resource of a program. */
export interface Resource {
  /** Name in the program, and of the resource without a `name`. */
  variable: string;
  name: string;
  /** Such as `minicluster:MiniCluster`. */
  type: string;
  comment?: string;
  properties: Entry[];
  /** Providers and dependencies by the variables of resources, and URNs. */
  options: { providers: string[]; dependsOn: string[]; aliases: string[] };
}

/** A value of an argument. */
export type Value =
  | { kind: "literal"; value: string | number | boolean }
  | { kind: "list"; items: Value[] }
  | { kind: "map"; entries: Entry[] }
  /** An output of a resource or of a function, or the value of a key in an output that is a map. */
  | { kind: "output"; resource: string; property: string; key?: string }
  /** A value of the stack's configuration. */
  | { kind: "config"; key: string; secret: boolean };

/** A key with its value, and the comment above them. */
export interface Entry {
  key: string;
  value: Value;
  comment?: string;
}

/** Whether the writers of this folder support the type of each resource of a program. */
export const isWritable = (text: string): boolean =>
  readTypes(text).every((type) => type.startsWith("minicluster:") || type === "pulumi:providers:kubernetes");

const readTypes = (text: string): string[] =>
  pairs(parseDocument(text), "resources").map(({ value }) => (isMap(value) && textAt(value, "type")) || "");

function textAt(map: YAMLMap, key: string): string | undefined {
  const value = map.get(key);
  return typeof value === "string" ? value : undefined;
}

/** Reads a program. Throws at a part that the writers of this folder do not support. */
export function readProgram(text: string): Program {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  const secrets = new Map(
    pairs(document, "config").map(({ key, value }) => [key, isMap(value) && value.get("secret") === true]),
  );
  const read = (node: unknown): Value => {
    if (isMap(node)) return { kind: "map", entries: entriesOf(node, read) };
    if (isSeq(node)) return { kind: "list", items: node.items.map(read) };
    if (!isScalar(node)) throw new Error(`not a value: ${String(node)}`);
    const { value } = node;
    return typeof value === "string" ? readText(value, secrets) : { kind: "literal", value: value as number | boolean };
  };
  return {
    lookups: pairs(document, "variables").map(({ key, value, comment }) => ({
      ...readLookup(key, value, read),
      ...(comment !== undefined && { comment }),
    })),
    resources: pairs(document, "resources").map(({ key, value, comment }) => ({
      ...readResource(key, value, read),
      ...(comment !== undefined && { comment }),
    })),
    outputs: pairs(document, "outputs").map(({ key, value }) => ({ name: key, value: read(value) })),
  };
}

function readLookup(variable: string, node: unknown, read: (node: unknown) => Value): Lookup {
  const call = isMap(node) ? node.get("fn::invoke") : undefined;
  const [, name] = /^minicluster:(\w+)$/.exec((isMap(call) && textAt(call, "function")) || "") ?? [];
  if (!isMap(call) || name === undefined) throw new Error(`${variable}: not a function of this package`);
  const given = call.get("arguments");
  const args = isMap(given) ? entriesOf(given, read) : [];
  // Functions precede the resources, and take no outputs in Python.
  if (args.some(({ value }) => some(value, ({ kind }) => kind === "output" || kind === "config")))
    throw new Error(`${variable}: an argument of a function is not a literal`);
  return { variable, name, args };
}

function readResource(variable: string, node: unknown, read: (node: unknown) => Value): Resource {
  if (!isMap(node)) throw new Error(`${variable}: not a resource`);
  const properties = node.get("properties");
  const options = node.get("options");
  const reference = (value: string): string => /^\$\{(\w+)\}$/.exec(value)?.[1] ?? "";
  const listed = (key: string) => {
    const list = isMap(options) ? options.get(key) : undefined;
    return isSeq(list) ? list.items.map(String) : [];
  };
  return {
    variable,
    name: textAt(node, "name") ?? variable,
    type: textAt(node, "type") ?? "",
    properties: isMap(properties) ? entriesOf(properties, read) : [],
    options: {
      providers: listed("providers").map(reference),
      dependsOn: listed("dependsOn").map(reference),
      aliases: listed("aliases"),
    },
  };
}

/** `$${` is an escaped `${`; a reference is a whole text. */
function readText(text: string, secrets: Map<string, boolean>): Value {
  const [, first = "", property, key] = /^\$\{([\w-]+)(?:\.(\w+)(?:\["([\w-]+)"\])?)?\}$/.exec(text) ?? [];
  if (first === "" && /(?<!\$)\$\{/.test(text)) throw new Error(`a reference inside a text: ${text}`);
  if (first === "") return { kind: "literal", value: text.replaceAll("$${", "${") };
  if (property !== undefined) return { kind: "output", resource: first, property, key };
  const secret = secrets.get(first);
  if (secret === undefined) throw new Error(`nothing in config is called ${first}`);
  return { kind: "config", key: first, secret };
}

const pairs = (document: Document, key: string) => {
  const node = document.get(key);
  return isMap(node) ? entriesOf(node, (value) => value) : [];
};

function entriesOf<T>(map: { items: Pair[] }, read: (node: unknown) => T) {
  return map.items.map(({ key, value }, index) => {
    const { commentBefore } = key as Node;
    // The comment above the first key belongs to the map as a whole.
    const comment = commentBefore ?? (index === 0 ? (map as { commentBefore?: string }).commentBefore : undefined);
    return { key: String(key), value: read(value), ...(comment != null && { comment: comment.trim() }) };
  });
}

/** A name with a capital first letter. */
export const capitalized = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** Whether a value, or one inside it, satisfies a condition. */
const some = (value: Value, is: (value: Value) => boolean): boolean =>
  is(value) ||
  (value.kind === "list" && value.items.some((item) => some(item, is))) ||
  (value.kind === "map" && value.entries.some((entry) => some(entry.value, is)));

const someProperty = ({ properties }: Resource, is: (value: Value) => boolean) =>
  properties.some(({ value }) => some(value, is));

/** Whether a program reads the configuration of its stack. */
export const readsConfig = ({ resources }: Program): boolean =>
  resources.some((resource) => someProperty(resource, ({ kind }) => kind === "config"));

/** Whether anything refers to a resource. */
export function isReferred({ resources, outputs }: Program, variable: string): boolean {
  const refers = (value: Value) => value.kind === "output" && value.resource === variable;
  return (
    outputs.some(({ value }) => some(value, refers)) ||
    resources.some(
      (resource) =>
        [...resource.options.providers, ...resource.options.dependsOn].includes(variable) ||
        someProperty(resource, refers),
    )
  );
}
