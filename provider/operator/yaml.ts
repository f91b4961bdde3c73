import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseAllDocuments,
  type ParsedNode,
  type Tags,
  type YAMLMap,
} from "yaml";
import { pathOf } from "../shared/errors";
import { isPlainObject } from "../shared/objects";
import { kindOf, type Part } from "./problems";

/** Something that is wrong at an offset of a text. */
export interface TextProblem {
  offset: number;
  message: string;
}

/** The documents of a text, without the empty ones. */
export interface ParsedText {
  documents: YamlDocument[];
  problems: TextProblem[];
  position: (offset: number) => Position;
}

export type YamlDocument = Document.Parsed<ParsedNode>;

/** A position in a text. Lines and columns count from 1. */
export interface Position {
  line: number;
  column: number;
}

// What etcd takes as one object: no manifest that ever reached a cluster is larger.
const maxBytes = 1.5 * 1024 * 1024;

// A MiniCluster has ten levels.
const maxDepth = 100;

// Longer than any name in Kubernetes.
const longestKey = 512;

// A manifest repeats a few dozen values; more than this many are an attack on the reader.
const maxFromAliases = 10_000;

/**
 * Parses YAML as kubectl does: version 1.1, where yes, no, on and off are booleans, without the times of day and dates that
 * kubectl leaves as strings. Never throws for what stands in the text, and looks at no more than a cluster would.
 */
export function parseYaml(text: string): ParsedText {
  const lineCounter = new LineCounter();
  const position = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refused = (message: string) => ({ documents: [], problems: [{ offset: 0, message }], position });
  if (Buffer.byteLength(text) > maxBytes) return refused("is larger than 1.5 MiB; Kubernetes takes no such object");
  if (isTooDeep(text)) return refused(`is nested more than ${maxDepth} levels deep`);
  const documents = parseDocuments(text, lineCounter);
  const problems = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ pos, message }) => ({ offset: pos[0], message: withoutQuotation(message) })),
  );
  return { documents: documents.filter(isNotEmpty), problems, position };
}

/** True if a text has more levels than the parser, which calls itself once for each, takes in good time. */
function isTooDeep(text: string): boolean {
  if (!couldBeDeep(text)) return false;
  let brackets = 0;
  let signsInLine = 0;
  for (const token of new Lexer().lex(text)) {
    if (/^[\r\n]/.test(token)) signsInLine = 0;
    else if (/^[[{]$/.test(token)) brackets++;
    else if (/^[\]}]$/.test(token)) brackets = Math.max(brackets - 1, 0);
    // Within brackets these signs stand beside each other, not in each other.
    else if (brackets === 0 && /^([-?:]$|[&!])/.test(token)) signsInLine++;
    if (brackets > maxDepth || signsInLine > maxDepth || widestIndent.test(token)) return true;
  }
  return false;
}

const widestIndent = /^ {400,}$/;

/** A first look, for the manifests that people write: true if there are as many brackets, or lines as long. */
function couldBeDeep(text: string): boolean {
  return (text.match(/[[{]/g)?.length ?? 0) > maxDepth || /^.{200}/m.test(text);
}

function parseDocuments(text: string, lineCounter: LineCounter): YamlDocument[] {
  const parsed = parseAllDocuments<ParsedNode>(text, {
    version: "1.1",
    schema: "yaml-1.1",
    customTags,
    // Both are done by `readDocument`: the parser compares each key with every other, which takes minutes for a hostile text.
    merge: false,
    uniqueKeys: false,
    // A code frame would print secrets.
    prettyErrors: false,
    lineCounter,
  });
  return Array.isArray(parsed) ? parsed : [];
}

// Of the types of YAML 1.1, those that JSON has, too.
const customTags = (tags: Tags): Tags =>
  tags.filter(
    (tag) => typeof tag !== "string" && /:(map|seq|str|null|bool|int|float)$/.test(tag.tag) && tag.format !== "TIME",
  );

const isNotEmpty = ({ contents }: YamlDocument) =>
  !(contents === null || ("value" in contents && contents.value === null));

/** A message of the parser without the text that it quotes. */
const withoutQuotation = (message: string) => message.replace(/: "[\s\S]*$/, "");

/** The offsets of the parts of an entry. */
interface Place extends Record<Part, number> {
  /** The path where its content stands, for an alias or what is merged from another map. */
  origin?: string;
}

type Places = ReadonlyMap<string, Place>;

/** A document as plain values. */
export interface PlainDocument {
  value: unknown;
  /** The offset of what has a path, or of the nearest thing around it. */
  offsetOf: (path: readonly PropertyKey[], part?: Part) => number;
}

/** Reports a problem at an offset of a text. */
export type ReportAt = (path: string, offset: number, message: string) => void;

/** The state of the reading of a document. */
interface Reading {
  places: Map<string, Place>;
  /** By name, what has been read with an anchor; undefined while it is being read. */
  anchors: Map<string, { path: string; value: unknown; count: number } | undefined>;
  /** Values that were read, with aliases written out, and those of them that come from aliases. */
  count: number;
  fromAliases: number;
  /** There is too much to read. */
  isRefused: boolean;
  report: ReportAt;
}

/**
 * Reads a document as plain values, with its aliases and merge keys (`<<`), and finds keys that come twice. Looks at every node
 * once, where the `toJS` of the parser looks for an anchor among all for each alias: no text makes it slow. Undefined when aliases
 * or names are longer than anybody's.
 */
export function readDocument({ contents }: YamlDocument, report: ReportAt): PlainDocument | undefined {
  const start = startOf(contents);
  const places = new Map<string, Place>([["", { whole: start, key: start, value: start }]]);
  const reading: Reading = { places, anchors: new Map(), count: 0, fromAliases: 0, isRefused: false, report };
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

/** The path where the content of a path stands itself. */
function originOf(path: string, places: Places): string {
  const origin = places.get(path)?.origin;
  return origin === undefined ? path : originOf(origin, places);
}

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
  if (isSeq<Node>(node)) return node.items.map((item, index) => readEntry(item, item, pathOf(path, index), reading));
  return isScalar(node) ? node.value : null;
}

/** Reads what stands at a path, and remembers its place. */
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
    const isOpen = anchors.has(name);
    report(
      path,
      offset,
      isOpen ? `the anchor &${name} holds an alias of itself` : `there is no anchor &${name} before this alias`,
    );
    return undefined;
  }
  const place = places.get(path);
  if (place) place.origin = anchor.path;
  reading.count += anchor.count;
  reading.fromAliases += anchor.count;
  if (reading.fromAliases > maxFromAliases)
    refuse(path, offset, `aliases stand for more than ${maxFromAliases} values; write them out`, reading);
  return anchor.value;
}

/** Refuses, once, what could keep the reader busy for long. */
function refuse(path: string, offset: number, message: string, reading: Reading): void {
  if (!reading.isRefused) reading.report(path, offset, message);
  reading.isRefused = true;
}

function readMap(map: YAMLMap<Node, Node | null>, path: string, reading: Reading): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? (key.source ?? String(key.value)) : "?";
    const inner = pathOf(path, name);
    const problem = keyProblem(key, name, values);
    if (name.length > longestKey)
      refuse(path, startOf(key), `has a name of more than ${longestKey} characters`, reading);
    else if (problem !== undefined) reading.report(inner, startOf(key), problem);
    else values.set(name, readEntry(key, value, inner, reading));
  }
  if (map.items.some(({ key }) => isMergeKey(key))) mergeSources(values, path, reading);
  return Object.fromEntries(values);
}

function keyProblem(key: Node, name: string, others: ReadonlyMap<string, unknown>): string | undefined {
  if (others.has(name)) return "stands here twice; keep one of them";
  if (name === "__proto__") return "is a name that nothing can have; remove it";
  if (isScalar(key) && typeof key.value === "string") return undefined;
  const remedy = isScalar(key) ? "; put it in quotes" : "";
  return `must have a string for its name, not ${kindOf(isScalar(key) ? key.value : {})}${remedy}`;
}

const isMergeKey = (key: Node) => isScalar(key) && key.value === mergeKey && key.type === "PLAIN";
const mergeKey = "<<";

/** Puts what a map merges after its own keys: those go before a merged one, and an earlier source before a later one. */
function mergeSources(values: Map<string, unknown>, path: string, { places, isRefused }: Reading): void {
  const given = values.get(mergeKey);
  values.delete(mergeKey);
  if (isRefused) return;
  const at = originOf(pathOf(path, mergeKey), places);
  const sources = Array.isArray(given)
    ? given.map((source: unknown, index) => [originOf(pathOf(at, index), places), source] as const)
    : [[at, given] as const];
  for (const [from, source] of sources)
    for (const [name, value] of Object.entries(isPlainObject(source) ? source : {})) {
      if (values.has(name)) continue;
      values.set(name, value);
      const origin = pathOf(from, name);
      places.set(pathOf(path, name), { ...(places.get(origin) ?? nowhere), origin });
    }
}
