import { NodePoolFabric } from "../args";
import type { PoolSpec } from "./pool";

/** Hardware of a node that capacities report. */
type Node = Pick<PoolSpec["node"], "gpus" | "fabricInterfaces" | "fabric"> & {
  /** Undefined if they are unknown. */
  vcpus?: number;
  cores?: number;
  memoryMib?: number;
};

/** Total capacity of a number of nodes. */
export interface Capacity {
  nodes: number;
  vcpus: number;
  cores: number;
  gpus: number;
  fabricInterfaces: number;
}

/** Total capacity of a number of nodes of one kind: 0 where the hardware is unknown. */
export const capacityOf = (nodes: number, { vcpus = 0, cores = 0, gpus, fabricInterfaces }: Node): Capacity => ({
  nodes,
  vcpus: nodes * vcpus,
  cores: nodes * cores,
  gpus: nodes * gpus,
  fabricInterfaces: nodes * fabricInterfaces,
});

const interfaceNames: Record<NodePoolFabric, string> = {
  [NodePoolFabric.Efa]: "EFA interfaces",
  [NodePoolFabric.Tier1]: "Tier_1 interfaces",
  [NodePoolFabric.Rdma]: "RDMA interfaces",
  [NodePoolFabric.Infiniband]: "InfiniBand interfaces",
};

/** Nodes of one kind, with the hardware of each if it is known. */
export interface SomeNodes {
  count: number;
  node: Node | undefined;
}

type Counted = [name: string, before: number, after: number];

/** Total capacity of some nodes, as a list: `nodes 4, GPUs 32, …`. */
export function describeCapacity({ count, node }: { count: number; node: Node }): string {
  const parts = partsOf({ count: 0, node }, { count, node });
  return [["nodes", 0, count] as Counted, ...parts.filter(([, , has]) => has > 0)]
    .map(([name, , has]) => `${name} ${has}`)
    .join(", ");
}

/**
 * Text on a change of the number of nodes, of their hardware, or of both, with all capacities that change:
 * `nodes 4 => 2, GPUs 0 => 16, …`. If the former hardware is unknown, only the nodes are compared.
 */
export function describeChange(before: SomeNodes, after: SomeNodes & { node: Node }): string {
  const nodes: Counted = ["nodes", before.count, after.count];
  const parts = before.node === undefined ? [] : partsOf({ ...before, node: before.node }, after);
  return [nodes, ...parts.filter(([, from, to]) => from > 0 || to > 0)]
    .map(([name, from, to]) => `${name} ${from} => ${to}`)
    .join(", ");
}

function partsOf(before: { count: number; node: Node }, after: { count: number; node: Node }): Counted[] {
  const [old, changed] = [before, after].map(({ count, node }) => capacityOf(count, node)) as [Capacity, Capacity];
  const [oldName, name] = [before, after].map(({ node: { fabric } }) =>
    fabric === undefined ? "interfaces" : interfaceNames[fabric],
  ) as [string, string];
  // Interfaces of different networks are not compared: the former interfaces are removed, and the new interfaces are
  // added.
  const interfaces: Counted[] =
    oldName === name
      ? [[name, old.fabricInterfaces, changed.fabricInterfaces]]
      : [
          [oldName, old.fabricInterfaces, 0],
          [name, 0, changed.fabricInterfaces],
        ];
  const hasCpus = [before, after].every(({ node: { vcpus } }) => vcpus !== undefined);
  const cpus: Counted[] = hasCpus ? [["vCPUs", old.vcpus, changed.vcpus]] : [];
  const counts: Counted[] = [["GPUs", old.gpus, changed.gpus], ...interfaces, ...cpus];
  const [oldGib, gib] = [before, after].map(memoryGib);
  return oldGib === undefined || gib === undefined ? counts : [...counts, ["GiB of memory", oldGib, gib]];
}

const memoryGib = ({ count, node: { memoryMib } }: { count: number; node: Node }) =>
  memoryMib === undefined ? undefined : Math.round((count * memoryMib) / 1024);

/** The price of some nodes per hour. */
export const priceOf = (count: number, price: number) => Number((count * price).toFixed(2));

/** Price of a node per hour, if it is known, and its currency. */
export interface NodePrice {
  pricePerHour?: number;
  currency?: string;
}

/** The price of some nodes per hour as the end of a list; empty if the price of a node is unknown. */
export const describePrice = (count: number, { pricePerHour, currency }: NodePrice) =>
  pricePerHour === undefined ? "" : `, price per hour ${withCurrency(priceOf(count, pricePerHour), currency)}`;

/**
 * The price before and after a change, as the end of a list. The former price is unknown if the machine type changes.
 */
export function describePriceChange(old: number | undefined, changed: number, price: NodePrice): string {
  const { pricePerHour, currency } = price;
  if (pricePerHour === undefined || old === undefined) return describePrice(changed, price);
  const now = withCurrency(priceOf(changed, pricePerHour), currency);
  return `, price per hour ${priceOf(old, pricePerHour)} => ${now}`;
}

/** An amount with its currency, if the currency is known. */
export const withCurrency = (amount: number | string, currency: string | undefined) =>
  currency === undefined ? String(amount) : `${amount} ${currency}`;
