import * as pulumi from "@pulumi/pulumi";
import { thrownText } from "../shared/errors";

/** A list price, in the format of a pool's arguments. */
export interface ListPrice {
  /** Price of a machine per hour. */
  pricePerHour: number;
  /** Its currency, as an ISO 4217 code. */
  currency: string;
  /** The price list, with the date of the lookup. */
  priceSource: string;
}

/** The price from a cloud, or undefined and a warning: a preview does not fail without prices. */
export async function priced(machine: string, ask: () => Promise<ListPrice>): Promise<ListPrice | undefined> {
  try {
    return await ask();
  } catch (error) {
    void pulumi.log.warn(
      `no list price of ${machine} (${thrownText(error)}); previews show no price, or set pricePerHour`,
    );
    return undefined;
  }
}

/** A price from a list, with today's date. */
export function listPrice(pricePerHour: number, currency: string, list: string): ListPrice {
  if (!Number.isFinite(pricePerHour) || pricePerHour <= 0)
    throw new Error(`the price list has ${pricePerHour}, which is not a price`);
  return { pricePerHour, currency, priceSource: `${list}, ${new Date().toISOString().slice(0, 10)}` };
}

/**
 * The only price of several offers. Throws for two different prices; ignores offers without a charge, which are not for
 * a machine.
 */
export function onlyPrice(prices: number[]): number {
  const [price, ...others] = [...new Set(prices)].filter((each) => each !== 0);
  if (price === undefined) throw new Error("the price list does not contain it");
  if (others.length > 0) throw new Error(`the price list has several prices: ${[price, ...others].join(", ")}`);
  return price;
}
