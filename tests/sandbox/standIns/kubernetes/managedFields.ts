import { isObject, type Json, type Obj } from "../rpc/values";
import { deletePath, getPath, objectsAt, setPath, stringAt } from "./objects";
import { formatPath, parsePath } from "./paths";

/** Managers of the real plugin's creates and of kubectl, whose fields an update of a whole object takes over. */
const takenOver = [
  { name: "kubectl", operation: "Apply" },
  { name: "kubectl", operation: "Update" },
  { name: "before-first-apply", operation: "Update" },
  { name: "pulumi-kubernetes", operation: "Update" },
  { name: "pulumi-resource-kubernetes", operation: "Update" },
];

/** True for an entry of a plain create by this provider, whose owner is not the resource's own manager yet. */
export function isProviderUpdate(entry: Obj): boolean {
  const managers = ["pulumi-kubernetes", "pulumi-resource-kubernetes", "pulumi-kubernetes.exe"];
  return entry.operation === "Update" && managers.includes(stringAt(entry, "manager"));
}

/**
 * The managed fields after `manager` took over what was created or changed outside of server-side apply, or undefined
 * when there is nothing to take over.
 */
export function takeOver(entries: readonly Obj[], manager: string): Obj[] | undefined {
  const matches = (entry: Obj) =>
    !entry.subresource &&
    takenOver.some(
      ({ name, operation }) => operation === entry.operation && stringAt(entry, "manager").startsWith(name),
    );
  const own = entries.find((entry) => entry.manager === manager && entry.operation === "Apply");
  const taken = entries.filter((entry) => entry !== own && matches(entry));
  const first = own ?? taken[0];
  if (taken.length === 0 || !first) return undefined;
  const fields = [first, ...taken].map((entry): Json => entry.fieldsV1 ?? {}).reduce(mergeFields);
  const rest = entries.filter((entry) => entry !== own && !taken.includes(entry));
  return [...rest, { ...first, manager, operation: "Apply", fieldsV1: fields }];
}

/** The union of two field sets in the API server's format. */
export function mergeFields(a: Json, b: Json): Json {
  if (!isObject(a) || !isObject(b)) return b;
  const merged: Obj = { ...a };
  for (const [key, value] of Object.entries(b)) merged[key] = mergeFields(a[key] ?? {}, value as Json);
  return merged;
}

function owns(fieldsV1: Json | undefined, path: readonly string[]): boolean {
  return (
    isObject(fieldsV1) &&
    getPath(
      fieldsV1,
      path.map((key) => `f:${key}`),
    ) !== undefined
  );
}

/**
 * The inputs as they are sent in an update that ignores some paths. A field that only others manage is left out, so
 * that it stays theirs; any other keeps its live value. Like the real plugin, this supports paths of plain keys only.
 */
export function withIgnoredFields(inputs: Obj, live: Obj, manager: string, ignoreChanges: readonly string[]): Obj {
  const sent = structuredClone(inputs);
  const entries = objectsAt(live, "metadata", "managedFields");
  for (const ignored of ignoreChanges) {
    const path = formatPath(parsePath(ignored)).split(".");
    const isOurs = entries.some((entry) => entry.manager === manager && owns(entry.fieldsV1, path));
    const isTheirs = entries.some((entry) => entry.manager !== manager && owns(entry.fieldsV1, path));
    const current = getPath(live, path);
    if (isTheirs && !isOurs) deletePath(sent, path);
    else if (current !== undefined) setPath(sent, path, structuredClone(current));
  }
  return sent;
}
