/** A path with one step more, in the engine's notation: `spec.containers[0].volumes["my.data"].path`. */
export function pathOf(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  if (!/^[A-Za-z_]\w*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** The path of what a path lies in; "" for the outermost. */
export function parentOf(path: string): string {
  return path.replace(/(\.?[A-Za-z_]\w*|\[\d+\]|\["(?:[^"\\]|\\.)*"\])$/, "");
}

/** Whether a path is another one, or lies in it. */
export function isAtOrIn(path: string, outer: string): boolean {
  return path.startsWith(outer) && ["", ".", "["].includes(path.charAt(outer.length));
}
