import type * as pulumi from "@pulumi/pulumi";
import { describeChange } from "../minicluster/capacity";
import type { NodePoolScheduling } from "../minicluster/args";
import { type Inputs, type Remark, remarkOnUpdate } from "../shared/changes";

/** The numbers of nodes that the inputs of a cloud's pool say, as far as they are known. */
export interface NodeCounts {
  /** Nodes of a pool of fixed size. */
  fixed?: number;
  /** Most nodes of a pool that is scaled by need. */
  max?: number;
}

/** What a pool is called in front of people. */
type Pool = Pick<NodePoolScheduling, "pool" | "node">;

/** Says what a change of a pool's size adds or takes away, and warns where running ranks may be hit. */
export const remarkOnResize = (
  { pool, node }: Pool,
  component: pulumi.Resource,
  countsIn: (inputs: Inputs) => NodeCounts,
): pulumi.ResourceHookBinding =>
  remarkOnUpdate(`minicluster:${pool}:nodes`, component, (before, after) =>
    resizeRemarks({ pool, node }, countsIn(before), countsIn(after)),
  );

/** The remarks on a change of the number of nodes. */
export function resizeRemarks({ pool, node }: Pool, before: NodeCounts, after: NodeCounts): Remark[] {
  const [old, changed] = [before.fixed ?? before.max, after.fixed ?? after.max];
  if (old === undefined || changed === undefined || old === changed) return [];
  const { gpus = 0, fabricInterfaces = 0, ...rest } = node;
  const change = describeChange(old, changed, { ...rest, gpus, fabricInterfaces });
  const isFixed = before.fixed !== undefined && after.fixed !== undefined;
  const fact: Remark = { severity: "info", text: `pool ${pool}${isFixed ? "" : " grows to at most"}: ${change}` };
  if (changed > old) return [fact];
  const text = isFixed
    ? `pool ${pool} loses ${old - changed} of ${old} nodes, and the cloud chooses which, whatever ranks run there; shrink ` +
      "the MiniCluster first in an update of its own and drain the nodes that have become empty, or let the pool " +
      "scale by need (autoscale)"
    : `pool ${pool} may have at most ${changed} nodes instead of ${old}: if more are running, the cloud chooses which go, ` +
      "whatever ranks run there; shrink the MiniCluster first in an update of its own";
  return [fact, { severity: "warning", text }];
}
