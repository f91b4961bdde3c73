import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { Field, ListField, MapField, Scalar, StructField } from "./fields/kinds";
import { pathOf } from "../shared/errors";
import { entriesOf, resolved } from "./yaml/entries";
import { type Aliases, type AddIssueAt, keyText, offsetOf } from "./yaml/inspect";

/** What the reading of one document needs to know, and where it leaves what it finds. */
export interface Reading {
  aliases: Aliases;
  /** Offset of everything that stands in the document, by path. */
  places: Map<string, number>;
  addIssue: AddIssueAt;
  /** A field that the table does not have. */
  unknown(name: string, parent: string, offset: number, struct: StructField): void;
}

/** Reads a value as a table of fields says, as `ValueOf` it. What is wrong is complained about and left out. */
export function readField(node: Node, field: Field, path: string, reading: Reading): unknown {
  const value = resolved(node, reading.aliases);
  if (!reading.places.has(path)) reading.places.set(path, offsetOf(node));
  return isNull(value) ? undefined : readers[field.kind](value, field as never, path, reading);
}

type Reader<F> = (node: Node, field: F, path: string, reading: Reading) => unknown;

const readers: { struct: Reader<StructField>; list: Reader<ListField>; map: Reader<MapField> } & Record<
  Scalar["kind"],
  Reader<Scalar>
> = {
  struct: readStruct,
  list: readList,
  map: readMap,
  string: readText,
  quantity: readQuantity,
  integer: readInteger,
  boolean: readFlag,
};

function readStruct(
  node: Node,
  field: StructField,
  path: string,
  reading: Reading,
): Record<string, unknown> | undefined {
  if (!isMap<Node, Node | null>(node)) return refuse(node, "must be a map of fields", path, reading);
  const values: Record<string, unknown> = {};
  for (const { key, value } of entriesOf(node, reading.aliases)) {
    const name = keyText(key);
    const inner = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined;
    if (!inner) {
      reading.unknown(name, path, offsetOf(key), field);
      continue;
    }
    const read = readEntry(key, value, inner, pathOf(path, name), reading);
    if (read !== undefined && (read !== "" || "keepsEmpty" in inner)) values[name] = read;
  }
  return values;
}

function readMap(node: Node, field: MapField, path: string, reading: Reading): Record<string, unknown> | undefined {
  if (!isMap<Node, Node | null>(node)) return refuse(node, "must be a map of names to values", path, reading);
  const entries: [string, unknown][] = [];
  for (const { key, value } of entriesOf(node, reading.aliases)) {
    const name = keyText(key);
    const inner = pathOf(path, name);
    if (!isScalar(key) || typeof key.value !== "string") refuse(key, "must have a string for its name", inner, reading);
    else if (!value || isNull(resolved(value, reading.aliases)))
      addNullIssue(value ?? key, field.values, inner, reading);
    else entries.push([name, readEntry(key, value, field.values, inner, reading)]);
  }
  // Not an assignment, for a name may be __proto__.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function readList(node: Node, field: ListField, path: string, reading: Reading): unknown[] | undefined {
  if (!isSeq<Node>(node)) return refuse(node, "must be a list", path, reading);
  const items = node.items.map((item, index) => {
    const inner = pathOf(path, index);
    if (isNull(resolved(item, reading.aliases))) return addNullIssue(item, field.items, inner, reading);
    return readField(item, field.items, inner, reading);
  });
  // What cannot be read keeps its place, so that the others keep their index.
  return items.map((item) => item ?? (field.items.kind === "struct" ? {} : ""));
}

function readEntry(key: Node, value: Node | null, field: Field, path: string, reading: Reading): unknown {
  const isBlock = field.kind === "struct" || field.kind === "list" || field.kind === "map";
  reading.places.set(path, offsetOf(isBlock || !value ? key : value));
  return value ? readField(value, field, path, reading) : undefined;
}

function readText(node: Node, _: Scalar, path: string, reading: Reading): string | undefined {
  if (isScalar(node) && typeof node.value === "string") return node.value;
  return refuse(node, "must be a string", path, reading);
}

function readQuantity(node: Node, _: Scalar, path: string, reading: Reading): string | undefined {
  if (isScalar(node) && typeof node.value === "string") return node.value;
  if (isScalar(node) && Number.isSafeInteger(node.value)) return String(node.value);
  return refuse(node, "must be a quantity, as a string or an integer", path, reading);
}

function readInteger(node: Node, _: Scalar, path: string, reading: Reading): number | undefined {
  if (isScalar(node) && Number.isSafeInteger(node.value)) return node.value as number;
  return refuse(node, "must be an integer", path, reading);
}

function readFlag(node: Node, _: Scalar, path: string, reading: Reading): boolean | undefined {
  if (isScalar(node) && typeof node.value === "boolean") return node.value;
  return refuse(node, "must be true or false", path, reading);
}

/** Says what a value must be and what it is. Never the value: it may be a secret. */
function refuse(node: Node, rule: string, path: string, reading: Reading): undefined {
  const remedy = /string/.test(rule) && isScalar(node) ? "; put it in quotes" : "";
  reading.addIssue(path, offsetOf(node), `${rule}, not ${kindOf(node)}${remedy}`);
}

function addNullIssue(node: Node, field: Field, path: string, reading: Reading): undefined {
  const remedy = field.kind === "string" ? 'give it one, or "" for an empty one' : "give it one or remove it";
  reading.addIssue(path, offsetOf(node), `has no value; ${remedy}`);
}

function kindOf(node: Node): string {
  if (isMap(node)) return "a map";
  if (isSeq(node)) return "a list";
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value === "string") return "a string";
  if (typeof value === "boolean") return "true or false";
  return typeof value === "number" ? "a number" : "something else";
}

const isNull = (node: Node) => isScalar(node) && node.value === null;
