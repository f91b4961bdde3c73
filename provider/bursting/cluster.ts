import { autoscaleFeature } from "../autoscale/feature";
import { budgetFeature } from "../budget/feature";
import type { MiniClusterSpec } from "../core/parse/spec";
import { builderOf, type Feature } from "../core/register/feature";
import { forecastFeature } from "../forecast/feature";
import { gangFeature } from "../gang/feature";
import { parseArgs, type ResultCheck } from "../shared/rules";
import type { BurstClusterArgs } from "./args/burstCluster";
import { burstSchemaOf, type ParsedBurst } from "./parse";

/** The features of a BurstCluster. */
export const burstFeatures: readonly Feature[] = [budgetFeature, gangFeature, forecastFeature, autoscaleFeature];

/** The builder of the objects of its features. */
export const buildBurstFeatures = builderOf(burstFeatures);

const schema = burstSchemaOf(burstFeatures);

/** A BurstCluster, or one error that names every problem of its arguments, including the problems that `check` reports. */
export const parseBurstCluster = (
  resourceName: string,
  args: BurstClusterArgs,
  check: ResultCheck<MiniClusterSpec> = () => undefined,
): ParsedBurst =>
  parseArgs(schema, "BurstCluster", resourceName, args, ({ spec, sourcePathOf }, addIssue) =>
    check(spec, (path, message) => addIssue(sourcePathOf(path), message)),
  );
