import * as fs from "node:fs";

/** Whether the state names an operation on a resource of a kind that has begun and not ended. */
export function isPending(statePath: string, kind: string): boolean {
  if (!fs.existsSync(statePath)) return false;
  const text = fs.readFileSync(statePath, "utf8");
  // The engine may be writing it at this moment.
  return (
    /"pending_operations":[^]*\}\s*$/.test(text) && text.slice(text.indexOf("pending_operations")).includes(`:${kind}`)
  );
}
