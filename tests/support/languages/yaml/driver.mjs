// Runs operations of Pulumi's automation API on a program in YAML, as ../harness.ts asks for them.
import { readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import automation from "@pulumi/pulumi/automation/index.js";
import { parse, stringify } from "yaml";

const { LocalWorkspace } = automation;

const { stack: stackName, workDir, program, operations } = JSON.parse(readFileSync(0, "utf8"));

// The engine looks on PATH for the host of a language.
process.env.PATH = [process.env.MINICLUSTER_LANGUAGE_HOST, process.env.PATH].join(path.delimiter);

// The project file is the program.
const file = path.join(workDir, "Pulumi.yaml");
const { name, plugins } = parse(readFileSync(file, "utf8"));
const source = parse(readFileSync(path.join(program, "Pulumi.yaml"), "utf8"));
writeFileSync(file, stringify({ ...source, name, plugins }));

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

const stack = await LocalWorkspace.createOrSelectStack({ stackName, workDir });
for (const operation of operations) process.stdout.write(`${JSON.stringify(await perform(stack, operation))}\n`);
