import * as pulumi from "@pulumi/pulumi";
import { refuseWhere } from "../../shared/changes";
import { kubernetesSettings } from "../../shared/apiServer";
import { callsBack } from "../../shared/run";

/** Setting of the Kubernetes provider by which it writes YAML to files, and speaks to no cluster. */
const setting = "renderYamlToDirectory";

/**
 * Hooks that refuse patches if the Kubernetes provider writes YAML to files: each patch would overwrite the file of its
 * object, and leave a Job of nothing but two counts.
 */
export function refuseRenderedPatches(name: string, component: pulumi.Resource): pulumi.ResourceHookBinding {
  const provider = component.getProvider("kubernetes:core/v1:ConfigMap");
  // What the stack says of the default provider is known at once, and nearly always nothing.
  if (!callsBack() || (!provider && !isDirectory(new pulumi.Config("kubernetes").get(setting)))) return {};
  const rendered = kubernetesSettings(component).then((settings) => isDirectory(settings[setting]));
  return refuseWhere(
    `minicluster:${name}:rendered`,
    component,
    // An engine that cannot tell is no reason to refuse.
    rendered.catch(() => false).then((isSo) => (isSo ? refusal : undefined)),
  );
}

const refusal =
  `the Kubernetes provider writes YAML to files (${setting}), where the patches of resize "patch" would overwrite the Job and ` +
  'the ConfigMap; set resize: "manifest"';

const isDirectory = (value: unknown) => typeof value === "string" && value !== "";
