import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { beforeCreate, beforeUpdate, type Diagnostic, type Inputs } from "../../diagnostics/hooks";
import type { MachineType } from "../machines";
import type { NodePoolLocalDisk, NodePoolLocalDisks, NodePoolPriceArgs, NodePoolScheduling } from "./args";
import { describeCapacity, describeChange, describePrice, describePriceChange } from "./parse/capacity";
import type { Sizing } from "./parse/sizing";

/** Known numbers of nodes in the inputs of a cloud's pool. */
export interface NodeCounts {
  /** Nodes of a pool of fixed size. */
  fixed?: number;
  /** Maximum size of an autoscaled pool. */
  max?: number;
}

/** Known properties of the nodes in the inputs of a cloud's pool. */
export interface NodeFacts extends NodeCounts {
  /** The cloud's name for the machine type. */
  machineType?: string;
  /** A node of that type. Used only before a change; undefined if the machine type does not change. */
  node?: NodePoolScheduling["node"];
}

/** Name of a pool, one of its nodes, and the price of a node per hour, if the user sets a price. */
export type Pool = Pick<NodePoolScheduling, "pool" | "node" | "pricePerHour" | "currency">;

/** Hook that logs the capacity and the price of a new pool, and other diagnostics on it. */
export function newPoolHooks(
  spec: { name: string; scheduling: NodePoolScheduling; sizing: Sizing; price?: Partial<NodePoolPriceArgs> },
  component: pulumi.Resource,
  more: Diagnostic[] = [],
): pulumi.ResourceHookBinding {
  const diagnostics = [...creationNotices(spec.scheduling, spec.sizing, spec.price?.source), ...more];
  return diagnostics.length === 0 ? {} : beforeCreate(`minicluster:${spec.name}:create`, component, () => diagnostics);
}

/**
 * Hook that logs the change of capacity by another size or machine type of a pool, and warns if running brokers may be
 * lost.
 */
export const resizeHooks = (
  pool: Pool,
  component: pulumi.Resource,
  factsIn: (inputs: Inputs) => NodeFacts,
): pulumi.ResourceHookBinding =>
  beforeUpdate(`minicluster:${pool.pool}:nodes`, component, (before, after) =>
    resizeDiagnostics(pool, factsIn(before), factsIn(after)),
  );

/** Diagnostics on a change of the number of nodes, or of their hardware. */
export function resizeDiagnostics({ pool, node, ...price }: Pool, before: NodeFacts, after: NodeFacts): Diagnostic[] {
  const [old, changed] = [before.fixed ?? before.max, after.fixed ?? after.max];
  const isSameType = before.machineType === after.machineType;
  const current = withDefaults(node);
  const previous = before.node ? withDefaults(before.node) : isSameType ? current : undefined;
  const isSame = old === changed && isSameType && isDeepStrictEqual(previous, current);
  if (old === undefined || changed === undefined || isSame) return [];
  const change = describeChange({ count: old, node: previous }, { count: changed, node: current });
  const cost = describePriceChange(isSameType ? old : undefined, changed, price);
  const isFixed = before.fixed !== undefined && after.fixed !== undefined;
  const message = `pool ${pool}${isFixed ? "" : " (maximum)"}: ${typeChange(before, after)}${change}${cost}`;
  const loss: Diagnostic = { severity: "warning", message: lossOf({ pool, isFixed, old, changed }) };
  return [{ severity: "info", message }, ...(changed < old ? [loss] : [])];
}

/** Notices of a new pool: its capacity and price, if the user sets the price of a node. */
export function creationNotices(
  { pool, node, ...nodePrice }: Pool,
  { isFixed, initial, max }: Sizing,
  source?: string,
): Diagnostic[] {
  if (nodePrice.pricePerHour === undefined) return [];
  const price = (count: number) => describePrice(count, nodePrice);
  const count = isFixed ? initial : max;
  const start = isFixed ? "" : `; it starts with nodes ${initial}${price(initial)}`;
  const from = source === undefined ? "" : ` (${source})`;
  const capacity = describeCapacity({ count, node: withDefaults(node) });
  return [
    {
      severity: "info",
      message: `pool ${pool}${isFixed ? "" : " (maximum)"}: ${capacity}${price(count)}${start}${from}`,
    },
  ];
}

/** A node, with defaults for its optional devices. */
const withDefaults = ({ gpus = 0, fabricInterfaces = 0, ...node }: Pool["node"]) => ({
  ...node,
  gpus,
  fabricInterfaces,
});

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
    ? `pool ${pool} loses ${old - changed} of ${old} nodes; the cloud chooses which, even nodes on which brokers run. Shrink the ` +
      "MiniCluster first, in a separate update, and drain the nodes that it no longer uses, or set maxSize of the pool"
    : `pool ${pool} may have at most ${changed} nodes instead of ${old}; if more are running, the cloud chooses which to ` +
      "remove, even nodes on which brokers run. Shrink the MiniCluster first, in a separate update";

// Smaller disks are not reported.
const idleGb = 1000;

/** Notices of a new pool: how its pods use the local disks, and a warning of unused terabytes. */
export function localDiskNotices(
  pool: { name: string; localDisks?: NodePoolLocalDisks; scheduling: { localDisk?: NodePoolLocalDisk } },
  { localDiskGb = 0, stripesItself = false }: Pick<MachineType, "localDiskGb"> & { stripesItself?: boolean },
): Diagnostic[] {
  const { name, localDisks, scheduling } = pool;
  const { localDisk } = scheduling;
  if (localDisk) {
    // If the image of the nodes stripes the disks itself, images are on the OS disk.
    const shared = stripesItself ? "the volumes of pods share" : "images and the volumes of pods share";
    const use = localDisk.storageClass === undefined ? shared : "a pod may have";
    const message = `pool ${name}: ${use} ${localDisk.gb} GB of local disks on each node (localDisk: true in a volume)`;
    return [{ severity: "info", message }];
  }
  if (localDisks !== undefined || localDiskGb < idleGb) return [];
  const message =
    `pool ${name}: ${localDiskGb} GB of local disks on each node are not used; set localDisks to "raid0" for images and the ` +
    'volumes of pods, or to "none"';
  return [{ severity: "warning", message }];
}
