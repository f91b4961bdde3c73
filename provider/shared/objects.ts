/** Copy of an object without its empty properties: undefined, empty lists and empty maps. */
export function withoutEmpty<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value))) as T;
}

/** Copy of plain data with the properties of each object sorted by name. Its depth is limited by its type. */
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

/** True for a plain object, which is not a list, an output or an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of every plain object is the last in its chain, in any realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Number at a path of properties; undefined if there is no number, or if it is known only later. */
export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "number" ? found : undefined;
}

/** Value at a path of properties of plain objects and of items of lists; undefined if there is none. */
export const valueAt = (value: unknown, ...path: string[]): unknown =>
  path.reduce(
    (parent, key) =>
      isPlainObject(parent) || Array.isArray(parent) ? (parent as Record<string, unknown>)[key] : undefined,
    value,
  );

/** The value of a name that a user has chosen, without inherited properties such as "constructor". */
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
