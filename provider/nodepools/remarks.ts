import { isDeepStrictEqual } from "node:util";
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

/** What the inputs of a cloud's pool say of its nodes, as far as it is known. */
export interface NodeFacts extends NodeCounts {
  /** What the cloud calls the machines. */
  machine?: string;
  /** What a node has. Only asked of the inputs before a change; left out where they name the machine that the pool has now. */
  node?: NodePoolScheduling["node"];
}

/** What a pool is called in front of people, and what a node of it has. */
export type Pool = Pick<NodePoolScheduling, "pool" | "node">;

/** Says what a change of a pool's size or machines adds or takes away, and warns where running ranks may be hit. */
export const remarkOnResize = (
  { pool, node }: Pool,
  component: pulumi.Resource,
  factsIn: (inputs: Inputs) => NodeFacts,
): pulumi.ResourceHookBinding =>
  remarkOnUpdate(`minicluster:${pool}:nodes`, component, (before, after) =>
    resizeRemarks({ pool, node }, factsIn(before), factsIn(after)),
  );

/** The remarks on a change of the number of nodes, or of what each of them has. */
export function resizeRemarks({ pool, node }: Pool, before: NodeFacts, after: NodeFacts): Remark[] {
  const [old, changed] = [before.fixed ?? before.max, after.fixed ?? after.max];
  const isSameMachine = before.machine === after.machine;
  const current = settled(node);
  const previous = before.node ? settled(before.node) : isSameMachine ? current : undefined;
  const isSame = old === changed && isSameMachine && isDeepStrictEqual(previous, current);
  if (old === undefined || changed === undefined || isSame) return [];
  const change = describeChange({ count: old, node: previous }, { count: changed, node: current });
  const isFixed = before.fixed !== undefined && after.fixed !== undefined;
  const text = `pool ${pool}${isFixed ? "" : " grows to at most"}: ${machineChange(before, after)}${change}`;
  const loss: Remark = { severity: "warning", text: lossOf({ pool, isFixed, old, changed }) };
  return [{ severity: "info", text }, ...(changed < old ? [loss] : [])];
}

/** A node of which everything is said that it may have. */
const settled = ({ gpus = 0, fabricInterfaces = 0, ...node }: Pool["node"]) => ({ ...node, gpus, fabricInterfaces });

const machineChange = ({ machine: old }: NodeFacts, { machine }: NodeFacts) =>
  old === undefined || machine === undefined || old === machine ? "" : `machines ${old} => ${machine}, `;

interface Loss {
  pool: string;
  isFixed: boolean;
  old: number;
  changed: number;
}

const lossOf = ({ pool, isFixed, old, changed }: Loss) =>
  isFixed
    ? `pool ${pool} loses ${old - changed} of ${old} nodes, and the cloud chooses which, whatever ranks run there; shrink ` +
      "the MiniCluster first in an update of its own and drain the nodes that have become empty, or let the pool " +
      "scale by need (autoscale)"
    : `pool ${pool} may have at most ${changed} nodes instead of ${old}: if more are running, the cloud chooses which go, ` +
      "whatever ranks run there; shrink the MiniCluster first in an update of its own";
