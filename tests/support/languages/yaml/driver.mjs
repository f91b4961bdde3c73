// Runs operations of Pulumi's automation API on a program in YAML, as ../harness.ts requests them.
import { readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import automation from "@pulumi/pulumi/automation/index.js";
import { parse, stringify } from "yaml";
import { performAll } from "../typescript/operations.mjs";

const { LocalWorkspace } = automation;

const { stack: stackName, workDir, operations } = JSON.parse(readFileSync(0, "utf8"));

// The engine looks on PATH for the host of a language.
process.env.PATH = [process.env.MINICLUSTER_LANGUAGE_HOST, process.env.PATH].join(path.delimiter);

// The project file is the program.
const file = path.join(workDir, "Pulumi.yaml");
const { name, plugins } = parse(readFileSync(file, "utf8"));

function choose(program) {
  const source = parse(readFileSync(path.join(program, "Pulumi.yaml"), "utf8"));
  // The plugins are those of the run, so that no package is fetched.
  for (const own of ["description", "packages", "template"]) delete source[own];
  writeFileSync(file, stringify({ ...source, name, plugins }));
}

const stack = await LocalWorkspace.createOrSelectStack({ stackName, workDir });
await performAll(stack, operations, choose);
