import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair, Scalar, visit } from "yaml";
import { pathOf } from "../shared/errors";
import { kindOf, type Part } from "./problems";
import { mergeKey } from "./yaml";

// A manifest repeats at most a few dozen values.
const maxAliasCount = 10_000;

/** A document as plain values. */
export interface PlainDocument {
  value: unknown;
  /** The offset of the value at a path, or of the innermost value that contains the path. */
  offsetOf: (path: readonly PropertyKey[], part?: Part) => number;
}

/** Reports a problem at an offset of a text. */
export type ReportAt = (path: string, offset: number, message: string) => void;

/**
 * Reads a document as kubectl does, with the last value of a duplicate key, and a warning about the key. Values with a
 * reported problem are removed. Undefined if aliases exceed their limit.
 */
export function readDocument(document: Document, report: ReportAt, warn: ReportAt): PlainDocument | undefined {
  checkNodes(document, report, warn);
  try {
    const value: unknown = document.toJS({ maxAliasCount });
    return { value, offsetOf: (path, part) => offsetIn(document, path, part) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    report(
      "",
      startOf(document.contents),
      `aliases expand to more than ${maxAliasCount} values; replace aliases by their values`,
    );
    return undefined;
  }
}

const startOf = (node: unknown) => (node as Node | null)?.range?.[0] ?? 0;

/** Reports parts that have no equivalent in JSON, and removes them from the document. */
function checkNodes(document: Document, report: ReportAt, warn: ReportAt): void {
  const anchors = new Map<string, Node>();
  visit(document, {
    Alias(_, alias, around) {
      const source = anchors.get(alias.source);
      if (source && !around.includes(source)) return undefined;
      // The message does not contain the name, because a secret that begins with * is read as an alias.
      const unknown = "alias without an anchor before it; put a value that begins with * in quotes";
      const message = source ? "the value of an anchor has an alias of the same anchor" : unknown;
      report(pathTo([...around, alias]), startOf(alias), message);
      return Object.assign(new Scalar(undefined), { range: alias.range });
    },
    Value(_, node, around) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isScalar(node) && typeof node.value === "number" && !Number.isFinite(node.value))
        report(pathTo([...around, node]), startOf(node), "is a number that JSON cannot represent; put it in quotes");
      if (!isMap(node)) return;
      const names = new Set<string>();
      node.items = node.items.filter((pair) => {
        const problem = problemOf(pair, document);
        const isDuplicate = names.has(nameOf(pair.key)) && !isMerge(pair.key);
        names.add(nameOf(pair.key));
        const path = problem || isDuplicate ? pathTo([...around, node, pair]) : "";
        if (problem !== undefined) report(path, startOf(pair.key), problem);
        else if (isDuplicate) warn(path, startOf(pair.key), "duplicate key; its last value is used, as by kubectl");
        return problem === undefined;
      });
    },
  });
}

/** The path of the last of these nodes, each of which contains the next. */
const pathTo = (nodes: readonly unknown[]) =>
  nodes.reduce<string>((path, node, index) => {
    if (isPair(node)) return pathOf(path, nameOf(node.key));
    return isSeq(node) && index + 1 < nodes.length ? pathOf(path, node.items.indexOf(nodes[index + 1])) : path;
  }, "");

const nameOf = (key: unknown) => (isScalar(key) ? (key.source ?? "") : "?");

const isMerge = (key: unknown) => isScalar(key) && key.value === mergeKey;

function problemOf({ key, value }: Pair, document: Document): string | undefined {
  if (isMerge(key))
    return isMergeable(value, document)
      ? undefined
      : "only a map or a list of maps can be merged by <<; put << in quotes if it is a name";
  if (nameOf(key) === "__proto__") return "is a reserved name; remove it";
  const name = isScalar(key) ? key.value : {};
  if (typeof name === "string") return undefined;
  return `must have a name that is a string, not ${kindOf(name)}${isScalar(key) ? "; put it in quotes" : ""}`;
}

function isMergeable(node: unknown, document: Document): boolean {
  const source = resolved(node, document);
  return isMap(source) || (isSeq(source) && source.items.every((item) => isMap(resolved(item, document))));
}

const resolved = (node: unknown, document: Document) => (isAlias(node) ? node.resolve(document) : node);

function offsetIn(document: Document, path: readonly PropertyKey[], part: Part = "whole"): number {
  let place = { key: document.contents as unknown, value: document.contents as unknown };
  for (const step of path) {
    const inner = entryIn(place.value, step, document);
    if (!inner) break;
    place = inner;
  }
  const value = resolved(place.value, document);
  const isInline = isScalar(value) && value.value !== null;
  return startOf(part === "key" || (part === "whole" && !isInline) ? place.key : place.value);
}

/** The entry of a map, or the item of a list, also if it is from an alias or a merged map. */
function entryIn(node: unknown, step: PropertyKey, document: Document): { key: unknown; value: unknown } | undefined {
  const around = resolved(node, document);
  if (isSeq(around)) {
    const item = around.items[Number(step)];
    return item === undefined ? undefined : { key: item, value: item };
  }
  if (!isMap(around)) return undefined;
  for (const { key, value } of [...around.items].reverse()) {
    if (!isMerge(key) && nameOf(key) === String(step)) return { key, value };
    const source = isMerge(key) ? resolved(value, document) : undefined;
    const sources = isSeq(source) ? source.items : [source];
    const merged = sources.map((each) => entryIn(each, step, document)).find((entry) => entry);
    if (merged) return merged;
  }
  return undefined;
}
