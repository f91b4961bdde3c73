import { execFileSync } from "node:child_process";

/** What the parser makes of an expression. */
export interface Reading {
  /** Why it refuses the expression. */
  error?: string;
  /** What the expression selects from each object. */
  results: unknown[][] | null;
}

/** Reads expressions with the parser of the real plugin, which refuses some that RFC 9535 allows. */
export function readJsonPaths(requests: { expression: string; objects?: unknown[] }[]): Reading[] {
  const executable = process.env.MINICLUSTER_JSONPATH;
  if (!executable) throw new Error("MINICLUSTER_JSONPATH is not set: build the module jsonpath first");
  const input = requests.map((request) => JSON.stringify(request)).join("\n");
  const output = execFileSync(executable, { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Reading);
}

const problems = new Map<string, string | undefined>();

/** Why the parser of the real plugin refuses an expression, if it does. */
export function jsonPathProblem(expression: string): string | undefined {
  if (!problems.has(expression)) problems.set(expression, readJsonPaths([{ expression }])[0]?.error);
  return problems.get(expression);
}
