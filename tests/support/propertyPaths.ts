const segment = /\.?([^.[\]"]+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/gy;

/** Splits a path as the engine prints it: `spec.ports[0].name`, `metadata.labels["app.kubernetes.io/name"]`. */
export function parsePropertyPath(path: string): string[] {
  return [...path.matchAll(segment)].map((match) => match[1] ?? match[2]?.replace(/\\(.)/g, "$1") ?? match[3] ?? "");
}

/** The value at a path, or undefined where the path leads nowhere. */
export function valueAt(root: unknown, path: string): unknown {
  let value: unknown = root;
  for (const key of parsePropertyPath(path)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Paths below `path` at which two values differ, in the engine's notation. */
export function differingPaths(before: unknown, after: unknown, path: string): string[] {
  if (Object.is(before, after)) return [];
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) return [path];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key) => differingPaths(before[key], after[key], path + step(key, Array.isArray(after))));
}

function step(key: string, inArray: boolean): string {
  if (inArray) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Paths at which two sets of named objects differ, such as `jobScale.spec.completions`. */
export function changedPaths(before: object, after: object): string[] {
  return differingPaths(before, after, "").map((path) => path.replace(/^\./, ""));
}
