import * as assert from "node:assert/strict";
import { mock } from "node:test";
import { lookupAksMachine } from "../../../provider";
import { preparations } from "../../../provider/server/caller";
import { mockEngine, withWarnings } from "../../support/mocks";
import { aksArgs, aksPool, aksProblems } from "./nodes/fixtures";

const asText = (capabilities: object) =>
  Object.entries(capabilities).map(([name, value]) => ({ name, value: String(value) }));
const sku = (name: string, capabilities: object, more = {}) => ({
  name,
  resourceType: "virtualMachines",
  capabilities: asText(capabilities),
  ...more,
});
const plain = { CpuArchitectureType: "x64", vCPUs: 16, vCPUsPerCore: 2, MemoryGB: 64, MaxResourceVolumeMB: 0 };
const [first, second] = [
  [
    sku("Standard_D16x_v9", plain),
    sku("Standard_D16pdx_v9", { CpuArchitectureType: "Arm64", vCPUs: 16, MemoryGB: 63.5, NvmeDiskSizeInMiB: 112_640 }),
    sku("Standard_D16dx_v9", { ...plain, vCPUsPerCore: "", MaxResourceVolumeMB: 614_400 }),
    sku("Standard_D16x_v8", plain, { restrictions: [{ type: "Location", reasonCode: "NotAvailableForSubscription" }] }),
  ],
  [
    sku("Standard_ND96isr_H300_v9", { ...plain, vCPUs: 192, vCPUsAvailable: 96, GPUs: 8, RdmaEnabled: "True" }),
    sku("Standard_ND96isr_MI400X_v9", { ...plain, GPUs: 8 }),
    sku("Standard_HB99rs_v9", { ...plain, RdmaEnabled: "True" }),
    sku("Standard_NC9ads_xl_RTXPRO9000BSE_v9", { ...plain, GPUs: 2 }),
    { ...sku("Standard_Z1", plain), resourceType: "disks" },
  ],
];

const api = "https://management.azure.com/subscriptions/sub/providers/Microsoft.Compute/skus";
const tokens = {
  "azure-native:authorization:getClientConfig": () => ({ subscriptionId: "sub" }),
  "azure-native:authorization:getClientToken": () => ({ token: "secret" }),
  "azure-native:containerservice:getManagedCluster": () => ({ location: "westus" }),
};
const noLogin = {
  "azure-native:authorization:getClientConfig": () => {
    throw new Error("Please run 'az login'");
  },
};

/** What `ask` gives where Azure answers, with the requests and warnings that it led to. */
async function asking<T>(
  ask: () => Promise<T>,
  { answers = tokens, status = 200 }: { answers?: object; status?: number } = {},
) {
  const requests: string[] = [];
  const answer = (url: string, init: { headers: { authorization: string } }) => {
    requests.push(`${init.headers.authorization} ${decodeURIComponent(url).replaceAll("+", " ")}`);
    const page = url.endsWith("page=2") ? { value: second } : { value: first, nextLink: `${api}?page=2` };
    return Promise.resolve(new Response(JSON.stringify(page), { status }));
  };
  const mocked = mock.method(globalThis, "fetch", answer as unknown as typeof fetch);
  try {
    return await withWarnings(async (warnings) => {
      await mockEngine({ answers: answers as typeof tokens });
      const given = await ask();
      return { given, requests, warnings: warnings() };
    });
  } finally {
    mocked.mock.restore();
  }
}

const lookUp = (type: string) => lookupAksMachine(type, { location: "eastus" });
const machine = { arch: "amd64", vcpus: 16, threadsPerCore: 2, memoryMib: 65_536 };

describe("the look-up of a VM size of Azure", function () {
  this.timeout(30_000);

  const cases: Record<string, object> = {
    Standard_D16x_v9: machine,
    standard_d16PDX_v9: {
      arch: "arm64",
      vcpus: 16,
      threadsPerCore: 1,
      memoryMib: 65_024,
      localDiskGb: 118,
      nvmeGb: 118,
    },
    Standard_D16dx_v9: { ...machine, localDiskGb: 644 },
    Standard_ND96isr_H300_v9: {
      ...machine,
      vcpus: 96,
      infinibandDevices: 8,
      accelerator: { kind: "nvidia", model: "H300", count: 8 },
    },
    Standard_ND96isr_MI400X_v9: { ...machine, accelerator: { kind: "amd", model: "MI400X", count: 8 } },
    Standard_HB99rs_v9: { ...machine, infinibandDevices: 1 },
    Standard_NC9ads_xl_RTXPRO9000BSE_v9: { ...machine, accelerator: { kind: "nvidia", model: "RTXPRO9000", count: 2 } },
  };
  for (const [machineType, want] of Object.entries(cases))
    it(`gives the hardware of ${machineType}`, async () => {
      const { given } = await asking(() => lookUp(machineType));
      assert.deepEqual(given, want);
      assert.deepEqual(aksProblems(aksArgs({ machineType, hardware: given })), []);
    });

  it("reads from the Compute API of the region, page by page, with the provider's token", async () => {
    const { requests } = await asking(() => lookUp("Standard_HB99rs_v9"));
    const query = "api-version=2021-07-01&$filter=location eq 'eastus'";
    assert.deepEqual(requests, [`Bearer secret ${api}?${query}`, `Bearer secret ${api}?page=2`]);
  });

  it("sends no request for a size of the tables, also without credentials", async () => {
    const { given, requests, warnings } = await asking(() => lookUp("standard_hb120rs_v3"), { answers: noLogin });
    assert.deepEqual([given, requests, warnings], [undefined, [], []]);
  });

  for (const options of [{ answers: noLogin }, { status: 403 }])
    it(`warns where Azure gives no answer: ${JSON.stringify(options)}`, async () => {
      const { given, warnings } = await asking(() => lookUp("Standard_D16x_v9"), options);
      assert.equal(given, undefined);
      assert.match(
        warnings.join(),
        /Standard_D16x_v9 was not looked up in Azure \(.*(az login'|403)\); .*describe it as hardware/,
      );
    });

  it("refuses a region without the size, and one where the subscription may not use it", async () => {
    await assert.rejects(
      asking(() => lookUp("Standard_Z1")),
      /eastus has no VM size "Standard_Z1"; correct the size or/,
    );
    await assert.rejects(
      asking(() => lookUp("Standard_D16x_v8")),
      /in eastus \(NotAvailableForSubscription\); request/,
    );
  });

  it("gives the NVMe disks of a pool by claims of its StorageClass", async () => {
    const { given } = await asking(() => lookUp("Standard_D16pdx_v9"));
    const { scheduling } = aksPool({ machineType: "Standard_D16pdx_v9", hardware: given, localDisks: "raid0" });
    assert.deepEqual(scheduling.localDisk, { gb: 118, storageClass: "hpc-local-disks" });
  });
});

describe("a VM size that the package does not list, from a program in another language", function () {
  this.timeout(30_000);
  const prepare = (args: object) =>
    asking(async () => (await preparations["minicluster:index:AksNodePool"]?.("hpc", aksArgs(args), {})) ?? {});

  it("is looked up in the region of the cluster, or in that of the arguments", async () => {
    const inRegion = async (args: object) => /location eq '(\w+)'/.exec((await prepare(args)).requests.join())?.[1];
    assert.equal(await inRegion({ machineType: "Standard_D16x_v9" }), "westus");
    assert.equal(await inRegion({ machineType: "Standard_D16x_v9", location: "eastus" }), "eastus");
    assert.equal(await inRegion({ machineType: "Standard_HB120rs_v3" }), undefined);
    const { given } = await prepare({ machineType: "Standard_D16x_v9", location: "eastus" });
    assert.deepEqual([(given as { hardware: object }).hardware, aksProblems(given)], [machine, []]);
  });

  it("is refused at its path where the region does not have it", () =>
    assert.rejects(prepare({ machineType: "Standard_Q1" }), /machineType: westus has no VM size "Standard_Q1"/));
});
