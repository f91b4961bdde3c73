import * as assert from "node:assert/strict";
import { mock } from "node:test";
import { lookupGkePrice } from "../../../provider";
import { gkeMachineTypes } from "../../../provider/clouds/gke/machines";
import { pricedParts } from "../../../provider/clouds/gke/machines/skus";
import { preparations } from "../../../provider/server/caller";
import { type Answers, asking, today } from "./asking";

let clients = 0;

/** Answers of the Google Cloud provider: its token, project and region. */
const gcp = (config: object = {}): Answers => ({
  "gcp:organizations/getClientConfig:getClientConfig": () => ({
    accessToken: `token-${(clients += 1)}`,
    project: "physics",
    region: "us-central1",
    ...config,
  }),
});

/** An SKU in the form of `services.skus.list` of the Cloud Billing Catalog API. */
const sku = (description: string, nanos: number, more: Record<string, unknown> = {}) => ({
  name: "services/6F81-5844-456A/skus/0000-0000-0000",
  skuId: "0000-0000-0000",
  description,
  category: {
    serviceDisplayName: "Compute Engine",
    resourceFamily: "Compute",
    resourceGroup: "CPU",
    usageType: more["usageType"] ?? "OnDemand",
  },
  serviceRegions: more["regions"] ?? ["us-central1"],
  pricingInfo: [
    {
      summary: "",
      pricingExpression: {
        usageUnit: more["unit"] ?? "h",
        displayQuantity: 1,
        tieredRates: [
          {
            startUsageAmount: 0,
            unitPrice: { currencyCode: more["currency"] ?? "USD", units: more["units"] ?? "0", nanos },
          },
        ],
      },
      currencyConversionRate: 1,
      effectiveTime: "2026-11-26T10:50:40.206Z",
    },
  ],
  serviceProviderName: "Google",
});

const ram = { unit: "GiBy.h" };
const preemptible = { usageType: "Preemptible" };
const ssd = { unit: "GiBy.mo" };

/** Descriptions as Google writes them, each with others that are similar, and for which a machine is not charged. */
const catalog = [
  sku("C2D AMD Instance Core running in Iowa", 29_563_000),
  sku("C2D AMD Instance Core running in Frankfurt", 38_000_000, { regions: ["europe-west3"] }),
  sku("C2D AMD Sole Tenancy Instance Core running in Iowa", 99_000_000),
  sku("Commitment v1: C2D AMD Cpu in Iowa for 1 Year", 18_000_000, { usageType: "Commit1Yr" }),
  sku("C2D AMD Instance Ram running in Iowa", 3_963_000, ram),
  sku("Spot Preemptible C2D AMD Instance Core running in Iowa", 3_000_000, preemptible),
  sku("Spot Preemptible C2D AMD Instance Ram running in Iowa", 400_000, { ...ram, ...preemptible }),
  sku("DWS Calendar Mode H4D Instance Core running in Iowa", 1),
  sku("H4D Instance Core running in Iowa", 30_000_000),
  sku("H4D Instance Ram running in Iowa", 3_000_000, ram),
  sku("H4D Instance Local SSD running in Iowa", 100_000_000, ssd),
  sku("A3Plus Instance Core running in Iowa", 29_000_000),
  sku("A3 Instance Core running in Iowa", 28_000_000),
  sku("A3Plus Instance Ram running in Iowa", 2_000_000, ram),
  sku("Nvidia H100 80GB GPU running in Iowa", 1_000_000_000),
  sku("Nvidia H100 80GB Mega GPU running in Iowa", 0, { units: "9" }),
  sku("Nvidia H100 80GB Mega GPU attached to Spot Preemptible VMs running in Iowa", 0, { units: "3", ...preemptible }),
  sku("SSD backed Local Storage", 80_000_000, ssd),
  sku("SSD backed Local Storage attached to Spot Preemptible VMs", 30_000_000, ssd),
  sku("N1 Predefined Instance Core running in Americas", 31_611_000),
  sku("N1 Predefined Instance Ram running in Americas", 4_237_000, ram),
  sku("Nvidia Tesla V100 GPU running in Iowa", 480_000_000, { units: "2" }),
  sku("Compute optimized Core running in Americas", 33_980_000),
  sku("Compute optimized Ram running in Americas", 4_550_000, ram),
];

/** What a look-up gives where the catalog has these SKUs, on pages of 10, with the requests. */
async function fromCatalog<T>(ask: () => Promise<T>, skus: object[] | number = catalog) {
  const requests: { url: string; headers: object }[] = [];
  const respond = (url: string, { headers }: { headers: object }) => {
    requests.push({ url, headers });
    if (typeof skus === "number") return Promise.resolve(new Response("", { status: skus }));
    const start = Number(new URL(url).searchParams.get("pageToken") ?? 0);
    const next = start + 10 < skus.length ? String(start + 10) : "";
    return Promise.resolve(new Response(JSON.stringify({ skus: skus.slice(start, start + 10), nextPageToken: next })));
  };
  const mocked = mock.method(globalThis, "fetch", respond as unknown as typeof fetch);
  try {
    return { given: await ask(), requests };
  } finally {
    mocked.mock.restore();
  }
}

describe("the list price of a machine type of Google", () => {
  const lookUp = (type: string, query: object = {}, skus: object[] | number = catalog, config: object = {}) =>
    fromCatalog(() => asking(() => lookupGkePrice(type, query), gcp(config)), skus).then(({ given, requests }) => ({
      ...given,
      requests,
    }));

  it("is the sum of its vCPUs and memory on demand in the region of the provider, from all pages", async () => {
    const { given, requests } = await lookUp("c2d-standard-112");
    const source = `Google list price, us-central1, on demand, ${today}`;
    assert.deepEqual(given, { perHour: 112 * 0.029563 + 448 * 0.003963, currency: "USD", source });
    const [first, second] = requests;
    const list = "https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus";
    assert.equal(first?.url, `${list}?currencyCode=USD&pageSize=5000`);
    assert.equal(second?.url, `${list}?currencyCode=USD&pageSize=5000&pageToken=10`);
    assert.deepEqual(first?.headers, { Authorization: `Bearer token-${clients}`, "X-Goog-User-Project": "physics" });
    assert.equal(requests.length, Math.ceil(catalog.length / 10));
  });

  const sums: [type: string, query: object, perHour: number][] = [
    ["c2d-standard-112", { capacityType: "spot" }, 112 * 0.003 + 448 * 0.0004],
    ["c2d-standard-112", { capacityType: "reservation" }, 5.086_48],
    ["c2-standard-60", {}, 60 * 0.03398 + 240 * 0.00455],
    ["a3-megagpu-8g", {}, 208 * 0.029 + 1872 * 0.002 + 8 * 9 + (6000 * 0.08) / 730],
    ["h4d-highmem-192-lssd", {}, 192 * 0.03 + 1488 * 0.003 + (3750 * 0.1) / 730],
    ["n1-standard-32", { gpus: { type: "nvidia-tesla-v100", count: 4 } }, 32 * 0.031611 + 120 * 0.004237 + 4 * 2.48],
  ];
  for (const [type, query, perHour] of sums)
    it(`is the sum of every part of ${type} with ${JSON.stringify(query)}`, async () => {
      const { given, warnings } = await lookUp(type, query);
      assert.deepEqual(warnings, []);
      assert.equal(given?.perHour, Math.round(perHour * 1e9) / 1e9);
    });

  it("is downloaded once for all pools of a program", async () => {
    const config = { accessToken: "shared" };
    const ask = () => asking(() => lookupGkePrice("c2d-standard-112"), gcp(config));
    const { requests } = await fromCatalog(() => Promise.all([ask(), ask()]));
    assert.equal(requests.length, Math.ceil(catalog.length / 10));
  });

  const [core, ...others] = catalog;
  const none: [name: string, reason: RegExp, ...args: Parameters<typeof lookUp>][] = [
    ["Google answers with an error", /answered 403/, "c2d-standard-112", {}, 403],
    ["a part has no SKU", /does not contain its vCPUs/, "c2d-standard-112", {}, others],
    [
      "two SKUs of a part differ",
      /several prices of its vCPUs: 0.029563, 0.01/,
      "c2d-standard-112",
      {},
      [...catalog, sku("C2D AMD Instance Core running in Americas", 10_000_000)],
    ],
    [
      "a part has another unit",
      /its vCPUs is in an unknown form/,
      "c2d-standard-112",
      {},
      [...others, sku("C2D AMD Instance Core running in Iowa", 1, ram)],
    ],
    [
      "the currency is another one",
      /is in EUR, not in USD/,
      "c2d-standard-112",
      {},
      [...others, sku("C2D AMD Instance Core running in Iowa", 1, { currency: "EUR" })],
    ],
    ["the region is not in the list", /does not contain its vCPUs/, "c2d-standard-112", { region: "us-east9" }],
    ["no region is known", /the provider has no region; set region/, "c2d-standard-112", {}, catalog, { region: "" }],
    ["the type is not listed", /this package does not list it/, "n2-custom-4-8192"],
    ["the machine is not sold by its parts", /does not have the parts of a4/, "a4-highgpu-8g"],
    [
      "flex start has other prices",
      /"flexStart" is not in the list/,
      "h4d-standard-192",
      { capacityType: "flexStart" },
    ],
  ];
  for (const [name, reason, ...args] of none)
    it(`is missing, with a warning, where ${name}`, async () => {
      const { given, warnings } = await lookUp(...args);
      assert.equal(given, undefined);
      assert.match(warnings.join(), reason);
    });

  it("does not fail where the first download has failed and the second does not", async () => {
    const config = { accessToken: "again" };
    assert.equal((await lookUp("c2d-standard-112", {}, 500, config)).given, undefined);
    assert.equal((await lookUp("c2d-standard-112", {}, catalog, config)).given?.perHour, 5.086_48);
    assert.ok(core);
  });

  it("names each machine of the tables by one description of its cores", () => {
    const description = (name: string) =>
      pricedParts(name, gkeMachineTypes.get(name)!, { isSpot: false })[0]!.description;
    const of = (name: string) => description(name).source.replace(/\( \(running.*$/, "");
    assert.deepEqual(
      ["a3-highgpu-8g", "a3-ultragpu-8g", "c4a-standard-72", "t2d-standard-60", "z3-highmem-88", "g2-standard-96"].map(
        of,
      ),
      [
        "^A3 Instance Core",
        "^A3Ultra Instance Core",
        "^C4A Arm Instance Core",
        "^T2D AMD Instance Core",
        "^Z3 Instance Core",
        "^G2 Instance Core",
      ],
    );
  });
});

describe("a GkeNodePool that requests its list price", () => {
  const prepared = (inputs: object, answers: Answers) =>
    asking(() => Promise.resolve(preparations["minicluster:index:GkeNodePool"]?.("hpc", { ...inputs }, {})), answers);
  const gke = { machineType: "c2d-standard-112", location: "us-central1", price: { list: true } };

  it("has the sum of its parts at Google, in the region of its location", async () => {
    const { given } = await fromCatalog(() => prepared(gke, gcp()).then(({ given }) => given));
    const source = `Google list price, us-central1, on demand, ${today}`;
    assert.deepEqual(given, { ...gke, price: { perHour: 5.086_48, currency: "USD", source } });
  });

  it("has no price at Google where the region is not known yet", async () => {
    const { given, warnings } = await prepared({ ...gke, location: undefined }, gcp());
    assert.deepEqual(given, { ...gke, location: undefined, price: undefined });
    assert.match(
      warnings.join(),
      /no list price of machine type c2d-standard-112: the region is unknown; set zones or/,
    );
  });
});
