import { parseArgs } from "../../shared/parseArgs";
import { rules } from "../../shared/rules";
import { zoneOf } from "../common";
import type { EksSharedStorageArgs } from "./args";
import { type EksStorageFields, eksStorageFields } from "./fields";
import { deploymentOf, eksStorageRules, throughputs } from "./rules";

const schema = eksStorageFields.check(rules(...eksStorageRules));

/** The spec of shared storage, or one error that names every problem of its arguments. */
export const parseEksSharedStorageArgs = (resourceName: string, args: EksSharedStorageArgs) =>
  settle(parseArgs(schema, "EksSharedStorage", resourceName, args));

/** Arguments of which every one is checked and every default is set. */
export type EksStorageSpec = ReturnType<typeof settle>;

function settle(args: EksStorageFields) {
  const deployment = deploymentOf(args);
  return {
    ...args,
    deployment,
    zone: zoneOf(args),
    throughputPerTib: args.throughputPerTib ?? throughputs[deployment][0],
    retainOnDelete: args.retainOnDelete ?? true,
    subnetIds: args.subnetIds ?? [],
  };
}
