import type { BurstClusterArgs } from "../../../provider";
import { parseBurstClusterArgs } from "../../../provider/bursting/parse";
import { problemsOfParse } from "../../support/problems";

/** Everything that is wrong with the arguments of a cluster that joins. */
export const problemsOf = (args: unknown) =>
  problemsOfParse(() => parseBurstClusterArgs("cloud", args as BurstClusterArgs));
