import type { MiniClusterManifestWarning } from "./problems";

/**
 * One problem that replaces the problems of a template (Helm, Jinja), which is not YAML yet, or has a different meaning
 * as YAML. Undefined if no problem is at an expression of a template: a command may contain expressions of another
 * template.
 */
export function templateProblem(
  text: string,
  problems: readonly MiniClusterManifestWarning[],
): MiniClusterManifestWarning[] | undefined {
  const lines = text.split(/\r?\n/);
  if (!problems.some((problem) => isAtExpression(lines[problem.line - 1] ?? "", problem))) return undefined;
  const line = lines.findIndex((each) => expression.test(each)) + 1;
  const column = (lines[line - 1] ?? "").search(expression) + 1;
  const message =
    "has template expressions ({{ … }} or {% … %}); render it first, for Helm by helm template, and read the result";
  return [{ path: "", line, column, message }];
}

const expression = /\{[{%]/;

/** True if a problem is in an expression: broken YAML anywhere on its line, and a wrong value at its beginning. */
const isAtExpression = (line: string, { path, column }: MiniClusterManifestWarning) =>
  path === "" ? /(^|[\s-])\{[{%]/.test(line) : /^["']?\{[{%]/.test(line.slice(column - 1));
