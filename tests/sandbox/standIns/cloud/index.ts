import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "../../build/cacheDirectory";
import { buildPlugins, installedVersion } from "../build";
import type { Obj } from "../rpc/values";
import { Checker } from "./checking";
import { type CloudName, clouds } from "./clouds";
import type { Declarations } from "./declarations/shapes";
import { makeStrict } from "./strictSdk";

const names = Object.keys(clouds) as CloudName[];

let built: Promise<string> | undefined;

/**
 * The stand-ins for the clouds' provider plugins, built once: the directory of each one, by name. In this process the
 * SDKs throw from then on at arguments that they do not declare, which they would keep from the plugins.
 */
export async function cloudPlugins(): Promise<Record<CloudName, string>> {
  await refuseInventedArguments();
  return directories();
}

/** Only the SDKs' part of it, for tests with mocks and without an engine. */
export async function refuseInventedArguments(): Promise<void> {
  for (const name of names) makeStrict(name, await cloudDeclarations(name));
}

/** What the SDK of a cloud declares of the types and data sources of the stand-in. */
export async function cloudDeclarations(name: CloudName): Promise<Declarations> {
  return JSON.parse(readFileSync(join((await directories())[name], file), "utf8")) as Declarations;
}

async function directories(): Promise<Record<CloudName, string>> {
  const parent = await (built ??= build(cacheDirectory()));
  return Object.fromEntries(names.map((name) => [name, join(parent, name)])) as Record<CloudName, string>;
}

/** What is wrong with the inputs of a resource, each problem as `path: reason`, for tests that need no engine. */
export async function inputProblems(type: string, inputs: Obj): Promise<string[]> {
  const declarations = await cloudDeclarations(type.split(":")[0] as CloudName);
  const declared = declarations.resources[type];
  if (!declared) throw new Error(`the stand-ins do not know ${type}`);
  const problems = new Checker(declarations).problems(type, declared.inputs, inputs);
  return problems.map(({ property, reason }) => `${property}: ${reason}`);
}

const file = "declarations.json";

function build(cache: string): Promise<string> {
  const versions = Object.fromEntries(names.map((name) => [name, installedVersion(`@pulumi/${name}`)]));
  const addFiles = (name: string, directory: string) => {
    // The compiler takes a while to load, so it is only loaded for what is not in the cache.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { readDeclarations } = require("./declarations/read") as typeof import("./declarations/read");
    const { resources, functions } = clouds[name as CloudName];
    const declarations = readDeclarations(name, Object.keys(resources), Object.keys(functions));
    writeFileSync(join(directory, file), JSON.stringify(declarations));
  };
  return buildPlugins(cache, { label: "cloud-plugins", versions, entryPoint: () => "cloud/main.ts", addFiles });
}
