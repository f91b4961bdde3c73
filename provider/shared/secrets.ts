import * as pulumi from "@pulumi/pulumi";
import { isDeferred } from "./checks";
import { callsBack } from "./engine";
import { isPlainObject } from "./objects";

/**
 * What makes an output of a resource secret where something else is that comes with it. Of a patch the provider knows the whole
 * object, and from the inputs of the patch not what is secret in it. Keys that hold no secret by their nature are passed over,
 * so that nobody asks on account of them.
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
