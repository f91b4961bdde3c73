import { ownValue } from "../../shared/objects";
import { BurstingOrder } from "../args";
import type { BurstingFields } from "./fields";
import { queuesOf } from "../../core/parse/instance";
import { jobsOf, type LeadSpec } from "../../core/parse/spec";

/** A queue to which jobs may move, and the cluster that has its hosts. */
export interface PlaceQueue {
  name: string;
  cluster: string;
  /** Price of one of its hosts per hour. */
  price: number;
}

/** How jobs move from queue to queue. */
export interface PlaceSpec {
  /** The queues, the default one first. */
  queues: PlaceQueue[];
  order: BurstingOrder;
  afterSeconds: number;
  giveUpSeconds: number;
}

/** Price of a host of a cluster that may join. */
export const burstPrice = ({ pricePerHour, pool }: Pick<BurstingFields["clusters"][number], "pricePerHour" | "pool">) =>
  pricePerHour ?? pool?.pricePerHour;

/** How jobs of an instance move, if they do. */
export function placeOf(spec: LeadSpec): PlaceSpec | undefined {
  const { bursting, instance } = spec;
  if (!bursting?.place) return undefined;
  const { clusters = bursting.clusters.map(({ name }) => name), ...pace } = bursting.place;
  const prices = hostPrices(spec);
  const [home, ...others] = queuesOf(instance);
  const named = clusters.flatMap((name) => others.filter((queue) => queue.name === name));
  const priced = [...(home ? [home] : []), ...named].map((queue) => ({
    ...queue,
    price: ownValue(prices, queue.cluster) ?? 0,
  }));
  return { queues: priced, ...pace };
}

/** Price of a host per hour, of each cluster of an instance with one. */
export function hostPrices(spec: LeadSpec): Record<string, number> {
  const own = jobsOf(spec).map(({ name, pool }) => [name, pool?.pricePerHour] as const);
  const joining = (spec.bursting?.clusters ?? []).map((cluster) => [cluster.name, burstPrice(cluster)] as const);
  return Object.fromEntries([...own, ...joining].filter((entry): entry is [string, number] => entry[1] !== undefined));
}
