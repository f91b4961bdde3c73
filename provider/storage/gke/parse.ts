import { parseArgs } from "../../shared/parseArgs";
import { rules } from "../../shared/rules";
import { zoneOf } from "../common";
import { type GkeSharedStorageArgs, GkeSharedStorageKind } from "./args";
import { type GkeStorageFields, gkeStorageFields } from "./fields";
import { gkeStorageRules, isRegional, throughputOf, tierOf } from "./rules";

const schema = gkeStorageFields.check(rules(...gkeStorageRules));

/** The spec of shared storage, or one error that names every problem of its arguments. */
export const parseGkeSharedStorageArgs = (resourceName: string, args: GkeSharedStorageArgs) =>
  settle(parseArgs(schema, "GkeSharedStorage", resourceName, args));

/** Arguments of which every one is checked and every default is set. */
export type GkeStorageSpec = ReturnType<typeof settle>;

function settle(args: GkeStorageFields) {
  const zone = zoneOf(args) ?? "";
  const tier = tierOf(args);
  const isOfRegion = args.kind === GkeSharedStorageKind.Filestore && isRegional(tier);
  return {
    ...args,
    tier,
    // A zone has the name of its region, and a letter.
    location: isOfRegion ? zone.replace(/-[a-z\d]+$/, "") : zone,
    throughputPerTib: throughputOf(args),
    capacityGib: args.capacityGib ?? 0,
    retainOnDelete: args.retainOnDelete ?? true,
  };
}
