import { parseArgs } from "../../shared/parseArgs";
import { rules } from "../../shared/rules";
import { zoneOf } from "../common";
import type { AksSharedStorageArgs } from "./args";
import { type AksStorageFields, aksStorageFields } from "./fields";
import { aksStorageRules, throughputOf } from "./rules";

const schema = aksStorageFields.check(rules(...aksStorageRules));

/** The spec of shared storage, or one error that names every problem of its arguments. */
export const parseAksSharedStorageArgs = (resourceName: string, args: AksSharedStorageArgs) =>
  settle(parseArgs(schema, "AksSharedStorage", resourceName, args));

/** Arguments of which every one is checked and every default is set. */
export type AksStorageSpec = ReturnType<typeof settle>;

const settle = (args: AksStorageFields) => ({
  ...args,
  zone: zoneOf(args),
  throughputPerTib: throughputOf(args),
  capacityGib: args.capacityGib ?? 0,
  resourceGroupName: args.resourceGroupName ?? "",
  retainOnDelete: args.retainOnDelete ?? true,
});
