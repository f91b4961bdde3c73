import { createHash, createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { sorted } from "./objects";

/** True for a value that is known only later: it may be written to an object, but not read. */
export function isDeferred(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Number of items of a list; undefined while the list is known only later. */
export const knownLength = (list: pulumi.Input<unknown[]>): number | undefined =>
  Array.isArray(list) ? list.length : undefined;

/** A value with a function applied to it, as soon as it is known. */
export const mapInput = <T, U>(input: pulumi.Input<T>, make: (value: T) => U): pulumi.Input<U> =>
  isDeferred(input) ? pulumi.output(input).apply((value) => make(value as T)) : make(input as T);

/** A list with a function applied to each text. The list may itself be known only later, such as the subnets of a new network. */
export const mapTexts = <T>(
  list: pulumi.Input<pulumi.Input<string>[]>,
  make: (text: pulumi.Input<string>) => T,
): pulumi.Input<pulumi.Input<T>[]> =>
  Array.isArray(list) ? list.map(make) : pulumi.output(list).apply((texts) => texts.map(make));

/** Plain values of outputs, for components whose outputs are known before anything is created. */
const plainValues = new WeakMap<object, unknown>();

/**
 * Output with its value attached. The value is plain, except perhaps for some leaves. Like any output, it passes its
 * dependencies to its users, and a constructor, which cannot wait, can still read the value.
 */
export function attachKnownValue<T>(output: pulumi.Output<T>, value: unknown): pulumi.Output<T> {
  plainValues.set(output, value);
  return output;
}

/** Plain value of an input: the input itself, or the value attached to an output. */
export function knownValue(input: unknown): unknown {
  return typeof input === "object" && input !== null && plainValues.has(input) ? plainValues.get(input) : input;
}

/** The value of an output, once it is known; undefined in a preview that cannot know it. */
export function whenKnown<T>(output: pulumi.Output<T>): Promise<T | undefined> {
  // The SDK does not declare this method of an output.
  return (output as unknown as { promise(): Promise<T | undefined> }).promise();
}

/**
 * The result of a promise, or `otherwise` if there is no result within a time. The output of a resource whose operation
 * has failed, for example, never gets a value.
 */
export function within<T, Otherwise>(
  millis: number,
  promise: Promise<T>,
  otherwise: Otherwise,
): Promise<T | Otherwise> {
  const over = new AbortController();
  const timeout = sleep(millis, otherwise, { signal: over.signal, ref: false }).catch(() => otherwise);
  return Promise.race([promise, timeout]).finally(() => over.abort());
}

/** Resources that the values of some inputs depend on. */
export const resourcesBehind = (...inputs: unknown[]): pulumi.Output<pulumi.Resource[]> =>
  pulumi.all(inputs.map(resourcesOf)).apply((lists) => lists.flat());

function resourcesOf(input: unknown): pulumi.Output<pulumi.Resource[]> {
  if (!pulumi.Output.isInstance(input)) return pulumi.output([]);
  // The SDK does not declare this method of an output.
  const { allResources } = input as unknown as { allResources: () => Promise<Set<pulumi.Resource>> };
  // Resources pass through an output unchanged.
  return pulumi.output(allResources.call(input).then((all) => [...all]));
}

// Long enough to be different for all configurations of one cluster, and short enough for a preview.
const digestLength = 16;

/**
 * Hash of all parts of a value that are known now, independent of the order of its properties. For a part that is known
 * only later, only its place is included.
 */
export function hashKnown(value: unknown): string {
  const known = JSON.stringify(sorted(mapDeferred(value, () => null)));
  return createHash("sha256").update(known).digest("hex").slice(0, digestLength);
}

/**
 * Hash of the parts of a value that are known only later, if there are any. The hash is keyed with a secret, so that it
 * can be public although the values are not.
 */
export function hashDeferred(value: unknown, key: pulumi.Input<string>): pulumi.Output<string> | undefined {
  const deferred: unknown[] = [];
  mapDeferred(sorted(value), (leaf) => deferred.push(leaf));
  if (deferred.length === 0) return undefined;
  const digest = pulumi
    .all([key, pulumi.all(deferred)])
    .apply(([secret, values]) => createHmac("sha256", secret).update(JSON.stringify(values)).digest("hex"));
  return pulumi.unsecret(digest.apply((hex) => hex.slice(0, digestLength)));
}

/** A copy of plain data with every value that is only known later replaced. */
export function mapDeferred(value: unknown, replace: (leaf: unknown) => unknown): unknown {
  if (isDeferred(value)) return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapDeferred(item, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapDeferred(item, replace)]));
}
