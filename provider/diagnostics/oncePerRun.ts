import * as pulumi from "@pulumi/pulumi";

/**
 * Value that the components of one preview or update share, computed on first use. A program in TypeScript has another stack each
 * time; a plugin has none, and may serve several engines in turn.
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
  // The SDK declares only a part of a gRPC client.
  const monitor = pulumi.runtime.getMonitor() as { getChannel?: () => { getTarget: () => string } } | undefined;
  return monitor?.getChannel?.().getTarget() ?? "";
}

/** The value of a key, computed on first use. */
export function getOrMake<K, T>(
  values: { get(key: K): T | undefined; set(key: K, value: T): unknown },
  key: K,
  make: () => T,
): T {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}
