import type * as pulumi from "@pulumi/pulumi";
import { fromOptionalPackage } from "../../shared/optionalPackage";
import { type ListPrice, listPrice, onlyPrice, priced } from "../lookupPrice";
import { gkeMachineType } from "./machines";
import { GkeNodePoolCapacityType, type GkeNodePoolGpusArgs } from "./nodes/args";
import { type PricedPart, pricedParts } from "./machines/skus";

/** The properties that determine the price of a machine type. */
export interface GkePriceQuery {
  /** Region of the machines, such as "us-central1". Default: the region of the Google Cloud provider of `options`. */
  region?: string;
  /** Purchase option of the machines. Default: "onDemand". */
  capacityType?: GkeNodePoolCapacityType;
  /** GPUs that are attached to a machine type of N1. Default: the GPUs of the type. */
  gpus?: GkeNodePoolGpusArgs;
  /** Currency, as ISO 4217 names it. Default: "USD". */
  currency?: string;
}

/** An SKU in a response of the Cloud Billing Catalog API (`services.skus.list`), with the fields that are read. */
interface Sku {
  description: string;
  category: { usageType: string };
  serviceRegions: string[];
  /** Prices in chronological order. */
  pricingInfo: { pricingExpression: { usageUnit: string; tieredRates: { unitPrice: Money }[] } }[];
}

/** An amount of money: an int64 as text, and billionths. */
interface Money {
  currencyCode: string;
  units?: string;
  nanos?: number;
}

/** Purchase options with the price of machines on demand, also for a reservation, by the usage types of the catalog. */
const onDemandTypes: GkeNodePoolCapacityType[] = [
  GkeNodePoolCapacityType.OnDemand,
  GkeNodePoolCapacityType.Reservation,
  GkeNodePoolCapacityType.AnyReservation,
  GkeNodePoolCapacityType.AnyReservationThenFail,
];

// The service Compute Engine.
const api = "https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus";
const timeoutMillis = 60_000;
const hoursPerMonth = 730;

/**
 * Returns the list price of a machine type with Linux, the value of `price` of a pool: the sum of its vCPUs, memory, GPUs and local
 * SSDs in the Cloud Billing Catalog, without its disk, Tier_1 bandwidth and discounts. Without credentials, a response, or exactly one
 * price of each part, it logs a warning and returns no price. Uses the access token of the Google Cloud provider of `options`, or of the
 * default provider, in whose project the Cloud Billing API must be enabled.
 */
export function lookupGkePrice(
  machineType: string,
  { region, capacityType = GkeNodePoolCapacityType.OnDemand, gpus, currency = "USD" }: GkePriceQuery = {},
  options?: pulumi.InvokeOptions,
): Promise<ListPrice | undefined> {
  return priced(`machine type ${machineType}`, async () => {
    const isSpot = capacityType === GkeNodePoolCapacityType.Spot;
    if (!isSpot && !onDemandTypes.includes(capacityType))
      throw new Error(`the price of capacityType "${capacityType}" is not in the list; set price.perHour`);
    const type = gkeMachineType(machineType);
    if (!type) throw new Error("this package does not list it");
    const parts = pricedParts(machineType, type, { isSpot, gpus });
    const config = await gcp().getClientConfig(options);
    const place = region ?? config.region;
    if (!place) throw new Error("the provider has no region; set region");
    const skus = (await skusOf(config, currency)).filter(({ serviceRegions }) => serviceRegions.includes(place));
    const perHour = parts.reduce((sum, part) => sum + part.count * pricePerHour(part, skus, currency), 0);
    return listPrice(
      roundedToNanos(perHour),
      currency,
      `Google list price, ${place}, ${isSpot ? "spot" : "on demand"}`,
    );
  });
}

type GcpModule = typeof import("@pulumi/gcp/organizations/getClientConfig");
const gcp = () =>
  fromOptionalPackage(
    "@pulumi/gcp",
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    () => require("@pulumi/gcp/organizations/getClientConfig") as GcpModule,
  );

/** The price of a unit of a part per hour, in a region. */
function pricePerHour({ name, description, usageUnit }: PricedPart, skus: Sku[], currency: string): number {
  const prices = skus
    .filter((sku) => description.test(sku.description))
    .map(({ pricingInfo }) => {
      const { usageUnit: unit, tieredRates = [] } = pricingInfo.at(-1)?.pricingExpression ?? {};
      const [{ unitPrice } = {}, ...others] = tieredRates;
      if (unit !== usageUnit || !unitPrice || others.length > 0)
        throw new Error(`the price of its ${name} is in an unknown form`);
      if (unitPrice.currencyCode !== currency)
        throw new Error(`the price list is in ${unitPrice.currencyCode}, not in ${currency}`);
      return Number(unitPrice.units ?? 0) + (unitPrice.nanos ?? 0) / 1e9;
    });
  const price = onlyPrice(prices, `its ${name}`);
  return usageUnit === "GiBy.mo" ? price / hoursPerMonth : price;
}

/** A sum of prices, which have billionths, without the error of its additions. */
const roundedToNanos = (price: number) => Math.round(price * 1e9) / 1e9;

// The API has no filter, and the list has tens of thousands of SKUs: one download for all pools of a program.
const downloads = new Map<string, Promise<Sku[]>>();

interface Client {
  accessToken: string;
  project: string;
}

function skusOf({ accessToken, project }: Client, currency: string): Promise<Sku[]> {
  const key = `${currency} ${accessToken}`;
  const found = downloads.get(key) ?? download({ accessToken, project }, currency);
  downloads.set(key, found);
  found.catch(() => downloads.delete(key));
  return found;
}

async function download({ accessToken, project }: Client, currencyCode: string): Promise<Sku[]> {
  // A user's credentials need a project, whose quota the requests count against.
  const headers = { Authorization: `Bearer ${accessToken}`, ...(project && { "X-Goog-User-Project": project }) };
  const all: Sku[] = [];
  let pageToken = "";
  do {
    const query = new URLSearchParams({ currencyCode, pageSize: "5000", ...(pageToken && { pageToken }) });
    const answer = await fetch(`${api}?${query.toString()}`, { headers, signal: AbortSignal.timeout(timeoutMillis) });
    if (!answer.ok) throw new Error(`the Cloud Billing API answered ${answer.status}`);
    const page = (await answer.json()) as { skus?: Sku[]; nextPageToken?: string };
    all.push(...(page.skus ?? []).filter(({ category }) => usageTypes.includes(category.usageType)));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken);
  return all;
}

/** Usage without a commitment. */
const usageTypes = ["OnDemand", "Preemptible"];
