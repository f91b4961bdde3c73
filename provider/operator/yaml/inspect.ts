import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
} from "yaml";
import { pathOf } from "../../shared/errors";

// Longer than any name in Kubernetes.
const longestKey = 512;

/** What aliases stand for. */
export type Aliases = ReadonlyMap<Alias, Node>;

/** Tells of something that is wrong at an offset of the text. */
export type AddIssueAt = (path: string, offset: number, message: string) => void;

// A manifest repeats a few dozen values; more than this many are an attack on the reader.
const maxFromAliases = 10_000;

interface Anchor {
  node: Node;
  /** Values that it stands for, itself included; undefined while they are being counted. */
  size: number | undefined;
}

/**
 * Looks at every node of a document once: resolves its aliases without following them, counts what they stand for, and finds
 * keys that come twice. In one pass, so that no text makes it slow. Undefined when there is too much to read.
 */
export function inspectNodes({ contents }: Document.Parsed<ParsedNode>, addIssue: AddIssueAt): Aliases | undefined {
  const anchors = new Map<string, Anchor>();
  const aliases = new Map<Alias, Node>();
  let fromAliases = 0;
  let isReadable = true;

  /** Values that a node stands for, with aliases written out. */
  function sizeOf(node: Node, path: string): number {
    if (isAlias(node)) return sizeOfAlias(node, path);
    const anchor: Anchor = { node, size: undefined };
    const { anchor: name } = node as { anchor?: string };
    if (name !== undefined) anchors.set(name, anchor);
    let size = 1;
    if (isSeq<Node>(node)) node.items.forEach((item, index) => (size += sizeOf(item, pathOf(path, index))));
    if (isMap<Node, Node | null>(node)) {
      findRepeated(node.items, path, addIssue);
      for (const { key, value } of node.items) {
        const name = keyText(key);
        if (name.length > longestKey) refuse(path, key, `has a name of more than ${longestKey} characters`);
        else size += sizeOf(key, path) + (value ? sizeOf(value, pathOf(path, name)) : 1);
      }
    }
    return (anchor.size = size);
  }

  function sizeOfAlias(alias: Alias, path: string): number {
    const anchor = anchors.get(alias.source);
    if (!anchor) addIssue(path, offsetOf(alias), `there is no anchor &${alias.source} before this alias`);
    else if (anchor.size === undefined)
      addIssue(path, offsetOf(alias), `the anchor &${alias.source} holds an alias of itself`);
    if (anchor?.size === undefined) return 1;
    aliases.set(alias, anchor.node);
    const before = fromAliases;
    fromAliases += anchor.size;
    if (before <= maxFromAliases && fromAliases > maxFromAliases)
      refuse(path, alias, `aliases stand for more than ${maxFromAliases} values; write them out`);
    return anchor.size;
  }

  /** Refuses what could keep the reader busy for long. */
  function refuse(path: string, node: Node, message: string): void {
    isReadable = false;
    addIssue(path, offsetOf(node), message);
  }

  if (contents) sizeOf(contents, "");
  return isReadable ? aliases : undefined;
}

function findRepeated(pairs: Pair<Node, Node | null>[], path: string, addIssue: AddIssueAt): void {
  const seen = new Set<unknown>();
  for (const { key } of pairs) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) addIssue(pathOf(path, keyText(key)), offsetOf(key), "stands here twice; keep one of them");
    seen.add(key.value);
  }
}

/** A key as it is written. */
export const keyText = (key: Node) => (isScalar(key) ? (key.source ?? String(key.value)) : "?");

/** Where a node begins in the text. */
export const offsetOf = (node: Node) => node.range?.[0] ?? 0;
