import { isDeferred } from "../../shared/deferred";
import { isPlainObject } from "../../shared/objects";

/**
 * Lists of a Kubernetes pod template that merge item by item, with the properties that identify their items. Every other
 * list is replaced as a whole. From the API server's own schema (x-kubernetes-list-map-keys).
 */
export const mergeKeys: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    claims: ["name"],
    containers: ["name"],
    env: ["name"],
    ephemeralContainers: ["name"],
    hostAliases: ["ip"],
    imagePullSecrets: ["name"],
    initContainers: ["name"],
    ports: ["containerPort", "protocol"],
    resourceClaims: ["name"],
    schedulingGates: ["name"],
    topologySpreadConstraints: ["topologyKey", "whenUnsatisfiable"],
    volumeDevices: ["devicePath"],
    volumeMounts: ["mountPath"],
    volumes: ["name"],
  }),
);

// Kubernetes' default for an absent part of a key.
const keyDefaults: Partial<Record<string, string>> = { protocol: "TCP" };

/** Key of an item in its list, or undefined if a part of the key is missing. */
export function itemKey(item: Record<string, unknown>, keys: readonly string[]): string | undefined {
  const values = keys.map((key) => item[key] ?? keyDefaults[key]);
  return values.every((value) => typeof value === "string" || typeof value === "number")
    ? JSON.stringify(values)
    : undefined;
}

/** A part of a pod template with a patch merged over it, as Kubernetes merges a strategic patch. */
export const strategicMerge = <T extends object>(base: T, patch: object) => merge(base, patch, undefined) as T;

/** `name` is the field that holds the values: a list is merged by its keys if it has any. */
function merge(base: unknown, patch: unknown, name: string | undefined): unknown {
  if (patch === undefined) return base;
  if (isDeferred(base) || isDeferred(patch)) return patch;
  if (isPlainObject(base) && isPlainObject(patch)) return mergeMaps(base, patch);
  const keys = name === undefined ? undefined : mergeKeys.get(name);
  return keys && Array.isArray(base) && Array.isArray(patch) ? mergeLists(base, patch, keys) : patch;
}

function mergeMaps(base: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const merged = Object.entries(patch).map(([key, value]) => [key, merge(base[key], value, key)]);
  return { ...base, ...(Object.fromEntries(merged) as Record<string, unknown>) };
}

/** An item of the patch is merged over the item with the same key; the other items of the patch are appended. */
function mergeLists(base: unknown[], patch: unknown[], keys: readonly string[]): unknown[] {
  const keyOf = (item: unknown) => (isPlainObject(item) ? itemKey(item, keys) : undefined);
  const patches = new Map(patch.map((item) => [keyOf(item), item]));
  const merged = base.map((item) => merge(item, patches.get(keyOf(item)), undefined));
  const known = new Set(base.map(keyOf));
  return [...merged, ...patch.filter((item) => !known.has(keyOf(item)))];
}
