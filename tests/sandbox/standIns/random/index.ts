import { join } from "node:path";
import { cacheDirectory } from "../../build/cacheDirectory";
import { buildPlugins } from "../build";

/** The directory of the stand-in for the plugin of random values, built once. */
export async function randomPlugin(version: string): Promise<string> {
  const entryPoint = () => "random/main.ts";
  const plugins = { label: "random-plugin", versions: { random: version }, entryPoint };
  return join(await buildPlugins(cacheDirectory(), plugins), "random");
}
