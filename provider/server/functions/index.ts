import * as pulumi from "@pulumi/pulumi";
import type * as provider from "@pulumi/pulumi/provider";
import { lookupAksMachine } from "../../clouds/aks/lookup";
import { lookupAksPrice } from "../../clouds/aks/lookupPrice";
import { lookupEksMachine } from "../../clouds/eks/lookup";
import { eksPrice } from "../../clouds/eks/lookupPrice";
import type { LookupNodesArgs } from "../../clouds/existing/args";
import { nodesBy } from "../../clouds/existing/lookup";
import { lookupGkeMachine } from "../../clouds/gke/lookup";
import { lookupGkePrice } from "../../clouds/gke/lookupPrice";
import { defaultProviderSettings } from "../../diagnostics/apiServer";
import packageSchema from "../../../sdk/schema.json";
import type {
  LookupAksMachineArgs,
  LookupAksPriceArgs,
  LookupEksMachineArgs,
  LookupEksPriceArgs,
  LookupGkeMachineArgs,
  LookupGkePriceArgs,
} from "./args";
import { withCloudPlugins } from "./cloudPlugin";

type Lookup = (args: never) => Promise<object>;

/** AWS has the Price List in few regions. */
const awsConfig =
  ({ region }: { region?: string }) =>
  (token: string): Record<string, string> => {
    const place = token.startsWith("aws:pricing/") ? "us-east-1" : region;
    return place === undefined ? {} : { region: place };
  };

/** The functions of the schema, for programs in languages other than TypeScript. */
const lookups: Record<keyof typeof packageSchema.functions, Lookup> = {
  "minicluster:index:lookupNodes": async (given: LookupNodesArgs) => {
    const { kubeconfig, context, ...args } = given;
    const { node, price, taints } = args;
    const named = {
      ...args,
      ...(node && { node: inSchemaNames(node) }),
      ...(price && { price: inSchemaNames(price) }),
      ...(Array.isArray(taints) && { taints: taints.map(inSchemaNames) }),
    };
    const { warnings, ...result } = await nodesBy(named, { ...defaultProviderSettings(), kubeconfig, context });
    for (const warning of warnings) void pulumi.log.warn(warning);
    return result;
  },
  "minicluster:index:lookupEksMachine": async ({ machineType, region }: LookupEksMachineArgs) => ({
    hardware: await withCloudPlugins(awsConfig({ region }), () => lookupEksMachine(machineType)),
  }),
  "minicluster:index:lookupEksPrice": async ({ machineType, region, capacityType }: LookupEksPriceArgs) => ({
    price: await withCloudPlugins(awsConfig({ region }), () => eksPrice(machineType, { region, capacityType })),
  }),
  "minicluster:index:lookupAksMachine": async ({ machineType, location }: LookupAksMachineArgs) => ({
    hardware: await withCloudPlugins(
      () => ({}),
      () => lookupAksMachine(machineType, { location }),
    ),
  }),
  "minicluster:index:lookupAksPrice": async ({ machineType, ...query }: LookupAksPriceArgs) => ({
    price: await lookupAksPrice(machineType, query),
  }),
  "minicluster:index:lookupGkeMachine": async ({ machineType, ...query }: LookupGkeMachineArgs) => ({
    hardware: await withCloudPlugins(
      () => ({}),
      () => lookupGkeMachine(machineType, query),
    ),
  }),
  "minicluster:index:lookupGkePrice": async ({ machineType, ...query }: LookupGkePriceArgs) => ({
    price: await withCloudPlugins(
      () => ({}),
      () => lookupGkePrice(machineType, query),
    ),
  }),
};

/** An object with the names of the schema: the SDK for Python does not translate the names in dictionaries for functions. */
const inSchemaNames = <T extends object>(object: T): T =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as T;

/** Calls a function of the schema. Wrong arguments are failures, each with its property path. */
export async function invoke(token: string, args: object): Promise<provider.InvokeResult> {
  const lookup = (lookups as Record<string, Lookup>)[token];
  if (!lookup) throw new Error(`the package minicluster has no function ${token}`);
  try {
    // A value that is absent has no place in the engine's format.
    return { outputs: JSON.parse(JSON.stringify(await lookup(args as never))) as object };
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    const failures = (error.errors ?? []).map(({ propertyPath, reason }) => ({ property: propertyPath, reason }));
    return { outputs: {}, failures };
  }
}
