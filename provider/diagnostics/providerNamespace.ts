import type * as pulumi from "@pulumi/pulumi";
import { choiceOf, defaultProviderSettings, isRendering } from "./apiServer";
import { contextNamespace } from "./connection/kubeconfig";
import { oncePerRun } from "./oncePerRun";
import { givenProviders, isKubernetes } from "../shared/children";
import { getOrMake } from "../shared/objects";

/** The namespace of a Kubernetes provider, and the setting that has it. */
export interface ProviderNamespace {
  name: string;
  setting: string;
}

/** The namespaces of contexts: a kubeconfig can be large, and a program can have many clusters. */
const contexts = oncePerRun(() => new Map<string, ReturnType<typeof contextNamespace>>());

/**
 * The namespace in which the default Kubernetes provider creates an object without one: the configuration `kubernetes:namespace`, or
 * the namespace of its context. Undefined if both have none. The settings of an explicit provider are only known later.
 */
export function defaultProviderNamespace(
  options: pulumi.ComponentResourceOptions | undefined,
): ProviderNamespace | undefined {
  if (hasProvider(options)) return undefined;
  const settings = defaultProviderSettings();
  const { namespace } = settings;
  if (typeof namespace === "string" && namespace !== "")
    return { name: namespace, setting: "the configuration kubernetes:namespace" };
  if (isRendering(settings)) return undefined;
  const choice = choiceOf(settings);
  const key = JSON.stringify([choice, process.env["KUBECONFIG"]]);
  const ofContext = getOrMake(contexts(), key, () => contextNamespace(choice));
  return ofContext && { name: ofContext.namespace, setting: `the context "${ofContext.context}" of the kubeconfig` };
}

/** True if a component with these options has an explicit Kubernetes provider. */
export const hasProvider = (options: pulumi.ComponentResourceOptions = {}): boolean =>
  givenProviders(options).some(isKubernetes) || options.parent?.getProvider("kubernetes:core/v1:Service") !== undefined;
