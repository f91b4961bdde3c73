import { isDeferred } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import { itemKey, mergeKeys } from "../mergeKeys";
import type { PodTemplate, PodTemplatePatch } from "./manifest";

/** A pod template merged over another one, as Kubernetes merges a strategic patch. */
export function mergePodTemplate(base: PodTemplatePatch, patch: PodTemplatePatch): PodTemplate {
  return merge(base, patch, undefined) as PodTemplate;
}

/** `name` is the field that the values stand in: a list is merged by its keys if it has any. */
function merge(base: unknown, patch: unknown, name: string | undefined): unknown {
  if (patch === undefined) return base;
  if (isDeferred(base) || isDeferred(patch)) return patch;
  if (isPlainObject(base) && isPlainObject(patch)) return mergeMaps(base, patch);
  const keys = name === undefined ? undefined : mergeKeys[name];
  return keys && Array.isArray(base) && Array.isArray(patch) ? mergeLists(base, patch, keys) : patch;
}

function mergeMaps(base: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const merged = Object.entries(patch).map(([key, value]) => [key, merge(base[key], value, key)]);
  return { ...base, ...(Object.fromEntries(merged) as Record<string, unknown>) };
}

/** Items of the patch take the places of those that have their keys; the others come after all. */
function mergeLists(base: unknown[], patch: unknown[], keys: readonly string[]): unknown[] {
  const keyOf = (item: unknown) => (isPlainObject(item) ? itemKey(item, keys) : undefined);
  const patches = new Map(patch.map((item) => [keyOf(item), item]));
  const merged = base.map((item) => merge(item, patches.get(keyOf(item)), undefined));
  const known = new Set(base.map(keyOf));
  return [...merged, ...patch.filter((item) => !known.has(keyOf(item)))];
}
