import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { describeChange } from "../minicluster/capacity";
import { type Inputs, type Remark, remarkOnUpdate } from "../shared/changes";
import type { NodePoolScheduling } from "./schedulingArgs";

/** Numbers of nodes in the inputs of a cloud's pool, as far as they are known. */
export interface NodeCounts {
  /** Nodes of a pool of fixed size. */
  fixed?: number;
  /** Limit of a pool that an autoscaler sizes. */
  max?: number;
}

/** Facts on the nodes in the inputs of a cloud's pool, as far as they are known. */
export interface NodeFacts extends NodeCounts {
  /** The cloud's name for the machine type. */
  machineType?: string;
  /** A node of that type. Read before a change only; left out where the machine type is that of the pool now. */
  node?: NodePoolScheduling["node"];
}

/** Name of a pool, and a node of it. */
export type Pool = Pick<NodePoolScheduling, "pool" | "node">;

/** The hook that reports what a change of a pool's size or machine type adds or removes, and warns where ranks may be hit. */
export const remarkOnResize = (
  { pool, node }: Pool,
  component: pulumi.Resource,
  factsIn: (inputs: Inputs) => NodeFacts,
): pulumi.ResourceHookBinding =>
  remarkOnUpdate(`minicluster:${pool}:nodes`, component, (before, after) =>
    resizeRemarks({ pool, node }, factsIn(before), factsIn(after)),
  );

/** Remarks on a change of the number of nodes, or of what each of them has. */
export function resizeRemarks({ pool, node }: Pool, before: NodeFacts, after: NodeFacts): Remark[] {
  const [old, changed] = [before.fixed ?? before.max, after.fixed ?? after.max];
  const isSameType = before.machineType === after.machineType;
  const current = settled(node);
  const previous = before.node ? settled(before.node) : isSameType ? current : undefined;
  const isSame = old === changed && isSameType && isDeepStrictEqual(previous, current);
  if (old === undefined || changed === undefined || isSame) return [];
  const change = describeChange({ count: old, node: previous }, { count: changed, node: current });
  const isFixed = before.fixed !== undefined && after.fixed !== undefined;
  const text = `pool ${pool}${isFixed ? "" : " (maximum)"}: ${typeChange(before, after)}${change}`;
  const loss: Remark = { severity: "warning", text: lossOf({ pool, isFixed, old, changed }) };
  return [{ severity: "info", text }, ...(changed < old ? [loss] : [])];
}

/** A node with the defaults of what it may have. */
const settled = ({ gpus = 0, fabricInterfaces = 0, ...node }: Pool["node"]) => ({ ...node, gpus, fabricInterfaces });

const typeChange = ({ machineType: old }: NodeFacts, { machineType }: NodeFacts) =>
  old === undefined || machineType === undefined || old === machineType ? "" : `machines ${old} => ${machineType}, `;

interface Loss {
  pool: string;
  isFixed: boolean;
  old: number;
  changed: number;
}

const lossOf = ({ pool, isFixed, old, changed }: Loss) =>
  isFixed
    ? `pool ${pool} loses ${old - changed} of ${old} nodes; the cloud chooses which, even where ranks run. Shrink the ` +
      "MiniCluster first, in an update of its own, and drain the nodes that it leaves, or use autoscale"
    : `pool ${pool} may have at most ${changed} nodes instead of ${old}; if more are running, the cloud chooses which go, ` +
      "even where ranks run. Shrink the MiniCluster first, in an update of its own";
