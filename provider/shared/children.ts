import * as pulumi from "@pulumi/pulumi";
import { isDeferred } from "./deferred";
import { isPlainObject } from "./objects";

/** Options that all children of a component share. */
export interface ChildOptions {
  parent: pulumi.ComponentResource;
  customTimeouts: pulumi.CustomTimeouts;
}

/** Options of a component's children. The engine passes on all inherited options, except for the time limits of the component. */
export const childOptions = (
  parent: pulumi.ComponentResource,
  { customTimeouts = {} }: pulumi.ComponentResourceOptions = {},
): ChildOptions => ({ parent, customTimeouts });

/** Providers in the options of a component. */
export function givenProviders(opts: pulumi.ComponentResourceOptions): pulumi.ProviderResource[] {
  const { provider, providers = [] } = opts as pulumi.ComponentResourceOptions & pulumi.CustomResourceOptions;
  return [...(provider ? [provider] : []), ...(Array.isArray(providers) ? providers : Object.values(providers))];
}

/** True for a provider of Kubernetes. */
export const isKubernetes = (provider: pulumi.ProviderResource) =>
  (provider as { pkg?: string } | undefined)?.pkg === "kubernetes";

/**
 * Time limits of a child that waits: by default this number of seconds for a create and an update, unless
 * `customTimeouts` sets other limits.
 */
export function waitingFor(seconds: number, { customTimeouts }: pulumi.CustomResourceOptions): pulumi.CustomTimeouts {
  const limit = `${seconds}s`;
  return { create: limit, update: limit, ...customTimeouts };
}

/**
 * Transforms that mark an output of a resource as a secret if its input contains one. The outputs of a patch are the
 * whole object, and the inputs of the patch do not show which parts of it are secret. Keys that never contain a secret
 * are skipped, so that they do not mark an output.
 */
export function secretWith(outputs: Record<string, unknown>, passedOver: string[]): pulumi.ResourceTransform[] {
  const mayBe = Object.entries(outputs).filter(([, value]) => hasDeferred(value, passedOver));
  if (!callsBack() || mayBe.length === 0) return [];
  return [
    async ({ props, opts }) => {
      const are = await Promise.all(mayBe.map(([, value]) => pulumi.isSecret(pulumi.output(value))));
      const additionalSecretOutputs = mayBe.flatMap(([name], index) => (are[index] ? [name] : []));
      return { props, opts: { ...opts, additionalSecretOutputs } };
    },
  ];
}

/** True for a program whose engine calls back. Pulumi's mocks do not, and a registration of a hook there would wait indefinitely. */
export const callsBack = () => typeof pulumi.runtime.getMonitor()?.registerResourceHook === "function";

function hasDeferred(value: unknown, passedOver: string[]): boolean {
  if (isDeferred(value)) return true;
  if (Array.isArray(value)) return value.some((item) => hasDeferred(item, passedOver));
  if (!isPlainObject(value)) return false;
  return Object.entries(value).some(([key, item]) => !passedOver.includes(key) && hasDeferred(item, passedOver));
}
