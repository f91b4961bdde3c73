import * as pulumi from "@pulumi/pulumi";
import { thrownText } from "../shared/errors";

/** A list price, in the form of the arguments of a pool. */
export interface ListPrice {
  /** Price of a machine for an hour. */
  pricePerHour: number;
  /** Its currency, as ISO 4217 names it. */
  currency: string;
  /** The price list that has it, with the date of the look-up. */
  priceSource: string;
}

/** The price that a cloud gives, or nothing and a warning: a preview without prices does not fail. */
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

/** A price from a list, of today. */
export function listPrice(pricePerHour: number, currency: string, list: string): ListPrice {
  if (!Number.isFinite(pricePerHour) || pricePerHour <= 0) throw new Error(`the price list has ${pricePerHour}`);
  return { pricePerHour, currency, priceSource: `${list}, ${new Date().toISOString().slice(0, 10)}` };
}

/** The one price among several offers. Two that differ are no answer: which one would be paid is not known. */
export function onlyPrice(prices: number[]): number {
  const [price, ...others] = [...new Set(prices)];
  if (price === undefined) throw new Error("the price list does not have it");
  if (others.length > 0) throw new Error(`the price list has several: ${[price, ...others].join(", ")}`);
  return price;
}
