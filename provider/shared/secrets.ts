import * as pulumi from "@pulumi/pulumi";
import { isDeferred } from "./checks";
import { callsBack } from "./engine";
import { isPlainObject } from "./objects";

/**
 * What makes outputs of a resource secret where something else is. Of a patch the provider knows the whole object, and from
 * the inputs of the patch not what is secret in it.
 */
export function secretWith(value: unknown, outputs: string[]): pulumi.ResourceTransform[] {
  if (!callsBack() || !hasDeferred(value)) return [];
  return [
    async ({ props, opts }) =>
      (await pulumi.isSecret(pulumi.output(value)))
        ? { props, opts: { ...opts, additionalSecretOutputs: outputs } }
        : undefined,
  ];
}

function hasDeferred(value: unknown): boolean {
  if (isDeferred(value)) return true;
  if (Array.isArray(value)) return value.some(hasDeferred);
  return isPlainObject(value) && Object.values(value).some(hasDeferred);
}
