import { z } from "zod";
import { NodePoolFabric } from "../../../clouds/nodes/args";
import type { MiniClusterSpec } from "../../parse/spec";

/** Annotation on the patch of a Job with the pool of its pods: the only record of the former pool when the next patch is made. */
export const poolNodeAnnotation = "minicluster/pool-node";

export const poolNode = z.object({
  pool: z.string(),
  vcpus: z.number().optional(),
  cores: z.number().optional(),
  gpus: z.number(),
  fabricInterfaces: z.number(),
  fabric: z.enum(NodePoolFabric).optional(),
});

/** The annotation `poolNodeAnnotation` for a cluster with a pool. */
export function poolNodeAnnotations({ pool }: MiniClusterSpec): Record<string, string> {
  if (!pool) return {};
  const { vcpus, cores, gpus, fabricInterfaces, fabric } = pool.node;
  const facts: z.output<typeof poolNode> = { pool: pool.pool, vcpus, cores, gpus, fabricInterfaces, fabric };
  return { [poolNodeAnnotation]: JSON.stringify(facts) };
}
