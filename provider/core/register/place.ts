import type * as pulumi from "@pulumi/pulumi";
import { defaultProviderNamespace, type ProviderNamespace } from "../../diagnostics/providerNamespace";
import { isPlainObject } from "../../shared/objects";

/** The user's settings that determine when and where the objects of a cluster are created. */
export interface GivenPlace {
  /** The argument `namespace`. */
  namespace?: unknown;
  /** The namespace of the default Kubernetes provider, if the argument is not set. */
  fromProvider?: ProviderNamespace;
  /** The option of the component. */
  dependsOn?: pulumi.ComponentResourceOptions["dependsOn"];
}

/** The place of a cluster with some arguments and options. */
export function givenPlace(args: unknown, opts: pulumi.ComponentResourceOptions = {}): GivenPlace {
  const { namespace } = isPlainObject(args) ? args : {};
  const { dependsOn } = opts;
  const fromProvider = namespace === undefined ? defaultProviderNamespace(opts) : undefined;
  return { namespace, ...(fromProvider && { fromProvider }), ...(dependsOn && { dependsOn }) };
}

/** The arguments with the namespace of the provider, if they have none. */
export const withNamespace = <T extends object>(args: T, { fromProvider }: GivenPlace): T =>
  fromProvider ? { ...args, namespace: fromProvider.name } : args;
