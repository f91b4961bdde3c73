import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import type { Aliases } from "./inspect";

/** A key of a map with its value. */
export interface Entry {
  key: Node;
  value: Node | null;
}

/** The node that an alias stands for; any other node stands for itself. */
export function resolved(node: Node, aliases: Aliases): Node {
  return isAlias(node) ? (aliases.get(node) ?? node) : node;
}

/**
 * The entries of a map, with those of the maps that it merges (`<<`) after its own: a key of its own goes before a merged
 * one, and an earlier merged map before a later one.
 */
export function entriesOf(map: YAMLMap<Node, Node | null>, aliases: Aliases): Entry[] {
  const own = map.items.filter(({ key }) => !isMergeKey(key));
  const merged = map.items.filter(({ key }) => isMergeKey(key)).flatMap(({ value }) => mergedMaps(value, aliases));
  const taken = new Set(own.map(({ key }) => keyValue(key)));
  const inherited = merged
    .flatMap((source) => entriesOf(source, aliases))
    .filter(({ key }) => !taken.has(keyValue(key)) && taken.add(keyValue(key)));
  return [...own.map(({ key, value }) => ({ key, value })), ...inherited];
}

function mergedMaps(value: Node | null, aliases: Aliases): YAMLMap<Node, Node | null>[] {
  const source = value && resolved(value, aliases);
  const sources = isSeq<Node>(source) ? source.items.map((item) => resolved(item, aliases)) : [source];
  return sources.filter((item) => isMap<Node, Node | null>(item));
}

const isMergeKey = (key: Node) => isScalar(key) && key.value === "<<" && key.type === "PLAIN";

const keyValue = (key: Node) => (isScalar(key) ? key.value : key);
