import type * as pulumi from "@pulumi/pulumi";
import { fromOptionalPackage } from "../../shared/optionalPackage";
import { isPlainObject, valueAt } from "../../shared/objects";
import { type ListPrice, listPrice, onlyPrice, priced } from "../lookupPrice";
import { EksNodePoolCapacityType } from "./nodes/args";

/** The properties that determine the price of an instance type. */
export interface EksPriceQuery {
  /** Region of the machines, such as "us-east-2". Default: the region of the AWS provider of `options`. */
  region?: string;
  /** Purchase option of the machines. Default: "onDemand". */
  capacityType?: EksNodePoolCapacityType;
  /** AWS provider in us-east-1, which has the Price List. Default: a provider with the default credentials. */
  priceList?: pulumi.ProviderResource;
}

/**
 * Returns the list price of an instance type with Linux, the value of `price` of a pool: on demand from the AWS
 * Price List, for spot machines the current spot price. Without credentials, a response, or exactly one price, it logs
 * a warning and returns no price. Uses the AWS provider of `options`, or the default provider, and `priceList` for the
 * Price List.
 */
export const lookupEksPrice = (
  machineType: string,
  { priceList, ...query }: EksPriceQuery = {},
  options?: pulumi.InvokeOptions,
): Promise<ListPrice | undefined> =>
  eksPrice(machineType, query, options, () => ({ provider: priceList ?? registers().sharedPriceList() }));

/** The same, with the options of the Price List, which are only needed for machines on demand. */
export function eksPrice(
  machineType: string,
  { region, capacityType = EksNodePoolCapacityType.OnDemand }: Omit<EksPriceQuery, "priceList">,
  options?: pulumi.InvokeOptions,
  listOptions: () => pulumi.InvokeOptions = () => ({}),
): Promise<ListPrice | undefined> {
  return priced(`instance type ${machineType}`, async () => {
    if (capacityType === EksNodePoolCapacityType.CapacityBlock)
      throw new Error("no price list has the price of a capacity block, which is in its offer; set price.perHour");
    const place = region ?? (await aws().getRegion({}, options)).region;
    return capacityType === EksNodePoolCapacityType.Spot
      ? spotPrice(machineType, place, options)
      : onDemandPrice(machineType, place, listOptions());
  });
}

type AwsModule = typeof import("@pulumi/aws/getRegion") &
  typeof import("@pulumi/aws/pricing/getProduct") &
  typeof import("@pulumi/aws/ec2/getSpotPrice");

const aws = () =>
  fromOptionalPackage("@pulumi/aws", (): AwsModule => ({
    /* eslint-disable @typescript-eslint/no-require-imports */
    ...(require("@pulumi/aws/getRegion") as AwsModule),
    ...(require("@pulumi/aws/pricing/getProduct") as AwsModule),
    ...(require("@pulumi/aws/ec2/getSpotPrice") as AwsModule),
    /* eslint-enable @typescript-eslint/no-require-imports */
  }));

// The module needs the AWS SDK, and is loaded with it.
const registers = () =>
  fromOptionalPackage(
    "@pulumi/aws",
    () =>
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      require("./register") as typeof import("./register"),
  );

/** A provider for the Price List. */
export const priceListProvider = (name: string): pulumi.ProviderResource => registers().registerPriceList(name);

/**
 * The price on demand. A type that AWS also sells in capacity blocks is a second product of the list, at 0.00 per hour,
 * which differs in `marketoption` alone (Karpenter, `pkg/providers/pricing`; gpuhunt, `providers/aws.py`), and the
 * lookup fails if several products match.
 */
async function onDemandPrice(machineType: string, region: string, options: pulumi.InvokeOptions): Promise<ListPrice> {
  const filters = {
    instanceType: machineType,
    regionCode: region,
    operatingSystem: "Linux",
    preInstalledSw: "NA",
    tenancy: "Shared",
    capacitystatus: "Used",
    marketoption: "OnDemand",
  };
  const { result } = await aws().getProduct(
    { serviceCode: "AmazonEC2", filters: Object.entries(filters).map(([field, value]) => ({ field, value })) },
    options,
  );
  const [[currency, prices] = ["USD", []], ...others] = Object.entries(hourlyPrices(JSON.parse(result)));
  if (others.length > 0) throw new Error("the price list has several currencies");
  return listPrice(onlyPrice(prices), currency, `AWS Price List, ${region}, on demand`);
}

/** Prices per hour in a product of the Price List, by currency. */
function hourlyPrices(product: unknown): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  for (const term of valuesAt(product, "terms", "OnDemand"))
    for (const dimension of valuesAt(term, "priceDimensions"))
      if (isPlainObject(dimension) && dimension["unit"] === "Hrs" && isPlainObject(dimension["pricePerUnit"]))
        for (const [currency, price] of Object.entries(dimension["pricePerUnit"]))
          found[currency] = [...(found[currency] ?? []), Number(price)];
  return found;
}

/** Values of the object at a path, if there is one. */
function valuesAt(value: unknown, ...path: string[]): unknown[] {
  const found = valueAt(value, ...path);
  return isPlainObject(found) ? Object.values(found) : [];
}

async function spotPrice(
  instanceType: string,
  region: string,
  options: pulumi.InvokeOptions | undefined,
): Promise<ListPrice> {
  const filters = [{ name: "product-description", values: ["Linux/UNIX"] }];
  const found = await aws().getSpotPrice({ instanceType, region, filters }, options);
  // Amazon EC2 reports all spot prices in dollars.
  return listPrice(Number(found.spotPrice), "USD", `EC2 spot price, ${region}, of ${found.spotPriceTimestamp}`);
}
