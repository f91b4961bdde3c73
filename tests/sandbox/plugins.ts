import { kubernetesPlugin } from "./build/binaries";
import { realPlugin, sdkVersion } from "./build/realPlugins";
import { randomPlugin } from "./standIns/random";

/** A provider plugin that is ready to run. */
export interface ProviderPlugin {
  name: "kubernetes" | "random";
  /** The directory with the executable `pulumi-resource-<name>`. */
  path: string;
  kind: "real" | "stand-in";
  version: string;
}

/**
 * The plugins of the providers that the components use. That of Kubernetes is the real one, built from its Go module
 * where it cannot be installed; that of random values is a stand-in there.
 */
export function providerPlugins(pulumi: string): Promise<ProviderPlugin[]> {
  return Promise.all([kubernetes(pulumi), random(pulumi)]);
}

const kubernetes = async (pulumi: string): Promise<ProviderPlugin> => ({
  name: "kubernetes",
  kind: "real",
  ...(await kubernetesPlugin(pulumi)),
});

async function random(pulumi: string): Promise<ProviderPlugin> {
  const real = await realPlugin(pulumi, "random");
  if (real) return { name: "random", kind: "real", ...real };
  const version = sdkVersion("random");
  return { name: "random", kind: "stand-in", version, path: await randomPlugin(version) };
}
