/** The path of what a path lies in; "" for the outermost. */
export function parentOf(path: string): string {
  return path.replace(/(\.?[A-Za-z_]\w*|\[\d+\]|\["(?:[^"\\]|\\.)*"\])$/, "");
}

/** Whether a path is another one, or lies in it. */
export function isAtOrIn(path: string, outer: string): boolean {
  return path.startsWith(outer) && ["", ".", "["].includes(path.charAt(outer.length));
}
