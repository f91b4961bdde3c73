// Runs operations of Pulumi's automation API on a program, as ../harness.ts requests them. It runs from the program's folder,
// with the packages that are installed there.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import automation from "@pulumi/pulumi/automation/index.js";
import { performAll } from "./operations.mjs";

const require = createRequire(import.meta.url);
const { LocalWorkspace } = automation;

const { stack: stackName, workDir, operations } = JSON.parse(readFileSync(0, "utf8"));

/** Runs the compiled program of a folder again, as each operation does, and gives its exports. */
function run(folder) {
  const main = path.join(folder, "index.js");
  delete require.cache[main];
  return Promise.resolve({ ...require(main) });
}

const { name: projectName } = await (await LocalWorkspace.create({ workDir })).projectSettings();
const program = () => Promise.resolve();
const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName, program }, { workDir });
await performAll(stack, operations, (folder) => {
  stack.workspace.program = () => run(folder);
});
