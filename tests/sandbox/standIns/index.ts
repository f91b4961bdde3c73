import { dirname, join } from "node:path";
import { buildMissing, executable } from "../build/binaries";
import { cacheDirectory } from "../build/cacheDirectory";
import { jsonPathModule, kubernetesPluginModule, kubernetesPluginVersion } from "../build/modules";
import { findRealPlugin, installRealPlugin, type RealPlugin } from "./realPlugins";
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
 * built once. `MINICLUSTER_PLUGINS=stand-in` leaves no choice. With `=real`, a Kubernetes plugin that cannot be
 * installed is built from its Go module.
 */
export async function providerPlugins(pulumi = "pulumi"): Promise<ProviderPlugin[]> {
  const forced = process.env.MINICLUSTER_PLUGINS;
  return Promise.all(
    names.map(async (name) => {
      const version = sdkVersion(name);
      const found =
        forced === "stand-in"
          ? undefined
          : (findRealPlugin(name, version) ?? (await installRealPlugin(pulumi, name, version)));
      const real = found ?? (forced === "real" && name === "kubernetes" ? await builtKubernetes() : undefined);
      if (real) return { name, kind: "real" as const, ...real };
      return { name, kind: "stand-in" as const, version, path: join(await standIns(), name) };
    }),
  );
}

/** The Kubernetes plugin, built from its Go module. */
async function builtKubernetes(): Promise<RealPlugin> {
  await buildMissing([kubernetesPluginModule]);
  const path = dirname(executable(kubernetesPluginModule, "pulumi-resource-kubernetes"));
  return { path, version: `${kubernetesPluginVersion} from its module` };
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
