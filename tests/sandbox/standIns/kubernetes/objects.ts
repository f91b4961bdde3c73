import { isObject, type Json, type Obj, rewrite, unknown, withoutSecrets } from "../rpc/values";

/** The value at a path, if there is one. */
export function getPath(object: Obj, path: readonly string[]): Json | undefined {
  let value: Json | undefined = object;
  for (const key of path) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

/** Sets the value at a path and makes the objects on the way there. */
export function setPath(object: Obj, path: readonly string[], value: Json): void {
  let parent = object;
  for (const key of path.slice(0, -1)) {
    const next = parent[key];
    if (isObject(next)) parent = next;
    else parent = parent[key] = {};
  }
  parent[path.at(-1) ?? ""] = value;
}

/** Removes the value at a path, if it is there. */
export function deletePath(object: Obj, path: readonly string[]): void {
  const parent = getPath(object, path.slice(0, -1));
  if (isObject(parent)) delete parent[path.at(-1) ?? ""];
}

/** A string at a path, or "" without one or before it is known. */
export function stringAt(object: Obj, ...path: string[]): string {
  const value = getPath(object, path);
  return typeof value === "string" && value !== unknown ? value : "";
}

/** A list of objects at a path, or an empty one. */
export function objectsAt(object: Obj, ...path: string[]): Obj[] {
  const value = getPath(object, path);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export const nameOf = (object: Obj) => stringAt(object, "metadata", "name");
export const namespaceOf = (object: Obj) => stringAt(object, "metadata", "namespace");
export const kindOf = (object: Obj) => stringAt(object, "kind");
export const apiVersionOf = (object: Obj) => stringAt(object, "apiVersion");
export const annotationOf = (object: Obj, key: string) => stringAt(object, "metadata", "annotations", key);
export const isAnnotationTrue = (object: Obj, key: string) => annotationOf(object, key) === "true";

/** The resource id: `namespace/name`, or only the name. */
export function idOf(object: Obj): string {
  const namespace = namespaceOf(object);
  return namespace === "" ? nameOf(object) : `${namespace}/${nameOf(object)}`;
}

/** Splits a resource id. */
export function parseId(id: string): { namespace: string; name: string } {
  const [first = "", second] = id.split("/");
  return second === undefined ? { namespace: "", name: first } : { namespace: first, name: second };
}

/** Pulumi property names cannot have dashes, so the schema spells these keys of a CRD with underscores. */
const dashed = new Map(
  ["embedded-resource", "int-or-string", "list-map-keys", "list-type", "map-type", "preserve-unknown-fields"]
    .concat("validations")
    .map((key) => [`x_kubernetes_${key.replaceAll("-", "_")}`, `x-kubernetes-${key}`]),
);
const underscored = new Map([...dashed].map(([underscore, dash]) => [dash, underscore]));

/** The Kubernetes object of resource properties: no secret marks, keys as the API spells them. */
export function toKubernetes(properties: Obj): Obj {
  return rewrite(
    withoutSecrets(properties),
    (v) => v,
    (key) => dashed.get(key) ?? key,
  ) as Obj;
}

/** The other way around: keys as the Pulumi schema spells them. */
export function toProperties(object: Obj): Obj {
  return rewrite(
    object,
    (v) => v,
    (key) => underscored.get(key) ?? key,
  ) as Obj;
}

/** What is left of `source` when only the shape of `target` counts. */
export function prune(source: Obj, target: Obj): Obj {
  const kept = Object.entries(source).filter(([key]) => target[key] !== undefined);
  return Object.fromEntries(kept.map(([key, value]) => [key, pruneValue(value as Json, target[key] as Json)]));
}

function pruneValue(source: Json, target: Json): Json {
  if (isObject(source) && isObject(target)) return prune(source, target);
  if (!Array.isArray(source) || !Array.isArray(target)) return source;
  return target.slice(0, source.length).map((item, i) => pruneValue(source[i] as Json, item));
}
