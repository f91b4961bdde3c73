import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { describeCapacity, describeChange } from "../minicluster/capacity";
import { type Inputs, type Remark, remarkOnCreate, remarkOnUpdate } from "../shared/changes";
import type { NodePoolScheduling } from "./schedulingArgs";
import type { Sizing } from "./sizing";

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

/** Name of a pool, a node of it, and what that costs for an hour, if the user says it. */
export interface Pool extends Pick<NodePoolScheduling, "pool" | "node"> {
  pricePerHour?: number;
}

/** The part of a pool's spec that remarks on its size depend on. */
export const costed = ({
  scheduling,
  pricePerHour,
}: {
  scheduling: NodePoolScheduling;
  pricePerHour?: number;
}): Pool => ({
  ...scheduling,
  pricePerHour,
});

/** The hook that says what a new pool comes to, with other remarks on it. */
export const remarkOnNewPool = (
  spec: Parameters<typeof costed>[0] & { name: string; sizing: Sizing },
  component: pulumi.Resource,
  others: Remark[] = [],
): pulumi.ResourceHookBinding =>
  remarkOnCreate(`minicluster:${spec.name}:create`, component, [
    ...creationRemarks(costed(spec), spec.sizing),
    ...others,
  ]);

/** The hook that reports what a change of a pool's size or machine type adds or removes, and warns where ranks may be hit. */
export const remarkOnResize = (
  pool: Pool,
  component: pulumi.Resource,
  factsIn: (inputs: Inputs) => NodeFacts,
): pulumi.ResourceHookBinding =>
  remarkOnUpdate(`minicluster:${pool.pool}:nodes`, component, (before, after) =>
    resizeRemarks(pool, factsIn(before), factsIn(after)),
  );

/** Remarks on a change of the number of nodes, or of what each of them has. */
export function resizeRemarks({ pool, node, pricePerHour }: Pool, before: NodeFacts, after: NodeFacts): Remark[] {
  const [old, changed] = [before.fixed ?? before.max, after.fixed ?? after.max];
  const isSameType = before.machineType === after.machineType;
  const current = settled(node);
  const previous = before.node ? settled(before.node) : isSameType ? current : undefined;
  const isSame = old === changed && isSameType && isDeepStrictEqual(previous, current);
  if (old === undefined || changed === undefined || isSame) return [];
  const change = describeChange({ count: old, node: previous }, { count: changed, node: current });
  const cost = priceChange(pricePerHour, isSameType ? old : undefined, changed);
  const isFixed = before.fixed !== undefined && after.fixed !== undefined;
  const text = `pool ${pool}${isFixed ? "" : " (maximum)"}: ${typeChange(before, after)}${change}${cost}`;
  const loss: Remark = { severity: "warning", text: lossOf({ pool, isFixed, old, changed }) };
  return [{ severity: "info", text }, ...(changed < old ? [loss] : [])];
}

/** Remarks on a new pool: what it comes to, where the user says what a node costs. */
export function creationRemarks({ pool, node, pricePerHour }: Pool, { isFixed, initial, max }: Sizing): Remark[] {
  if (pricePerHour === undefined) return [];
  const sum = (count: number) => `price for an hour ${priceOf(count, pricePerHour)}`;
  const count = isFixed ? initial : max;
  const start = isFixed ? "" : `; it starts with nodes ${initial}, ${sum(initial)}`;
  const capacity = describeCapacity({ count, node: settled(node) });
  return [{ severity: "info", text: `pool ${pool}${isFixed ? "" : " (maximum)"}: ${capacity}, ${sum(count)}${start}` }];
}

const priceOf = (count: number, price: number) => Number((count * price).toFixed(2));

/** A node with the defaults of what it may have. */
const settled = ({ gpus = 0, fabricInterfaces = 0, ...node }: Pool["node"]) => ({ ...node, gpus, fabricInterfaces });

const typeChange = ({ machineType: old }: NodeFacts, { machineType }: NodeFacts) =>
  old === undefined || machineType === undefined || old === machineType ? "" : `machines ${old} => ${machineType}, `;

/** The sum for an hour. What machines of another type cost is not known. */
function priceChange(price: number | undefined, old: number | undefined, changed: number): string {
  if (price === undefined) return "";
  const [before, after] = [old, changed].map((count) => count !== undefined && priceOf(count, price));
  return before === false ? `, price for an hour ${after}` : `, price for an hour ${before} => ${after}`;
}

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
