import * as assert from "node:assert/strict";
import { mock } from "node:test";
import { lookupAksPrice, lookupEksPrice } from "../../../provider";
import { preparations } from "../../../provider/server/caller";
import { described } from "../../support/problems";
import { type Answers, asking, today } from "./asking";
import { aGkePoolArgs, anEksPoolArgs, eksProblemsOf, gkeProblemsOf } from "./nodes/fixtures";

/** A dimension of the AWS Price List, as of its API version "aws_v1". */
const dimension = (price: string, { unit = "Hrs", currency = "USD" } = {}) => ({
  unit,
  endRange: "Inf",
  beginRange: "0",
  appliesTo: [],
  description: `$${price} per On Demand Linux`,
  pricePerUnit: { [currency]: price },
});

const product = (...dimensions: object[]) => ({
  product: { productFamily: "Compute Instance", attributes: { instanceType: "hpc7g.16xlarge" }, sku: "A" },
  serviceCode: "AmazonEC2",
  terms: {
    OnDemand: {
      "A.JRTC": { priceDimensions: Object.fromEntries(dimensions.map((one, index) => [`A.${index}`, one])) },
    },
    Reserved: { "A.4NA7": { priceDimensions: { "A.9": dimension("0.5") } } },
  },
});

/** Filters of a look-up in the Price List, by field. */
const filtersIn = (inputs: object) => {
  const { filters } = inputs as { filters: { field: string; value: string }[] };
  return Object.fromEntries(filters.map(({ field, value }) => [field, value]));
};

/** The products of an instance type in the Price List, in the attributes that the recorded list has for p5.48xlarge. */
const productsOf = (instanceType: string) => {
  const common = { instanceType, regionCode: "us-east-1", operatingSystem: "Linux", preInstalledSw: "NA" };
  const onDemand = { ...common, tenancy: "Shared", capacitystatus: "Used", marketoption: "OnDemand" };
  return [
    [onDemand, "55.0400000000"],
    [{ ...onDemand, marketoption: "CapacityBlock", operation: "RunInstances:CB" }, "0.0000000000"],
    [{ ...onDemand, capacitystatus: "UnusedCapacityReservation" }, "55.0400000000"],
    [{ ...onDemand, capacitystatus: "AllocatedCapacityReservation" }, "0.0000000000"],
    [{ ...onDemand, operatingSystem: "Windows" }, "63.8720000000"],
    [{ ...onDemand, tenancy: "Dedicated" }, "55.0400000000"],
    [{ ...onDemand, preInstalledSw: "SQL Ent" }, "127.0400000000"],
  ] as [attributes: Record<string, string>, price: string][];
};

/** The answer of getProduct, which fails unless exactly one product matches (data source aws_pricing_product). */
const fromPriceList: Answers[string] = (inputs) => {
  const filters = Object.entries(filtersIn(inputs));
  const found = productsOf(filtersIn(inputs)["instanceType"] ?? "").filter(([attributes]) =>
    filters.every(([field, value]) => attributes[field] === value),
  );
  if (found.length === 0) throw new Error("Pricing product query did not return any elements");
  if (found.length > 1) throw new Error("Pricing product query not precise enough. Returned more than one element");
  return { result: JSON.stringify(product(...found.map(([, price]) => dimension(price)))) };
};

const aws = (found: object, more: Answers = {}): Answers => ({
  "aws:index/getRegion:getRegion": () => ({ region: "us-east-1" }),
  "aws:pricing/getProduct:getProduct": () => ({ result: JSON.stringify(found) }),
  "aws:ec2/getSpotPrice:getSpotPrice": () => ({ spotPrice: "0.4021", spotPriceTimestamp: "2026-11-26T07:00:00Z" }),
  ...more,
});

describe("the list price of an instance type of EC2", () => {
  const onDemand = {
    perHour: 1.6832,
    currency: "USD",
    source: `AWS Price List, us-east-1, on demand, ${today}`,
  };

  it("is that of Linux on demand in the region of the provider, from the Price List in us-east-1", async () => {
    const ask = () => lookupEksPrice("hpc7g.16xlarge");
    const { given, asked, registered } = await asking(ask, aws(product(dimension("1.6832000000"))));
    assert.deepEqual(given, onDemand);
    assert.deepEqual(filtersIn(asked[1]?.[1] ?? {}), {
      instanceType: "hpc7g.16xlarge",
      regionCode: "us-east-1",
      operatingSystem: "Linux",
      preInstalledSw: "NA",
      tenancy: "Shared",
      capacitystatus: "Used",
      marketoption: "OnDemand",
    });
    const providers = registered.map(({ id, inputs }) => [id, (inputs as { region?: string }).region]);
    assert.deepEqual(providers, [["aws minicluster-price-list", "us-east-1"]]);
  });

  for (const type of ["p4d.24xlarge", "p4de.24xlarge", "p5.48xlarge", "p6-b200.48xlarge", "trn1.32xlarge"])
    it(`is not lost for ${type}, which is also sold in capacity blocks, at 0.00 in the list`, async () => {
      const answers = aws({}, { "aws:pricing/getProduct:getProduct": fromPriceList });
      const { given, warnings } = await asking(() => lookupEksPrice(type), answers);
      assert.deepEqual(warnings, []);
      assert.equal(given?.perHour, 55.04);
    });

  it("is not ambiguous with a dimension of the product that charges nothing", async () => {
    const { given } = await asking(() => lookupEksPrice("m7i.large"), aws(product(dimension("0.1"), dimension("0"))));
    assert.equal(given?.perHour, 0.1);
  });

  it("is the present spot price of a spot machine", async () => {
    const { given, registered } = await asking(
      () => lookupEksPrice("m7i.large", { capacityType: "spot", region: "eu-west-1" }),
      aws({}),
    );
    const source = `EC2 spot price, eu-west-1, of 2026-11-26T07:00:00Z, ${today}`;
    assert.deepEqual(given, { perHour: 0.4021, currency: "USD", source });
    assert.deepEqual(registered, []);
  });

  it("has the currency of its region", async () => {
    const { given } = await asking(
      () => lookupEksPrice("m7i.large"),
      aws(product(dimension("9.5", { currency: "CNY" }))),
    );
    assert.deepEqual([given?.perHour, given?.currency], [9.5, "CNY"]);
  });

  const failing = (text: string): Answers => ({
    "aws:pricing/getProduct:getProduct": () => {
      throw new Error(text);
    },
  });
  const none: [name: string, answers: Answers, reason: RegExp][] = [
    [
      "there are no credentials",
      aws({}, failing("no valid credential sources found")),
      /no valid credential sources found/,
    ],
    ["several products match", aws({}, failing("Returned more than one element")), /more than one element/],
    ["several offers differ", aws(product(dimension("1"), dimension("2"))), /has several prices: 1, 2/],
    [
      "two currencies are in it",
      aws(product(dimension("1"), dimension("1", { currency: "EUR" }))),
      /several currencies/,
    ],
    ["it is not for an hour", aws(product(dimension("1", { unit: "Quantity" }))), /does not contain it/],
    ["it is 0", aws(product(dimension("0.0000000000"))), /does not contain it/],
    ["it is no number", aws(product(dimension("free"))), /has NaN/],
    ["the answer is another one", aws({ terms: [] }), /does not contain it/],
  ];
  for (const [name, answers, reason] of none)
    it(`is missing, with a warning, where ${name}`, async () => {
      const { given, warnings } = await asking(() => lookupEksPrice("m7i.large"), answers);
      assert.equal(given, undefined);
      assert.match(warnings.join(), reason);
      assert.match(
        warnings.join(),
        /no list price of instance type m7i.large \(.*\); previews show no price, or set price.perHour$/,
      );
    });
});

describe("the list price of a VM size of Azure", () => {
  const item = (retailPrice: number, more: object = {}) => ({
    currencyCode: "USD",
    retailPrice,
    unitPrice: retailPrice,
    armRegionName: "eastus",
    isPrimaryMeterRegion: true,
    effectiveStartDate: "2023-07-01T00:00:00Z",
    unitOfMeasure: "1 Hour",
    productName: "Virtual Machines HBrsv3 Series",
    skuName: "HB120rs v3",
    type: "Consumption",
    ...more,
  });
  const items = [
    item(3.6),
    item(7.2, { productName: "Virtual Machines HBrsv3 Series Windows" }),
    item(0.72, { skuName: "HB120rs v3 Spot" }),
    item(0.9, { skuName: "HB120rs v3 Low Priority" }),
  ];

  /** What a look-up gives where the API answers so. */
  async function asked(ask: () => Promise<unknown>, answer: { Items: object[] } | number | Error) {
    const urls: string[] = [];
    const respond = (url: string) => {
      urls.push(decodeURIComponent(url.replaceAll("+", " ")));
      if (answer instanceof Error) return Promise.reject(answer);
      if (typeof answer === "number") return Promise.resolve(new Response("", { status: answer }));
      return Promise.resolve(new Response(JSON.stringify(answer)));
    };
    const mocked = mock.method(globalThis, "fetch", respond as unknown as typeof fetch);
    try {
      return { ...(await asking(ask)), urls };
    } finally {
      mocked.mock.restore();
    }
  }
  const lookUp = (more: object = {}) => lookupAksPrice("Standard_HB120rs_v3", { location: "East US", ...more });

  it("is that of Linux on demand, or of a spot machine, from the public API", async () => {
    const { given, urls } = await asked(lookUp, { Items: items });
    const source = `Azure retail price, East US, pay as you go, ${today}`;
    assert.deepEqual(given, { perHour: 3.6, currency: "USD", source });
    const conditions = ["serviceName eq 'Virtual Machines'", "priceType eq 'Consumption'", "armRegionName eq 'eastus'"];
    const filter = [...conditions, "armSkuName eq 'Standard_HB120rs_v3'"].join(" and ");
    assert.deepEqual(urls, [`https://prices.azure.com/api/retail/prices?currencyCode='USD'&$filter=${filter}`]);
    const spot = await asked(() => lookUp({ capacityType: "spot" }), { Items: items });
    assert.equal((spot.given as { perHour: number }).perHour, 0.72);
  });

  const strangers: [name: string, stranger: object][] = [
    ["a cloud service", item(4.2, { productName: "HBrsv3 Series Cloud Services" })],
    ["a cloud service by its other name", item(4.2, { productName: "Virtual Machines HBrsv3 Series CloudServices" })],
    ["a dedicated host", item(9.9, { productName: "HBrsv3 Series Dedicated Host" })],
    ["a meter by which nothing is charged", item(3.1, { isPrimaryMeterRegion: false })],
    ["a price that begins later", item(3.9, { effectiveStartDate: "2999-01-01T00:00:00Z" })],
    ["a price that has ended", item(3.3, { effectiveEndDate: "2024-01-01T00:00:00Z" })],
    ["a meter without a price", item(0)],
    ["the same price again", item(3.6, { skuName: "HB120rs_v3" })],
  ];
  for (const [name, stranger] of strangers)
    it(`is not ambiguous beside ${name}`, async () => {
      const { given } = await asked(lookUp, { Items: [stranger, ...items] });
      assert.equal((given as { perHour: number } | undefined)?.perHour, 3.6);
    });

  it("is in the requested currency", async () => {
    const { given, urls } = await asked(() => lookUp({ currency: "EUR" }), {
      Items: [item(3.3, { currencyCode: "EUR" })],
    });
    assert.equal((given as { currency: string }).currency, "EUR");
    assert.match(urls[0] ?? "", /currencyCode='EUR'/);
  });

  const none: [name: string, answer: Parameters<typeof asked>[1], reason: RegExp][] = [
    ["Azure does not answer", new Error("fetch failed"), /fetch failed/],
    ["Azure answers with an error", 503, /answered 503/],
    ["the size is unknown", { Items: [] }, /does not contain it/],
    ["several offers differ", { Items: [item(3.6), item(3.7)] }, /has several prices: 3.6, 3.7/],
    ["the currency is another one", { Items: [item(3.6, { currencyCode: "EUR" })] }, /is in EUR, not in USD/],
  ];
  for (const [name, answer, reason] of none)
    it(`is missing, with a warning, where ${name}`, async () => {
      const { given, warnings } = await asked(lookUp, answer);
      assert.equal(given, undefined);
      assert.match(warnings.join(), reason);
    });
});

describe("a pool that requests its list price", () => {
  const prepared = (token: string, inputs: object, answers: Answers) =>
    asking(() => Promise.resolve(preparations[`minicluster:index:${token}`]?.("hpc", { ...inputs }, {})), answers);
  const eks = { machineTypes: ["m7i.large", "m7i.xlarge"], price: { list: true } };

  it("has that of its most expensive type, from another language than TypeScript", async () => {
    const price = ({ filters }: Record<string, unknown>) =>
      (filters as { value: string }[])[0]?.value === "m7i.large" ? "0.1" : "0.2";
    const getProduct: Answers[string] = (inputs) => ({ result: JSON.stringify(product(dimension(price(inputs)))) });
    const answers = aws({}, { "aws:pricing/getProduct:getProduct": getProduct });
    const { given } = await prepared("EksNodePool", eks, answers);
    const source = `AWS Price List, us-east-1, on demand, ${today}`;
    assert.deepEqual(given, { ...eks, price: { perHour: 0.2, currency: "USD", source } });
  });

  it("is not looked up where it has a price", async () => {
    const { given, asked } = await prepared(
      "KarpenterNodePool",
      { ...eks, price: { list: true, perHour: 0.7 } },
      aws({}),
    );
    assert.deepEqual(given, { ...eks, price: { perHour: 0.7 } });
    assert.deepEqual(asked, []);
  });

  it("is refused in TypeScript, with what to write there", () => {
    const refused = "price.list: is for programs in other languages; in TypeScript set price: await";
    assert.deepEqual(described(eksProblemsOf(anEksPoolArgs({ price: { list: true } }))), [
      `${refused} lookupEksPrice(machineType)`,
    ]);
    assert.deepEqual(described(gkeProblemsOf(aGkePoolArgs({ price: { list: true } }))), [
      `${refused} lookupGkePrice(machineType, { region })`,
    ]);
  });
});
