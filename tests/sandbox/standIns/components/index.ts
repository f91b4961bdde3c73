import { cacheDirectory } from "../../build/cacheDirectory";
import { buildPlugins, installedVersion } from "../build";
import { join } from "node:path";

const names = ["awsx", "eks"];

/** The stand-ins for the plugins whose resources are components, built once: the directory of each one, by name. */
export async function componentPlugins(): Promise<Record<string, string>> {
  const versions = Object.fromEntries(names.map((name) => [name, installedVersion(`@pulumi/${name}`)]));
  const entryPoint = () => "components/main.ts";
  const parent = await buildPlugins(cacheDirectory(), { label: "component-plugins", versions, entryPoint });
  return Object.fromEntries(names.map((name) => [name, join(parent, name)]));
}
