/** One step of a property path: a key, an index, or "*" for any. */
export type Step = string | number;

const step = /\.?([^.[\]"]+)|\[(\d+)\]|\[(\*)\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Reads a Pulumi property path: `spec.template`, `ports[0].name`, `metadata.labels["a.b/c"]`, `items[*]`. */
export function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match) throw new Error(`failed to parse ignore path: ${path}`);
    const [, key, index, any, quoted] = match;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(key ?? any ?? (quoted ?? "").replaceAll('\\"', '"'));
  }
  return steps;
}

/** Writes a property path the way the engine prints it. */
export function formatPath(steps: readonly Step[]): string {
  return steps.reduce<string>((path, next) => {
    if (typeof next === "number") return `${path}[${next}]`;
    if (/[."[\]]/.test(next)) return `${path}["${next.replaceAll('"', '\\"')}"]`;
    return path === "" ? next : `${path}.${next}`;
  }, "");
}

/** True when `inner` is `outer` or lies below it. */
export function containsPath(outer: readonly Step[], inner: readonly Step[]): boolean {
  return outer.length <= inner.length && outer.every((want, i) => want === "*" || want === inner[i]);
}
