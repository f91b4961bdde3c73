import { priceOf } from "../clouds/nodes/parse/capacity";
import type { AddIssue } from "../shared/rules";

/** Nodes with the same price: one for each pod, at the largest size without another preview. */
export interface PricedNodes {
  name: string;
  nodes: number;
  /** Price of one node per hour. */
  price?: number;
  /** The argument that has the price. */
  argument: string;
}

/** The price of a Job's pool. */
interface PricedPool {
  pool: string;
  pricePerHour?: number;
}

/** The nodes of a Job on a pool, if it has one. */
export const nodesOfJob = (name: string, nodes: number, pool: PricedPool | undefined): PricedNodes => ({
  name,
  nodes,
  price: pool?.pricePerHour,
  argument: pool ? `the price of pool ${pool.pool}` : `a pool with a price for ${name}`,
});

/** The maximum price of some nodes per hour, if all prices are known. */
export function largestPrice(all: PricedNodes[]): number | undefined {
  const prices = all.flatMap(({ nodes, price }) => (price === undefined ? [] : [priceOf(nodes, price)]));
  const sum = prices.reduce((total, price) => total + price, 0);
  return prices.length < all.length ? undefined : priceOf(1, sum);
}

/** The rule on `maxPricePerHour`: all prices are known, and the sum of all nodes is within it. */
export function priceRule(limit: number | undefined, nodes: PricedNodes[], addIssue: AddIssue): void {
  const reason = limit === undefined ? undefined : priceProblem(limit, nodes);
  if (reason !== undefined) addIssue(["maxPricePerHour"], reason);
}

function priceProblem(limit: number, all: PricedNodes[]): string | undefined {
  const missing = all.filter(({ price }) => price === undefined).map(({ argument }) => argument);
  if (missing.length > 0) return `requires ${[...new Set(missing)].join(" and ")}; add it, or remove maxPricePerHour`;
  const sum = largestPrice(all) ?? 0;
  if (sum <= limit) return undefined;
  const list = all.map(({ name, nodes, price = 0 }) => `${name}: nodes ${nodes}, ${priceOf(nodes, price)}`);
  return (
    `${limit} is below ${sum}, the maximum price of the nodes per hour (${list.join("; ")}); lower size or ` +
    "autoscale.max, or raise maxPricePerHour"
  );
}
