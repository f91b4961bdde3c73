import { cacheDirectory } from "../../build/cacheDirectory";
import { buildPlugins, installedVersion } from "../build";

const names = ["awsx", "eks"] as const;

/** The stand-ins for the plugins of components that examples use, built once: the directory of each one, by name. */
export async function componentPlugins(): Promise<Record<string, string>> {
  const versions = Object.fromEntries(names.map((name) => [name, installedVersion(`@pulumi/${name}`)]));
  const label = "component-plugins";
  const directory = await buildPlugins(cacheDirectory(), { label, versions, entryPoint: () => "components/main.ts" });
  return Object.fromEntries(names.map((name) => [name, `${directory}/${name}`]));
}
