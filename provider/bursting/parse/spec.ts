import { specOf } from "../../core/parse/featureRules";
import {
  distinct,
  type HostHardware,
  hostHardware,
  hostProperties,
  type Joining,
  withHardware,
} from "../../core/parse/instance";
import type { MiniClusterSpec } from "../../core/parse/spec";
import type { BurstingFields } from "./fields";

/** The clusters that can join an instance, and the endpoint of its lead broker. */
export const burstingOf = (spec: MiniClusterSpec) => specOf<BurstingFields>(spec, "bursting");

/** The hosts of the clusters that can join. Hosts of unknown hardware get the hardware of the lead broker's cluster. */
export function joiningHosts(
  bursting: BurstingFields | undefined,
  hardware: HostHardware | undefined,
): Joining | undefined {
  if (!bursting) return undefined;
  const clusters = bursting.clusters.map((other) => ({
    name: other.name,
    hosts: other.maxSize,
    properties: distinct([other.name, ...(other.pool ? hostProperties(other.pool) : []), ...other.properties]),
    ...withHardware(hardwareOf(other) ?? hardware),
  }));
  return { clusters, hasQueues: !bursting.spanClusters };
}

/** Cores and GPUs of the hosts of a cluster that can join. */
function hardwareOf({ cores, gpus, pool }: BurstingFields["clusters"][number]): HostHardware | undefined {
  const ofPool = pool && hostHardware(pool, {}, true);
  const known = cores ?? ofPool?.cores;
  return known === undefined ? undefined : { cores: known, gpus: gpus ?? ofPool?.gpus ?? 0 };
}
