import { join } from "node:path";
import { buildMissing, executable } from "../build/binaries";
import { cacheDirectory } from "../build/cacheDirectory";
import { jsonPathModule } from "../build/modules";
import { installRealPlugin, findRealPlugin } from "./realPlugins";
import { buildStandIns } from "./build";

/** The providers that the components use. */
export type ProviderName = "kubernetes" | "random";

/** A provider plugin that is ready to run. */
export interface ProviderPlugin {
  name: ProviderName;
  /** The directory with the executable `pulumi-resource-<name>`. */
  path: string;
  kind: "real" | "stand-in";
  version: string;
}

const names: ProviderName[] = ["kubernetes", "random"];

/** The version of the plugin that the installed SDK goes with. */
export function sdkVersion(name: ProviderName): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a manifest is data, read where Node finds it
  return (require(`@pulumi/${name}/package.json`) as { version: string }).version;
}

/**
 * The provider plugins for the tests: the real ones where they are installed or can be, otherwise stand-ins that are
 * built once. `MINICLUSTER_PLUGINS=real` or `=stand-in` leaves no choice.
 */
export async function providerPlugins(pulumi = "pulumi"): Promise<ProviderPlugin[]> {
  const forced = process.env.MINICLUSTER_PLUGINS;
  return Promise.all(
    names.map(async (name) => {
      const version = sdkVersion(name);
      const real =
        forced === "stand-in"
          ? undefined
          : (findRealPlugin(name, version) ?? (await installRealPlugin(pulumi, name, version)));
      if (real) return { name, kind: "real" as const, ...real };
      if (forced === "real") throw new Error(`the real ${name} plugin ${version} is not here and cannot be installed`);
      return { name, kind: "stand-in" as const, version, path: join(await standIns(), name) };
    }),
  );
}

let built: Promise<string> | undefined;

/** One build for both plugins, also when both are requested at once. */
function standIns(): Promise<string> {
  built ??= buildMissing([jsonPathModule]).then(() =>
    buildStandIns(
      cacheDirectory(),
      { kubernetes: sdkVersion("kubernetes"), random: sdkVersion("random") },
      executable(jsonPathModule, "jsonpath"),
    ),
  );
  return built;
}
