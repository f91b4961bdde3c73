import * as pulumi from "@pulumi/pulumi";

/**
 * True for a program whose engine calls back. Pulumi's mocks do not, and a registration of a hook there would wait for
 * ever.
 */
export const callsBack = () => typeof pulumi.runtime.getMonitor()?.registerResourceHook === "function";

/**
 * Value that the components of one preview or update share, made when the first asks for it. A program in TypeScript has a
 * stack of its own each time; a plugin has none, and may serve one engine after the other.
 */
export function oncePerRun<T>(make: () => T): () => T {
  const ofStack = new WeakMap<object, T>();
  const ofEngine = new Map<string, T>();
  return () => {
    const stack = pulumi.runtime.getStackResource();
    return stack ? getOrMake(ofStack, stack, make) : getOrMake(ofEngine, engineAddress(), make);
  };
}

function engineAddress(): string {
  // The SDK declares less than a client of gRPC has.
  const monitor = pulumi.runtime.getMonitor() as { getChannel?: () => { getTarget: () => string } } | undefined;
  return monitor?.getChannel?.().getTarget() ?? "";
}

/** The value of a key, made when it is first asked for. */
export function getOrMake<K, T>(
  values: { get(key: K): T | undefined; set(key: K, value: T): unknown },
  key: K,
  make: () => T,
): T {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}
