import { ownValue } from "../../shared/objects";
import { BurstingOrder } from "../args";
import type { BurstingFields } from "./fields";
import { type InstanceSpec, queuesOf } from "../../core/parse/instance";

/** A queue to which jobs may move, and the cluster that has its hosts. */
export interface MovesQueue {
  name: string;
  cluster: string;
  /** Price of one of its hosts per hour. */
  price: number;
}

/** The queues between which jobs move, and when. */
export interface MovesSpec {
  /** The queues, the default one first. */
  queues: MovesQueue[];
  order: BurstingOrder;
  afterSeconds: number;
  giveUpSeconds: number;
}

/** Price of a host of a cluster that can join. */
export const burstPrice = ({ pricePerHour, pool }: Pick<BurstingFields["clusters"][number], "pricePerHour" | "pool">) =>
  pricePerHour ?? pool?.pricePerHour;

/** The moves of the jobs of an instance, if enabled, with the price of a host of each cluster. */
export function movesOf(
  { place, clusters: joining }: BurstingFields,
  instance: InstanceSpec,
  prices: Record<string, number>,
): MovesSpec | undefined {
  if (!place) return undefined;
  const { clusters = joining.map(({ name }) => name), ...pace } = place;
  const [home, ...others] = queuesOf(instance);
  const named = clusters.flatMap((name) => others.filter((queue) => queue.name === name));
  const priced = [...(home ? [home] : []), ...named].map((queue) => ({
    ...queue,
    price: ownValue(prices, queue.cluster) ?? 0,
  }));
  return { queues: priced, ...pace };
}

/** Prices of a host of each cluster that can join, by its name. */
export const joiningPrices = ({ clusters }: BurstingFields): Record<string, number> =>
  Object.fromEntries(
    clusters.flatMap((cluster) => {
      const price = burstPrice(cluster);
      return price === undefined ? [] : [[cluster.name, price] as const];
    }),
  );
