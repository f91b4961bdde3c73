/** Any JSON value that the engine and a plugin exchange. */
export type Json = null | boolean | number | string | Json[] | Obj;

/** A JSON object. Kubernetes objects, resource inputs and resource states are all of this shape. */
export interface Obj {
  [key: string]: Json | undefined;
}

const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The string in place of a value that a preview does not have yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** True for a plain JSON object, so not for an array, null or a scalar. */
export function isObject(value: unknown): value is Obj {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a value the engine marked as secret. */
export function isSecret(value: Json | undefined): value is Obj {
  return isObject(value) && value[signatureKey] === secretSignature;
}

/** Marks a value as secret, once. */
export function secret(value: Json): Json {
  return isSecret(value) ? value : { [signatureKey]: secretSignature, value };
}

/** True if the value, or any value inside it, passes the test. */
function some(value: Json | undefined, test: (value: Json | undefined) => boolean): boolean {
  if (test(value)) return true;
  if (Array.isArray(value)) return value.some((item) => some(item, test));
  return isObject(value) && Object.values(value).some((item) => some(item, test));
}

/** True if any value inside is not known yet. */
export const hasUnknown = (value: Json | undefined) => some(value, (v) => v === unknown);

/** True if any value inside is a secret. */
export const hasSecret = (value: Json | undefined) => some(value, isSecret);

/** A deep copy with `rename` applied to every key and `replace` to every value. */
export function rewrite(value: Json, replace: (value: Json) => Json, rename = (key: string) => key): Json {
  const replaced = replace(value);
  if (Array.isArray(replaced)) return replaced.map((item) => rewrite(item, replace, rename));
  if (!isObject(replaced)) return replaced;
  const entries = Object.entries(replaced).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [rename(key), rewrite(item as Json, replace, rename)]));
}

/** A deep copy without the secret marks. */
export function withoutSecrets<T extends Json>(value: T): T {
  return rewrite(value, unwrap) as T;
}

/** The value inside a secret, or the value itself. */
export function unwrap(value: Json): Json {
  return isSecret(value) ? unwrap(value.value ?? null) : value;
}
