// Runs operations of Pulumi's automation API on a program, as ../harness.ts asks for them. It runs from the program's folder,
// with the packages that are installed there.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import automation from "@pulumi/pulumi/automation/index.js";

const require = createRequire(import.meta.url);
const { LocalWorkspace } = automation;

const { stack: stackName, workDir, program: folder, operations } = JSON.parse(readFileSync(0, "utf8"));

/** Runs the compiled program anew, as each operation does, and gives its exports. */
function program() {
  const main = path.join(folder, "index.js");
  delete require.cache[main];
  return Promise.resolve({ ...require(main) });
}

async function perform(stack, { kind, config = {} }) {
  try {
    for (const [key, value] of Object.entries(config)) await stack.setConfig(key, { value });
    const { stdout } = await stack[kind]({ diff: true, color: "never" });
    const outputs = Object.entries(await stack.outputs()).map(([name, { value }]) => [name, value]);
    return { kind, ok: true, text: stdout, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    return { kind, ok: false, text: error.commandResult?.stdout ?? "", error: String(error.message), outputs: {} };
  }
}

const { name: projectName } = await (await LocalWorkspace.create({ workDir })).projectSettings();
const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName, program }, { workDir });
for (const operation of operations) process.stdout.write(`${JSON.stringify(await perform(stack, operation))}\n`);
