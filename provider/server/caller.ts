import * as pulumi from "@pulumi/pulumi";
import { lookupAksMachine, regionOfCluster } from "../clouds/aks/lookup";
import { isListed as isListedAtAzure } from "../clouds/aks/machines";
import type { AksNodePoolCapacityType } from "../clouds/aks/nodes/args";
import { lookupAksPrice } from "../clouds/aks/lookupPrice";
import { lookupEksMachine } from "../clouds/eks/lookup";
import { type GkePriceQuery, lookupGkePrice } from "../clouds/gke/lookupPrice";
import { isListed, recordMachineType } from "../clouds/eks/machines";
import { EksNodePoolCapacityType } from "../clouds/eks/nodes/args";
import { lookupEksPrice, priceListProvider } from "../clouds/eks/lookupPrice";
import type { ListPrice } from "../clouds/lookupPrice";
import type { NodePoolListPriceArgs } from "../clouds/nodes/args";
import { withManifestResize, writesFiles } from "../core/diagnostics/renderedPatches";
import { settingsOf } from "../diagnostics/apiServer";
import { properties } from "../shared/checks";
import { attachKnownValue, knownValue, resourcesBehind, whenKnown } from "../shared/deferred";
import { inputPropertiesError, thrownText } from "../shared/errors";
import { isPlainObject } from "../shared/objects";

/**
 * Options of a component, as its caller set them. The SDK's server sets absent options, and passes two other options in
 * a wrong form.
 */
export function callerOptions(options: pulumi.ComponentResourceOptions): pulumi.ComponentResourceOptions {
  const { customTimeouts, retainOnDelete, deletedWith, ...rest } = options;
  return {
    ...rest,
    customTimeouts: givenTimeouts(customTimeouts),
    // A parent passes this option only to children without the option.
    ...(retainOnDelete && { retainOnDelete }),
    ...(deletedWith && { deletedWith: whole(deletedWith) }),
  };
}

/** Timeouts as the caller set them: the server has an empty string for each absent one, and another name for `delete`, a reserved word. */
function givenTimeouts(timeouts: pulumi.CustomTimeouts & { pb_delete?: string } = {}): pulumi.CustomTimeouts {
  const { pb_delete, ...limits } = timeouts;
  return Object.fromEntries(Object.entries({ delete: pb_delete, ...limits }).filter(([, limit]) => limit));
}

/** The resource with its whole URN: the server reads a URN as a provider reference, whose last part is an id. */
function whole(resource: pulumi.Resource): pulumi.Resource {
  const { urn, id } = resource as pulumi.ProviderResource;
  return Object.assign(new pulumi.DependencyResource(""), { urn: pulumi.interpolate`${urn}::${id}` });
}

type Prepare = (
  name: string,
  inputs: pulumi.Inputs,
  options: pulumi.ComponentResourceOptions,
) => Promise<pulumi.Inputs> | pulumi.Inputs;

/**
 * Preparation of a component's inputs before its constructor, which cannot wait. A program in TypeScript passes plain
 * values. From other languages, values arrive as outputs, whose values are awaited here, and hardware and prices are
 * looked up here.
 */
export const preparations: Record<string, Prepare> = {
  "minicluster:index:MiniCluster": async (_name, inputs, options) => {
    await Promise.all(poolsOf(inputs).map(awaitOutput));
    return resizedBy(options, inputs);
  },
  "minicluster:index:BurstCluster": async (_name, inputs, options) => {
    await Promise.all([awaitOutput(inputs["pool"]), awaitRoot(inputs["root"])]);
    return resizedBy(options, inputs);
  },
  "minicluster:index:MiniClusterManifest": async (_name, inputs, options) => {
    const overrides = Object.values(properties(inputs["overrides"] as Record<string, pulumi.Inputs>));
    await Promise.all(overrides.flatMap((override) => poolsOf(properties(override))).map(awaitOutput));
    return resizedBy(options, inputs);
  },
  "minicluster:index:Study": async (_name, inputs) => {
    await Promise.all(poolsOf(properties(inputs["cluster"] as pulumi.Inputs)).map(awaitOutput));
    return inputs;
  },
  "minicluster:index:EksSharedStorage": withPool,
  "minicluster:index:GkeSharedStorage": withPool,
  "minicluster:index:AksSharedStorage": withPool,
  "minicluster:index:EksNodePool": inTurn(lookedUp("EksNodePool"), withListPrice(eksPrice("eks"))),
  "minicluster:index:KarpenterNodePool": inTurn(lookedUp("KarpenterNodePool"), withListPrice(eksPrice("karpenter"))),
  "minicluster:index:GkeNodePool": withListPrice(gkePrice),
  "minicluster:index:AksNodePool": inTurn(withAksHardware, withListPrice(aksPrice)),
};

/** Preparations in sequence, each with the inputs that the previous preparation returned. */
function inTurn(...steps: Prepare[]): Prepare {
  return async (name, inputs, options) => {
    let prepared = inputs;
    for (const step of steps) prepared = await step(name, prepared, options);
    return prepared;
  };
}

type FindPrice = (...args: Parameters<Prepare>) => Promise<ListPrice | undefined>;

/** Looks up the list price of a pool with `price.list`, unless it has a price. */
function withListPrice(find: FindPrice): Prepare {
  return async (name, inputs, options) => {
    const { list, ...price } = priceIn(inputs);
    if (list === undefined) return inputs;
    if (!list || price.perHour !== undefined) return { ...inputs, price };
    return { ...inputs, price: await find(name, inputs, options) };
  };
}

const priceIn = ({ price }: pulumi.Inputs) => properties(price as NodePoolListPriceArgs | undefined);

/** The list price of the most expensive instance type of a pool, if each of them has one. */
function eksPrice(kind: string): FindPrice {
  return async (name, inputs, { providers }) => {
    const types = textsIn(inputs["machineTypes"]);
    const capacityType = inputs["capacityType"] as EksNodePoolCapacityType | undefined;
    const isSpot = capacityType === EksNodePoolCapacityType.Spot;
    const priceList = isSpot ? undefined : priceListProvider(`${kind}-${name}-price-list`);
    const options = providerOf(providers, "aws");
    const found = await Promise.all(types.map((type) => lookupEksPrice(type, { capacityType, priceList }, options)));
    const prices = found.filter((price) => price !== undefined);
    const [highest] = prices.sort((one, other) => other.perHour - one.perHour);
    return prices.length === types.length ? highest : undefined;
  };
}

/** The list price of the VM size of a pool, in the region of its cluster. */
async function aksPrice(
  _name: string,
  inputs: pulumi.Inputs,
  { providers }: pulumi.ComponentResourceOptions,
): Promise<ListPrice | undefined> {
  const { machineType, capacityType } = inputs;
  if (typeof machineType !== "string") return undefined;
  const options = providerOf(providers, "azure-native");
  const region = await regionOf(inputs, options);
  if (region !== undefined)
    return lookupAksPrice(machineType, {
      location: region,
      capacityType: capacityType as AksNodePoolCapacityType | undefined,
      currency: priceIn(inputs).currency,
    });
  void pulumi.log.warn(`no list price of VM size ${machineType}: the region is unknown; set location or price.perHour`);
  return undefined;
}

/** The list price of the machine type of a pool, in the region of its cluster. */
async function gkePrice(
  _name: string,
  inputs: pulumi.Inputs,
  { providers }: pulumi.ComponentResourceOptions,
): Promise<ListPrice | undefined> {
  const { machineType, location, zones } = inputs;
  if (typeof machineType !== "string") return undefined;
  // A location is a region or one of its zones.
  const [, region] = /^([a-z]+-[a-z]+\d+)/.exec([...textsIn([location]), ...textsIn(zones)][0] ?? "") ?? [];
  const { capacityType, gpus } = inputs as Pick<GkePriceQuery, "capacityType" | "gpus">;
  const query = { region, capacityType, gpus, currency: priceIn(inputs).currency };
  if (region !== undefined) return lookupGkePrice(machineType, query, providerOf(providers, "gcp"));
  void pulumi.log.warn(
    `no list price of machine type ${machineType}: the region is unknown; set zones or price.perHour`,
  );
  return undefined;
}

/** The region of an AksNodePool: its `location`, or the region of its AKS cluster. */
const regionOf = async (
  { location, resourceGroupName, clusterName }: pulumi.Inputs,
  options: pulumi.InvokeOptions,
): Promise<string | undefined> =>
  typeof location === "string" ? location : regionOfCluster(resourceGroupName, clusterName, options);

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];

async function withPool(_name: string, inputs: pulumi.Inputs) {
  await awaitOutput(inputs["pool"]);
  return inputs;
}

/** The pools of a MiniCluster: the pools of its pods, and of the clusters that may join. */
function poolsOf({ pool, lead, groups, bursting }: pulumi.Inputs): unknown[] {
  const { clusters } = properties(bursting as { clusters?: unknown });
  const joining: unknown[] = Array.isArray(clusters) ? clusters : [];
  const others = [lead, ...Object.values(properties(groups as Record<string, unknown>)), ...joining];
  return [pool, ...others.map((each) => properties(each as { pool?: unknown }).pool)];
}

/** Inputs of a cluster with the default of `resize`, by the settings of its explicit Kubernetes provider. */
async function resizedBy(
  { providers }: pulumi.ComponentResourceOptions,
  inputs: pulumi.Inputs,
): Promise<pulumi.Inputs> {
  const { provider } = providerOf(providers, "kubernetes");
  return provider && (await writesFiles(settingsOf(provider))) ? withManifestResize(inputs) : inputs;
}

/** The known parts of the output `burst` of each MiniCluster of this process, by its URN. */
const homes = new Map<string, object>();

/**
 * Remembers what is known of the output `burst` of a MiniCluster. In a preview of another language it is unknown as a whole, and
 * arrives at a BurstCluster with its dependencies alone.
 */
export async function rememberHome(component: pulumi.Resource): Promise<void> {
  const root = knownValue((component as { burst?: unknown }).burst);
  const urn = await whenKnown(component.urn);
  if (isPlainObject(root) && urn !== undefined) homes.set(urn, root);
}

/** Waits for the plain part of the `root` of a BurstCluster, which arrives as one output or as one output per field. */
async function awaitRoot(root: unknown): Promise<void> {
  await awaitOutput(root);
  const parts = knownValue(root);
  if (isPlainObject(parts)) return awaitOutput(parts["plan"]);
  if (!pulumi.Output.isInstance(root)) return;
  const resources = (await whenKnown(resourcesBehind(root))) ?? [];
  const urns = await Promise.all(resources.map(({ urn }) => whenKnown(urn)));
  const [home, ...others] = urns.flatMap((urn) => homes.get(urn ?? "") ?? []);
  if (home && others.length === 0) attachKnownValue(root, home);
}

/** Waits for an output and attaches its value to it. An output that is unknown in a preview stays unchanged, and is rejected. */
async function awaitOutput(input: unknown): Promise<void> {
  if (!pulumi.Output.isInstance(input)) return;
  // The SDK does not declare these members of an output.
  const output = input as unknown as { isKnown: Promise<boolean>; promise(): Promise<unknown> };
  if (await output.isKnown) attachKnownValue(input, await output.promise());
}

/** Looks up in EC2 the hardware of each instance type that this package does not list. */
function lookedUp(component: string): Prepare {
  return async (name, inputs, { providers }) => {
    if (inputs["hardware"] !== undefined) return inputs;
    const options = providerOf(providers, "aws");
    const problems = await Promise.all(
      [...new Set(unlistedTypes(inputs["machineTypes"]))].map((type) => lookUpType(type, options)),
    );
    const reasons = problems.filter((problem) => problem !== undefined);
    if (reasons.length === 0) return inputs;
    throw inputPropertiesError(
      `${component} ${name}`,
      reasons.map((reason) => ({ propertyPath: "machineTypes", reason })),
    );
  };
}

/** The provider of a package: the server passes them by package. */
function providerOf(providers: pulumi.ComponentResourceOptions["providers"], name: string): pulumi.InvokeOptions {
  const provider = (providers as Record<string, pulumi.ProviderResource> | undefined)?.[name];
  return provider ? { provider } : {};
}

/** Looks up in Azure the hardware of a VM size that this package does not list. */
async function withAksHardware(
  name: string,
  inputs: pulumi.Inputs,
  { providers }: pulumi.ComponentResourceOptions,
): Promise<pulumi.Inputs> {
  const { machineType, hardware } = inputs;
  if (hardware !== undefined || typeof machineType !== "string" || isListedAtAzure(machineType)) return inputs;
  const options = providerOf(providers, "azure-native");
  try {
    const region = await regionOf(inputs, options);
    const found = region === undefined ? undefined : await lookupAksMachine(machineType, { location: region }, options);
    return { ...inputs, ...(found && { hardware: found }) };
  } catch (error) {
    throw inputPropertiesError(`AksNodePool ${name}`, [{ propertyPath: "machineType", reason: thrownText(error) }]);
  }
}

const unlistedTypes = (machineTypes: unknown) => textsIn(machineTypes).filter((type) => !isListed(type));

/** Stores what EC2 reports of an instance type, or returns the reason why it is not available. */
async function lookUpType(type: string, options: pulumi.InvokeOptions): Promise<string | undefined> {
  try {
    const hardware = await lookupEksMachine(type, options);
    if (hardware) recordMachineType(type, hardware);
    return undefined;
  } catch (error) {
    return thrownText(error);
  }
}

const lookEveryMillis = 1000;

/**
 * Ends this process when its parent process has ended, for any reason: the SDK's server would wait for calls of an engine
 * indefinitely. A server without the address of an engine was started by hand, and serves any number of engines.
 */
export function endWithEngine(args: string[]): void {
  if (!args.some((arg) => !arg.startsWith("-"))) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
  }, lookEveryMillis).unref();
}
