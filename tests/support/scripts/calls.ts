import * as fs from "node:fs";
import * as path from "node:path";

/** A call of a stub: its name and words, and the environment that it saw. */
export interface Call {
  words: string[];
  env: Record<string, string>;
}

/** The calls that were recorded in a directory, oldest first, with the pod's root taken off every path. */
export function readCalls(directory: string, root: string): Call[] {
  return fs
    .readdirSync(directory)
    .sort()
    .flatMap((file) => parseCall(fs.readFileSync(path.join(directory, file), "utf8").replaceAll(root, "")) ?? []);
}

/** A record as the stub writes it: the number of words, the words, variables, and a last word when it is complete. */
function parseCall(record: string): Call | undefined {
  const [count, ...rest] = record.split("\0").slice(0, -1);
  if (rest.pop() !== "end") return undefined;
  return {
    words: rest.slice(0, Number(count)),
    env: Object.fromEntries(rest.slice(Number(count)).map((variable) => splitOnce(variable))),
  };
}

function splitOnce(variable: string): [string, string] {
  const at = variable.indexOf("=");
  return [variable.slice(0, at), variable.slice(at + 1)];
}
