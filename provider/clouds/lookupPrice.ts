import * as pulumi from "@pulumi/pulumi";
import { thrownText } from "../shared/errors";
import type { NodePoolPriceArgs } from "./nodes/args";

/** A list price, which is the value of `price` of a pool: its source is the price list, with the date of the lookup. */
export type ListPrice = Required<NodePoolPriceArgs>;

/** The price from a cloud, or undefined and a warning: a preview does not fail without prices. */
export async function priced(machine: string, ask: () => Promise<ListPrice>): Promise<ListPrice | undefined> {
  try {
    return await ask();
  } catch (error) {
    void pulumi.log.warn(
      `no list price of ${machine} (${thrownText(error)}); previews show no price, or set price.perHour`,
    );
    return undefined;
  }
}

/** A price from a list, with today's date. */
export function listPrice(perHour: number, currency: string, list: string): ListPrice {
  if (!Number.isFinite(perHour) || perHour <= 0) throw new Error(`the price list has ${perHour}, which is not a price`);
  return { perHour, currency, source: `${list}, ${new Date().toISOString().slice(0, 10)}` };
}

/**
 * The only price of several offers of a machine, or of a part of it. Throws for two different prices; ignores offers without a
 * charge, which are not for a machine.
 */
export function onlyPrice(prices: number[], part?: string): number {
  const [price, ...others] = [...new Set(prices)].filter((each) => each !== 0);
  if (price === undefined) throw new Error(`the price list does not contain ${part ?? "it"}`);
  const several = [price, ...others].join(", ");
  if (others.length > 0) throw new Error(`the price list has several prices${part ? ` of ${part}` : ""}: ${several}`);
  return price;
}
