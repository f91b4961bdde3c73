import { type ListPrice, listPrice, onlyPrice, priced } from "../lookupPrice";
import { AksNodePoolCapacityType } from "./nodes/args";

/** The properties that determine the price of a VM size. */
export interface AksPriceQuery {
  /** Azure region of the machines, such as "eastus". */
  location: string;
  /** Purchase option of the machines. Default: "onDemand". */
  capacityType?: AksNodePoolCapacityType;
  /** Currency, as ISO 4217 names it. Default: "USD". */
  currency?: string;
}

/** A price in a response of the Retail Prices API. */
interface RetailPrice {
  currencyCode: string;
  retailPrice: number;
  unitOfMeasure: string;
  productName: string;
  skuName: string;
  /** True for a meter that Azure uses for billing; the API also lists other meters, with other prices. */
  isPrimaryMeterRegion?: boolean;
  /** Start and, for a price that ends, end of the price. */
  effectiveStartDate?: string;
  effectiveEndDate?: string;
}

/** Products that are not a machine with Linux: "… Series Windows", "… Series Cloud Services", "… Dedicated Host". */
const otherProducts = /Windows|Cloud ?Services|Dedicated/;

const api = "https://prices.azure.com/api/retail/prices";
const timeoutMillis = 30_000;

/**
 * Returns the list price of a VM size with Linux, the value of `price` of a pool, from Azure's Retail Prices
 * API, which requires no login. Without a response, or without exactly one price, it logs a warning and returns no
 * price.
 */
export function lookupAksPrice(
  machineType: string,
  { location, capacityType = AksNodePoolCapacityType.OnDemand, currency = "USD" }: AksPriceQuery,
): Promise<ListPrice | undefined> {
  return priced(`VM size ${machineType}`, async () => {
    const isSpot = capacityType === AksNodePoolCapacityType.Spot;
    const items = chargedNow(await pricesOf(machineType, location, currency)).filter(
      ({ productName, skuName, unitOfMeasure }) =>
        unitOfMeasure === "1 Hour" &&
        !otherProducts.test(productName) &&
        !skuName.endsWith(" Low Priority") &&
        skuName.endsWith(" Spot") === isSpot,
    );
    const [other] = items.filter(({ currencyCode }) => currencyCode !== currency);
    if (other) throw new Error(`the price list is in ${other.currencyCode}, not in ${currency}`);
    const price = onlyPrice(items.map(({ retailPrice }) => retailPrice));
    return listPrice(price, currency, `Azure retail price, ${location}, ${isSpot ? "spot" : "pay as you go"}`);
  });
}

/**
 * The prices that apply at present: the response also has prices that begin later or have ended, and meters that Azure
 * does not use for billing (`effectiveStartDate`, `effectiveEndDate` and `isPrimaryMeterRegion` in "Azure Retail Prices
 * overview").
 */
const chargedNow = (items: RetailPrice[]): RetailPrice[] =>
  items.filter(
    ({ isPrimaryMeterRegion, effectiveStartDate, effectiveEndDate }) =>
      isPrimaryMeterRegion !== false &&
      !(Date.parse(effectiveStartDate ?? "") > Date.now()) &&
      !(Date.parse(effectiveEndDate ?? "") <= Date.now()),
  );

async function pricesOf(machineType: string, location: string, currency: string): Promise<RetailPrice[]> {
  const conditions = {
    serviceName: "Virtual Machines",
    priceType: "Consumption",
    armRegionName: location.toLowerCase().replaceAll(" ", ""),
    armSkuName: machineType,
  };
  const filter = Object.entries(conditions).map(([name, value]) => `${name} eq '${value.replaceAll("'", "''")}'`);
  const query = new URLSearchParams({ currencyCode: `'${currency}'`, $filter: filter.join(" and ") });
  const answer = await fetch(`${api}?${query.toString()}`, { signal: AbortSignal.timeout(timeoutMillis) });
  if (!answer.ok) throw new Error(`the Retail Prices API answered ${answer.status}`);
  const { Items = [] } = (await answer.json()) as { Items?: RetailPrice[] };
  return Items;
}
