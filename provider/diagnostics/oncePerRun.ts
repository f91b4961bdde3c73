import * as pulumi from "@pulumi/pulumi";
import { getOrMake } from "../shared/objects";

/**
 * Value that the components of one preview or update share, computed on first use. A program in TypeScript has another stack each
 * time; a plugin has none, and may serve several engines in turn.
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
 * The addresses of an engine's two servers. The system reuses ports, so that of a single one may have belonged to an earlier
 * engine of the same plugin.
 */
const engineAddresses = () => [pulumi.runtime.getMonitor(), pulumi.runtime.getEngine()].map(addressOf).join(" ");

function addressOf(client: unknown): string {
  // The SDK declares only a part of a gRPC client.
  const { getChannel } = (client ?? {}) as { getChannel?: () => { getTarget: () => string } };
  return getChannel?.call(client).getTarget() ?? "";
}
