/** Any JSON value that the engine and a plugin exchange. */
export type Json = null | boolean | number | string | Json[] | Obj;

/** A JSON object: the inputs of a resource, or its state. */
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
function isSecret(value: Json | undefined): value is Obj {
  return isObject(value) && value[signatureKey] === secretSignature;
}

/** Marks a value as secret, once. */
export function secret(value: Json): Json {
  return isSecret(value) ? value : { [signatureKey]: secretSignature, value };
}

/** A deep copy with `replace` applied to every value. */
export function rewrite(value: Json, replace: (value: Json) => Json): Json {
  const replaced = replace(value);
  if (Array.isArray(replaced)) return replaced.map((item) => rewrite(item, replace));
  if (!isObject(replaced)) return replaced;
  const entries = Object.entries(replaced).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, rewrite(item as Json, replace)]));
}

/** A deep copy without the secret marks. */
export function withoutSecrets<T extends Json>(value: T): T {
  return rewrite(value, unwrap) as T;
}

/** The value inside a secret, or the value itself. */
function unwrap(value: Json): Json {
  return isSecret(value) ? unwrap(value.value ?? null) : value;
}
