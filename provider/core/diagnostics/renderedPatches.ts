import * as pulumi from "@pulumi/pulumi";
import { defaultProviderSettings, providerSettings, settingsOf } from "../../diagnostics/apiServer";
import { beforeCreateOrUpdate } from "../../diagnostics/hooks";
import { hasProvider } from "../../diagnostics/providerNamespace";
import { callsBack } from "../../shared/children";
import { isPlainObject } from "../../shared/objects";
import { MiniClusterResize } from "../args";

/** Setting of the Kubernetes provider with which it writes YAML to files and does not connect to an API server. */
const setting = "renderYamlToDirectory";

/**
 * Arguments with the default of `resize`: "manifest" if the stack's Kubernetes provider writes YAML to files. A constructor cannot wait
 * for the settings of an explicit provider.
 */
export const withRenderedResize = <Args>(args: Args, opts?: pulumi.ComponentResourceOptions): Args =>
  hasProvider(opts) || !isDirectory(ofStack()) ? args : withManifestResize(args);

/** Arguments with the default "manifest" of `resize`. */
export const withManifestResize = <Args>(args: Args): Args =>
  isPlainObject(args) && args["resize"] === undefined ? { ...args, resize: MiniClusterResize.Manifest } : args;

/** True if a Kubernetes provider writes YAML to files. Its settings may be unreadable, which is no reason to reject anything. */
export const writesFiles = (settings: ReturnType<typeof settingsOf>): Promise<boolean> =>
  settings.then(
    (values) => isDirectory(values[setting]),
    () => false,
  );

/**
 * Hooks that reject patches if the Kubernetes provider writes YAML to files: each patch would overwrite the file of its object,
 * and the file of the Job would contain only two counts.
 */
export function rejectRenderedPatches(name: string, component: pulumi.Resource): pulumi.ResourceHookBinding {
  const provider = component.getProvider("kubernetes:core/v1:ConfigMap");
  // The stack's settings of the default provider are known at once, and rarely include a directory.
  if (!callsBack() || (!provider && !isDirectory(ofStack()))) return {};
  const isRendered = writesFiles(providerSettings(component));
  return beforeCreateOrUpdate(`minicluster:${name}:rendered`, component, async () =>
    (await isRendered) ? [{ severity: "error", message }] : [],
  );
}

const message =
  `the Kubernetes provider writes YAML to files (${setting}), where the patches of resize "patch" would overwrite the Job and ` +
  'the ConfigMap; set resize: "manifest"';

const ofStack = () => defaultProviderSettings()[setting];

const isDirectory = (value: unknown) => typeof value === "string" && value !== "";
