import type { Obj } from "../rpc/values";
import { ApiClient } from "./api";
import { parseSettings, type Settings } from "./config";
import { ambientKubeconfig, connectionFrom, readKubeconfig } from "./kubeconfig";
import { Resources } from "./resources";

/** A configured provider: its settings, and the API server if it can be reached. */
export interface Session {
  settings: Settings;
  resources: Resources;
  /** The namespace for objects without one. */
  defaultNamespace: string;
  /** Why there is no API server, or undefined if there is one. */
  unreachable?: string;
}

const reachSeconds = 10;

/**
 * Opens a session. An unreachable API server is no error yet: previews continue without it. Rendering needs no API
 * server, but if there is one, previews send requests to it, and render as well.
 */
export async function openSession(variables: Record<string, string>, signal: AbortSignal): Promise<Session> {
  const settings = parseSettings(variables);
  const offline = (unreachable?: string): Session => ({
    settings,
    resources: new Resources(undefined, signal),
    defaultNamespace: settings.namespace || "default",
    unreachable,
  });
  let config: Obj;
  try {
    config = settings.kubeconfig === "" ? ambientKubeconfig() : readKubeconfig(settings.kubeconfig);
  } catch (error) {
    return offline(`failed to parse kubeconfig data in \`kubernetes:config:kubeconfig\`- ${(error as Error).message}`);
  }
  return connect(config, settings, signal).catch((error: unknown) => offline((error as Error).message));
}

async function connect(config: Obj, settings: Settings, signal: AbortSignal): Promise<Session> {
  const connection = loadConnection(config, settings);
  const client = new ApiClient(connection);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(reachSeconds * 1000)]);
  await client.send({ method: "GET", path: "/version", signal: limited }).catch((error: unknown) => {
    throw new Error(`unable to load schema information from the API server: ${(error as Error).message}`);
  });
  const defaultNamespace = settings.namespace || connection.namespace || "default";
  return { settings, resources: new Resources(client, signal), defaultNamespace };
}

function loadConnection(config: Obj, settings: Settings) {
  try {
    return connectionFrom(config, settings);
  } catch (error) {
    throw new Error(
      "unable to load Kubernetes client configuration from kubeconfig file. Make sure you have: \n\n" +
        " \t • set up the provider as per " +
        "https://www.pulumi.com/registry/packages/kubernetes/installation-configuration/ \n\n " +
        (error as Error).message,
      { cause: error },
    );
  }
}
