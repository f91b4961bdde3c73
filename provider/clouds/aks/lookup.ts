import type * as pulumi from "@pulumi/pulumi";
import { userError } from "../../shared/errors";
import { fromOptionalPackage } from "../../shared/optionalPackage";
import { answered } from "../lookup";
import { MiniClusterArch, type NodePoolAcceleratorArgs, NodePoolAcceleratorKind } from "../nodes/args";
import { isListed } from "./machines";
import type { AksNodePoolHardwareArgs } from "./nodes/args";

/** Location in which a VM size is looked up. */
export interface AksMachineQuery {
  /** Azure region of the AKS cluster, such as "eastus". */
  location: string;
}

/**
 * Queries Azure for a VM size that this package does not list, and returns the value of an AksNodePool's `hardware`.
 * Returns undefined for a listed size, without a query; and, with a warning, without credentials or without a response.
 * Rejects if the region does not have the size. Uses the Azure Native provider of `options`, or the default provider.
 */
export async function lookupAksMachine(
  machineType: string,
  { location }: AksMachineQuery,
  options?: pulumi.InvokeOptions,
): Promise<AksNodePoolHardwareArgs | undefined> {
  if (isListed(machineType)) return undefined;
  const question = { machine: `VM size ${machineType}`, cloud: "Azure", login: "az login" };
  const skus = await answered(question, () => skusOf(location, options));
  if (!skus) return undefined;
  const found = skus.find(({ name }) => name.toLowerCase() === machineType.toLowerCase());
  if (!found)
    throw userError(
      `${location} has no VM size "${machineType}"; correct the size or the region (az vm list-skus --size ${machineType} ` +
        "lists the regions of a size)",
    );
  const reason = found.restrictions?.find(({ type }) => type === "Location")?.reasonCode;
  if (reason !== undefined)
    throw userError(
      `this subscription cannot use VM size "${machineType}" in ${location} (${reason}); request it, or choose another region`,
    );
  return aksHardware(found);
}

/** The region of an AKS cluster, if its names are known and Azure finds the cluster. */
export async function regionOfCluster(
  resourceGroupName: unknown,
  resourceName: unknown,
  options?: pulumi.InvokeOptions,
): Promise<string | undefined> {
  if (typeof resourceGroupName !== "string" || typeof resourceName !== "string") return undefined;
  try {
    return (await azure().getManagedCluster({ resourceGroupName, resourceName }, options)).location;
  } catch {
    return undefined;
  }
}

/** A VM size in "Resource SKUs - List" of the Compute API. */
interface Sku {
  name: string;
  resourceType: string;
  capabilities?: { name: string; value: string }[];
  restrictions?: { type?: string; reasonCode?: string }[];
}

interface SkuPage {
  value: Sku[];
  nextLink?: string;
}

const api = "https://management.azure.com";

/** The VM sizes of a region. */
async function skusOf(location: string, options: pulumi.InvokeOptions | undefined): Promise<Sku[]> {
  const { getClientConfig, getClientToken } = azure();
  const { subscriptionId } = await getClientConfig(options);
  const { token } = await getClientToken({ endpoint: api }, options);
  const query = `api-version=2021-07-01&$filter=${encodeURIComponent(`location eq '${location}'`)}`;
  const skus: Sku[] = [];
  let next: string | undefined = `${api}/subscriptions/${subscriptionId}/providers/Microsoft.Compute/skus?${query}`;
  // The token must be sent to this host only.
  while (next?.startsWith(`${api}/`)) {
    const page = await pageAt(next, token);
    skus.push(...page.value.filter(({ resourceType }) => resourceType === "virtualMachines"));
    next = page.nextLink;
  }
  return skus;
}

const timeoutMillis = 30_000;

async function pageAt(url: string, token: string): Promise<SkuPage> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeoutMillis),
  });
  if (!answer.ok) throw userError(`the Compute API answered ${answer.status}`);
  return (await answer.json()) as SkuPage;
}

type AzureModule = typeof import("@pulumi/azure-native/authorization/getClientConfig") &
  typeof import("@pulumi/azure-native/authorization/getClientToken") &
  typeof import("@pulumi/azure-native/containerservice/getManagedCluster");

const azure = () =>
  fromOptionalPackage("@pulumi/azure-native", (): AzureModule => ({
    /* eslint-disable @typescript-eslint/no-require-imports */
    ...(require("@pulumi/azure-native/authorization/getClientConfig") as AzureModule),
    ...(require("@pulumi/azure-native/authorization/getClientToken") as AzureModule),
    ...(require("@pulumi/azure-native/containerservice/getManagedCluster") as AzureModule),
    /* eslint-enable @typescript-eslint/no-require-imports */
  }));

function aksHardware({ name, capabilities = [] }: Sku): AksNodePoolHardwareArgs {
  const values = new Map(capabilities.map((each) => [each.name, each.value]));
  const number = (key: string) => Number(values.get(key) ?? 0);
  const arch = values.get("CpuArchitectureType") === "Arm64" ? MiniClusterArch.Arm64 : MiniClusterArch.Amd64;
  // Flux drains hosts with fewer cores than its configuration has: without a value from Azure, a core has two threads.
  const threads = number("vCPUsPerCore") || (arch === MiniClusterArch.Arm64 ? 1 : 2);
  const gpus = number("GPUs");
  const nvmeGb = gigabytes(number("NvmeDiskSizeInMiB"));
  const localDiskGb = nvmeGb || gigabytes(number("MaxResourceVolumeMB"));
  return {
    arch,
    vcpus: number("vCPUsAvailable") || number("vCPUs"),
    threadsPerCore: threads,
    memoryMib: Math.floor(number("MemoryGB") * 1024),
    ...(gpus > 0 && { accelerator: acceleratorIn(name, gpus) }),
    ...(localDiskGb > 0 && { localDiskGb }),
    ...(nvmeGb > 0 && { nvmeGb }),
    // Machines with several GPUs have one adapter for each GPU.
    ...(values.get("RdmaEnabled") === "True" && { infinibandDevices: Math.max(1, gpus) }),
  };
}

/** GB of a disk whose size is in MiB; the fields of Azure that are called MB are also in MiB. */
const gigabytes = (mib: number) => Math.floor((mib * 1024 ** 2) / 1e9);

/** The accelerators of a size, whose model is a part of its name only: "Standard_NC40ads_H100_v5". */
function acceleratorIn(size: string, count: number): NodePoolAcceleratorArgs {
  const model = /_(?:xl_)?([A-Z]+\d+[A-Z]*?)(?:BSE)?_v\d/.exec(size)?.[1] ?? "GPU";
  const kind = /^(MI\d|V\d{3}$)/.test(model) ? NodePoolAcceleratorKind.Amd : NodePoolAcceleratorKind.Nvidia;
  return { kind, model, count };
}
