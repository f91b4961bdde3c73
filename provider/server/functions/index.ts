import * as pulumi from "@pulumi/pulumi";
import type * as provider from "@pulumi/pulumi/provider";
import { lookupAksMachine } from "../../clouds/aks/lookup";
import { lookupAksPrice } from "../../clouds/aks/lookupPrice";
import { lookupEksMachine } from "../../clouds/eks/lookup";
import { eksPrice } from "../../clouds/eks/lookupPrice";
import type { LookupNodesArgs } from "../../clouds/existing/args";
import { lookupNodes } from "../../clouds/existing/lookup";
import { lookupGkeMachine } from "../../clouds/gke/lookup";
import { lookupGkePrice } from "../../clouds/gke/lookupPrice";
import packageSchema from "../../../sdk/schema.json";
import { type PluginConfig, withCloudPlugins } from "./cloudPlugin";
import { checkedArgs } from "./fields";

type Lookup = (args: never) => Promise<object>;

/** AWS has the Price List in few regions. */
const awsConfig =
  (region: string | undefined) =>
  (token: string): PluginConfig => {
    const place = token.startsWith("aws:pricing/") ? "us-east-1" : region;
    return place === undefined ? {} : { region: place };
  };

const noConfig = (): PluginConfig => ({});

/** The functions of the schema, for programs in languages other than TypeScript. */
const lookups: Record<keyof typeof packageSchema.functions, Lookup> = {
  "minicluster:index:lookupNodes": (given: LookupNodesArgs) => {
    const { node, price, taints } = given;
    return lookupNodes({
      ...given,
      ...(node && { node: inSchemaNames(node) }),
      ...(price && { price: inSchemaNames(price) }),
      ...(Array.isArray(taints) && { taints: taints.map(inSchemaNames) }),
    });
  },
  "minicluster:index:lookupEksMachine": async (args: object) => {
    const { machineType, region } = checkedArgs("lookupEksMachine", args);
    return { hardware: await withCloudPlugins(awsConfig(region), () => lookupEksMachine(machineType)) };
  },
  "minicluster:index:lookupEksPrice": async (args: object) => {
    const { machineType, ...query } = checkedArgs("lookupEksPrice", args);
    return { price: await withCloudPlugins(awsConfig(query.region), () => eksPrice(machineType, query)) };
  },
  "minicluster:index:lookupAksMachine": async (args: object) => {
    const { machineType, location } = checkedArgs("lookupAksMachine", args);
    return { hardware: await withCloudPlugins(noConfig, () => lookupAksMachine(machineType, { location })) };
  },
  "minicluster:index:lookupAksPrice": async (args: object) => {
    const { machineType, ...query } = checkedArgs("lookupAksPrice", args);
    return { price: await lookupAksPrice(machineType, query) };
  },
  "minicluster:index:lookupGkeMachine": async (args: object) => {
    const { machineType, ...query } = checkedArgs("lookupGkeMachine", args);
    return { hardware: await withCloudPlugins(noConfig, () => lookupGkeMachine(machineType, query)) };
  },
  "minicluster:index:lookupGkePrice": async (args: object) => {
    const { machineType, ...query } = checkedArgs("lookupGkePrice", args);
    return { price: await withCloudPlugins(noConfig, () => lookupGkePrice(machineType, query)) };
  },
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
