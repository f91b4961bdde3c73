import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from "yaml";
import { maxItems } from "../shared/checks";
import { pathOf } from "../shared/errors";
import { isPlainObject } from "../shared/objects";
import { kindOf, type Part } from "./problems";
import { plainScalar } from "./scalar";
import { longTag, scalarTags, type YamlDocument } from "./yaml";

// Longer than any name in Kubernetes.
const longestKey = 512;

// A manifest repeats a few dozen values; more than this many would slow down the reader.
const maxFromAliases = 10_000;

/** The offsets of the parts of an entry. */
interface Place extends Record<Part, number> {
  /** The path of the original content, for an alias or a merged map. */
  origin?: string;
}

type Places = ReadonlyMap<string, Place>;

/** A document as plain values. */
export interface PlainDocument {
  value: unknown;
  /** The offset of the value at a path, or of the nearest one around it. */
  offsetOf: (path: readonly PropertyKey[], part?: Part) => number;
}

/** Reports a problem at an offset of a text. */
export type ReportAt = (path: string, offset: number, message: string) => void;

/** The state of the read of a document. */
interface Reading {
  places: Map<string, Place>;
  /** Values with an anchor by its name; undefined while a value is being read. */
  anchors: Map<string, { path: string; value: unknown; count: number } | undefined>;
  /** Values that were read, with aliases expanded, and those of them that come from aliases. */
  count: number;
  fromAliases: number;
  /** The document is too large to read. */
  isRefused: boolean;
  report: ReportAt;
  warn: ReportAt;
}

/**
 * Reads a document as kubectl does: with the types of YAML 1.1, aliases and merge keys (`<<`), and the last value of a duplicate
 * key, with a warning. Reads every node once, where the `toJS` of the parser searches all anchors for each alias, so that no text
 * is slow. Undefined when aliases, lists or names exceed their limits.
 */
export function readDocument({ contents }: YamlDocument, report: ReportAt, warn: ReportAt): PlainDocument | undefined {
  const start = startOf(contents);
  const places = new Map<string, Place>([["", { whole: start, key: start, value: start }]]);
  const counts = { count: 0, fromAliases: 0, isRefused: false };
  const reading: Reading = { places, anchors: new Map(), ...counts, report, warn };
  const value = readNode(contents, "", reading);
  if (reading.isRefused) return undefined;
  return { value, offsetOf: (path, part = "whole") => placeOf(path, places)[part] };
}

const nowhere: Place = { whole: 0, key: 0, value: 0 };

function placeOf(path: readonly PropertyKey[], places: Places): Place {
  let found = "";
  for (const step of path) {
    const inner = pathOf(originOf(found, places), typeof step === "number" ? step : String(step));
    if (!places.has(inner)) break;
    found = inner;
  }
  return places.get(found) ?? nowhere;
}

/** The path of the original content of a path. In one step: a duplicate key could cause a cycle. */
const originOf = (path: string, places: Places): string => places.get(path)?.origin ?? path;

const startOf = (node: Node | null) => node?.range?.[0] ?? 0;

function readNode(node: Node | null, path: string, reading: Reading): unknown {
  if (reading.isRefused) return undefined;
  if (isAlias(node)) return readAlias(node.source, startOf(node), path, reading);
  const before = reading.count++;
  const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
  if (anchor !== undefined) reading.anchors.set(anchor, undefined);
  const value = readContent(node, path, reading);
  if (anchor !== undefined) reading.anchors.set(anchor, { path, value, count: reading.count - before });
  return value;
}

function readContent(node: Node | null, path: string, reading: Reading): unknown {
  if (isMap<Node, Node | null>(node)) return readMap(node, path, reading);
  if (isSeq<Node>(node)) return readList(node.items, path, reading);
  return isScalar(node) ? readScalar(node, path, reading) : null;
}

function readList(items: Node[], path: string, reading: Reading): unknown[] {
  if (items.length <= maxItems) return items.map((item, index) => readEntry(item, item, pathOf(path, index), reading));
  refuse(path, startOf(items[0] ?? null), `has ${items.length} items; at most ${maxItems} are accepted`, reading);
  return [];
}

function readScalar(scalar: Scalar<unknown> & Node, path: string, reading: Reading): unknown {
  const value = scalarValue(scalar);
  const tag = tagOf(scalar);
  if (tag !== undefined && !hasType[tag](value))
    reading.report(path, startOf(scalar), `the value does not match its tag !!${tag}`);
  if (typeof value === "number" && !Number.isFinite(value))
    reading.report(path, startOf(scalar), "JSON has no such number; put it in quotes");
  return value;
}

/** The value of a scalar: without quotes or an explicit tag, by its form. */
function scalarValue(scalar: Scalar): ReturnType<typeof plainScalar> {
  const { source = "", tag, type } = scalar;
  const isTyped = tag === undefined ? type === "PLAIN" : tagOf(scalar) !== undefined;
  return isTyped ? plainScalar(source) : source;
}

const tagOf = ({ tag }: Scalar) => scalarTags.find((name) => tag === longTag(name));

const hasType = {
  null: (value: unknown) => value === null,
  bool: (value: unknown) => typeof value === "boolean",
  int: (value: unknown) => Number.isInteger(value),
  float: (value: unknown) => typeof value === "number",
};

/** Reads the value at a path, and records its place. */
function readEntry(key: Node, value: Node | null, path: string, reading: Reading): unknown {
  const place: Place = { whole: 0, key: startOf(key), value: startOf(value ?? key) };
  reading.places.set(path, place);
  const read = readNode(value, path, reading);
  place.whole = typeof read === "object" ? place.key : place.value;
  return read;
}

function readAlias(name: string, offset: number, path: string, reading: Reading): unknown {
  const { anchors, places, report } = reading;
  const anchor = anchors.get(name);
  if (!anchor) {
    // Without the name: a secret that begins with * is read as an alias.
    const unknown = "alias without an anchor before it; put a value that begins with * in quotes";
    report(path, offset, anchors.has(name) ? "the value of an anchor has an alias of the same anchor" : unknown);
    return undefined;
  }
  const place = places.get(path);
  if (place) place.origin = anchor.path;
  reading.count += anchor.count;
  reading.fromAliases += anchor.count;
  if (reading.fromAliases > maxFromAliases)
    refuse(path, offset, `aliases expand to more than ${maxFromAliases} values; write them out`, reading);
  return anchor.value;
}

/** Rejects, once, a document that could take long to read. */
function refuse(path: string, offset: number, message: string, reading: Reading): void {
  if (!reading.isRefused) reading.report(path, offset, message);
  reading.isRefused = true;
}

function readMap(map: YAMLMap<Node, Node | null>, path: string, reading: Reading): Record<string, unknown> {
  const values = new Map<string, unknown>();
  const own = new Set<string>();
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? (key.source ?? "") : "?";
    const inner = pathOf(path, name);
    const problem = keyProblem(key, name);
    if (name.length > longestKey)
      refuse(path, startOf(key), `has a name of more than ${longestKey} characters`, reading);
    else if (problem !== undefined) reading.report(inner, startOf(key), problem);
    else if (isMergeKey(key)) {
      const source = readEntry(key, value, inner, reading);
      mergeInto(values, source, path, startOf(value ?? key), reading);
    } else {
      if (own.has(name)) reading.warn(inner, startOf(key), "duplicate key; its last value is used, as by kubectl");
      own.add(name);
      values.set(name, readEntry(key, value, inner, reading));
    }
  }
  return Object.fromEntries(values);
}

function keyProblem(key: Node, name: string): string | undefined {
  if (name === "__proto__") return "is a reserved name; remove it";
  const value = isScalar(key) ? scalarValue(key) : {};
  if (typeof value === "string") return undefined;
  return `must have a string for its name, not ${kindOf(value)}${isScalar(key) ? "; put it in quotes" : ""}`;
}

const mergeKey = "<<";
const isMergeKey = (key: Node) =>
  isScalar(key) && key.source === mergeKey && key.type === "PLAIN" && key.tag === undefined;

/**
 * Adds the entries of other maps to those before the merge key, which take precedence. An earlier map takes precedence over a later
 * one.
 */
function mergeInto(
  values: Map<string, unknown>,
  given: unknown,
  path: string,
  offset: number,
  { places, isRefused, report }: Reading,
): void {
  if (isRefused || given === undefined) return;
  const at = originOf(pathOf(path, mergeKey), places);
  const sources = Array.isArray(given)
    ? given.map((source: unknown, index) => [originOf(pathOf(at, index), places), source] as const)
    : [[at, given] as const];
  for (const [from, source] of sources.reverse()) {
    if (!isPlainObject(source)) return report(pathOf(path, mergeKey), offset, notMergeable);
    for (const [name, value] of Object.entries(source)) {
      values.set(name, value);
      const origin = originOf(pathOf(from, name), places);
      places.set(pathOf(path, name), { ...(places.get(origin) ?? nowhere), origin });
    }
  }
}

const notMergeable = "only a map or a list of maps can be merged by <<; put it in quotes where it is a name";
