import * as pulumi from "@pulumi/pulumi";
import { providerSettings } from "../../diagnostics/apiServer";
import { beforeCreateOrUpdate } from "../../diagnostics/hooks";
import { callsBack } from "../../shared/children";

/** Setting of the Kubernetes provider with which it writes YAML to files and does not connect to an API server. */
const setting = "renderYamlToDirectory";

/**
 * Hooks that reject patches if the Kubernetes provider writes YAML to files: each patch would overwrite the file of its object,
 * and the file of the Job would contain only two counts.
 */
export function rejectRenderedPatches(name: string, component: pulumi.Resource): pulumi.ResourceHookBinding {
  const provider = component.getProvider("kubernetes:core/v1:ConfigMap");
  // The stack's settings of the default provider are known at once, and rarely include a directory.
  if (!callsBack() || (!provider && !isDirectory(new pulumi.Config("kubernetes").get(setting)))) return {};
  const isRendered = providerSettings(component).then(
    (settings) => isDirectory(settings[setting]),
    // Settings that cannot be read are no reason to reject the patches.
    () => false,
  );
  return beforeCreateOrUpdate(`minicluster:${name}:rendered`, component, async () =>
    (await isRendered) ? [{ severity: "error", message }] : [],
  );
}

const message =
  `the Kubernetes provider writes YAML to files (${setting}), where the patches of resize "patch" would overwrite the Job and ` +
  'the ConfigMap; set resize: "manifest"';

const isDirectory = (value: unknown) => typeof value === "string" && value !== "";
