/** Copy of an object without its empty properties: undefined, empty lists and empty maps. */
export function withoutEmpty<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value))) as T;
}

/** Copy of plain data with the properties of each object in the order of their names. Its depth is that of a type. */
export function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => sorted(item)) as T;
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])])) as T;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}

/** True for an object made of properties alone: no list, no output, no instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of every object made of properties alone is the last in its chain, in any realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Number at a path of properties; undefined where there is none, or where it is known only later. */
export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const found = path.reduce<unknown>(
    (parent, key) =>
      typeof parent === "object" && parent !== null ? (parent as Record<string, unknown>)[key] : undefined,
    value,
  );
  return typeof found === "number" ? found : undefined;
}

/** The value of a name that a user has chosen. Every object inherits some, such as "constructor". */
export const ownValue = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The value of a key, computed on first use. */
export function getOrMake<K, T>(
  values: { get(key: K): T | undefined; set(key: K, value: T): unknown },
  key: K,
  make: () => T,
): T {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}
