import * as pulumi from "@pulumi/pulumi";
import { isDeferred } from "./checks";
import { callsBack } from "./engine";
import { isPlainObject } from "./objects";

/**
 * Transforms that mark an output of a resource as a secret if the value given for it holds one. The outputs of a patch
 * are the whole object, and the inputs of the patch do not tell what is secret in it. Keys that never hold a secret are
 * passed over, so that nothing is marked on their account.
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

function hasDeferred(value: unknown, passedOver: string[]): boolean {
  if (isDeferred(value)) return true;
  if (Array.isArray(value)) return value.some((item) => hasDeferred(item, passedOver));
  if (!isPlainObject(value)) return false;
  return Object.entries(value).some(([key, item]) => !passedOver.includes(key) && hasDeferred(item, passedOver));
}
