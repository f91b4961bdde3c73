import * as pulumi from "@pulumi/pulumi";

/** What outputs stand for, where the component that made them knew it before anything was created. */
const plainValues = new WeakMap<object, unknown>();

/**
 * An output whose value is plain already, all of it or with leaves that are not. It carries what it depends on to whoever takes
 * it, as outputs do, and can still be read by a constructor, which has no time to wait.
 */
export function attachKnownValue<T>(output: pulumi.Output<T>, value: unknown): pulumi.Output<T> {
  plainValues.set(output, value);
  return output;
}

/** The plain value behind an input: the input itself, or what an output of a component is known to stand for. */
export function knownValue(input: unknown): unknown {
  return typeof input === "object" && input !== null && plainValues.has(input) ? plainValues.get(input) : input;
}

/** The value of an output, once it is there; undefined where a preview cannot know it. */
export function whenKnown<T>(output: pulumi.Output<T>): Promise<T | undefined> {
  // The SDK keeps this method of every output out of its declarations.
  return (output as unknown as { promise(): Promise<T | undefined> }).promise();
}

/** The resources that have to be there before the values of some inputs count. */
export const resourcesBehind = (...inputs: unknown[]): pulumi.Output<pulumi.Resource[]> =>
  pulumi.all(inputs.map(resourcesOf)).apply((lists) => lists.flat());

function resourcesOf(input: unknown): pulumi.Output<pulumi.Resource[]> {
  if (!pulumi.Output.isInstance(input)) return pulumi.output([]);
  // The SDK keeps this method of every output out of its declarations.
  const { allResources } = input as unknown as { allResources: () => Promise<Set<pulumi.Resource>> };
  // Resources go through an output as they are.
  return pulumi.output(allResources.call(input).then((all) => [...all]));
}
