import { priceOf } from "../../clouds/nodes/parse/capacity";
import type { AddIssue } from "../../shared/rules";

/** A Job of brokers with the most nodes that it may have without another preview: one for each pod. */
export interface PricedJob {
  name: string;
  nodes: number;
  pool?: { pool: string; pricePerHour?: number };
}

/** The rule on `maxPricePerHour`: all prices are known, and the sum of all Jobs is within it. */
export function priceRule(limit: number | undefined, jobs: PricedJob[], addIssue: AddIssue): void {
  const reason = limit === undefined ? undefined : priceProblem(limit, jobs);
  if (reason !== undefined) addIssue(["maxPricePerHour"], reason);
}

function priceProblem(limit: number, jobs: PricedJob[]): string | undefined {
  const missing = jobs.flatMap(({ name, pool }) =>
    pool?.pricePerHour === undefined
      ? [pool ? `pricePerHour of pool ${pool.pool}` : `a pool with pricePerHour for ${name}`]
      : [],
  );
  if (missing.length > 0) return `requires ${[...new Set(missing)].join(" and ")}; add it, or remove maxPricePerHour`;
  const parts = jobs.map(({ name, nodes, pool }) => ({ name, nodes, price: pool?.pricePerHour ?? 0 }));
  const sum = parts.reduce((all, { nodes, price }) => all + priceOf(nodes, price), 0);
  if (priceOf(1, sum) <= limit) return undefined;
  const list = parts.map(({ name, nodes, price }) => `${name}: nodes ${nodes}, ${priceOf(nodes, price)}`);
  return (
    `${limit} is below ${priceOf(1, sum)}, the most that the nodes may cost for an hour (${list.join("; ")}); lower size or ` +
    "autoscale.max, or raise maxPricePerHour"
  );
}
