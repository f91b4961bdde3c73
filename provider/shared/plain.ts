import * as pulumi from "@pulumi/pulumi";

/** Plain values of outputs, where the component that made an output knew its value before anything was created. */
const plainValues = new WeakMap<object, unknown>();

/**
 * Output with its value attached: all of it plain, or all but some leaves. Like any output it carries its dependencies to
 * those who use it, and a constructor, which cannot wait, can still read it.
 */
export function attachKnownValue<T>(output: pulumi.Output<T>, value: unknown): pulumi.Output<T> {
  plainValues.set(output, value);
  return output;
}

/** Plain value of an input: the input itself, or the value attached to an output. */
export function knownValue(input: unknown): unknown {
  return typeof input === "object" && input !== null && plainValues.has(input) ? plainValues.get(input) : input;
}

/** The value of an output, once it is there; undefined where a preview cannot know it. */
export function whenKnown<T>(output: pulumi.Output<T>): Promise<T | undefined> {
  // The SDK keeps this method of every output out of its declarations.
  return (output as unknown as { promise(): Promise<T | undefined> }).promise();
}

/** Resources that the values of some inputs depend on. */
export const resourcesBehind = (...inputs: unknown[]): pulumi.Output<pulumi.Resource[]> =>
  pulumi.all(inputs.map(resourcesOf)).apply((lists) => lists.flat());

function resourcesOf(input: unknown): pulumi.Output<pulumi.Resource[]> {
  if (!pulumi.Output.isInstance(input)) return pulumi.output([]);
  // The SDK keeps this method of every output out of its declarations.
  const { allResources } = input as unknown as { allResources: () => Promise<Set<pulumi.Resource>> };
  // Resources go through an output as they are.
  return pulumi.output(allResources.call(input).then((all) => [...all]));
}
