import * as pulumi from "@pulumi/pulumi";
import { thrownText } from "../shared/errors";

/** A list price, in the format of a pool's arguments. */
export interface ListPrice {
  /** Price of a machine per hour. */
  pricePerHour: number;
  /** Its currency, as an ISO 4217 code. */
  currency: string;
  /** The price list, with the date of the look-up. */
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
  if (!Number.isFinite(pricePerHour) || pricePerHour <= 0) throw new Error(`the price list has ${pricePerHour}`);
  return { pricePerHour, currency, priceSource: `${list}, ${new Date().toISOString().slice(0, 10)}` };
}

/** The only price of several offers. Two different prices are ambiguous; offers without a charge are no prices of a machine. */
export function onlyPrice(prices: number[]): number {
  const [price, ...others] = [...new Set(prices)].filter((each) => each !== 0);
  if (price === undefined) throw new Error("the price list does not have it");
  if (others.length > 0) throw new Error(`the price list has several: ${[price, ...others].join(", ")}`);
  return price;
}
