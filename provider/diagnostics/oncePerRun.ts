import * as pulumi from "@pulumi/pulumi";
import { getOrMake } from "../shared/objects";

/**
 * Value that the components of one preview or update share, computed on first use. In a TypeScript program, each run
 * has a separate stack; a plugin has no stack, and may serve several engines one after the other.
 */
export function oncePerRun<T>(make: () => T): () => T {
  const ofStack = new WeakMap<object, T>();
  const ofEngine = new Map<string, T>();
  return () => {
    const stack = pulumi.runtime.getStackResource();
    return stack ? getOrMake(ofStack, stack, make) : getOrMake(ofEngine, engineAddresses(), make);
  };
}

/**
 * The addresses of an engine's two servers. The system reuses ports, so the port of a single server may have belonged
 * to an earlier engine of the same plugin.
 */
const engineAddresses = () => [pulumi.runtime.getMonitor(), pulumi.runtime.getEngine()].map(addressOf).join(" ");

function addressOf(client: unknown): string {
  // The SDK declares only a part of a gRPC client.
  const { getChannel } = (client ?? {}) as { getChannel?: () => { getTarget: () => string } };
  return getChannel?.call(client).getTarget() ?? "";
}
