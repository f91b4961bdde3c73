import type { AutoscaleArgs } from "../autoscale/args";
import { autoscaleFeature } from "../autoscale/feature";
import type { PriceArgs } from "../budget/args";
import { budgetFeature } from "../budget/feature";
import type { BurstingArgument } from "../bursting/args";
import { burstingFeature } from "../bursting/feature";
import type { ConsoleArgs } from "../console/args";
import { consoleFeature } from "../console/feature";
import type { Feature } from "../core/register/feature";
import type { ForecastArgs } from "../forecast/args";
import { forecastFeature } from "../forecast/feature";
import type { GangArgs } from "../gang/args";
import { gangFeature } from "../gang/feature";
import type { GroupsArgs } from "../groups/args";
import { groupsFeature } from "../groups/feature";
import type { MetricsArgs } from "../metrics/args";
import { metricsFeature } from "../metrics/feature";
import type { RequeueArgs } from "../requeue/args";
import { requeueFeature } from "../requeue/feature";
import type { ArchiveArgs } from "../storage/args";
import { archiveFeature, storageFeature } from "../storage/feature";
import { leadProgramFeature } from "./register/leadProgram";

export * from "../autoscale/args";
export * from "../budget/args";
export * from "../bursting/args";
export * from "../console/args";
export * from "../forecast/args";
export * from "../gang/args";
export * from "../groups/args";
export * from "../metrics/args";
export * from "../requeue/args";
export * from "../storage/args";

/** The arguments of the features of a MiniCluster. */
export interface FeatureArgs
  extends
    AutoscaleArgs,
    GroupsArgs,
    MetricsArgs,
    ConsoleArgs,
    ForecastArgs,
    RequeueArgs,
    BurstingArgument,
    ArchiveArgs,
    GangArgs,
    PriceArgs {}

/** The features of a MiniCluster. A feature can read what the features before it have added to the spec of a Job. */
const features: readonly Feature[] = [
  budgetFeature,
  gangFeature,
  groupsFeature,
  archiveFeature,
  requeueFeature,
  storageFeature,
  burstingFeature,
  metricsFeature,
  consoleFeature,
  forecastFeature,
  autoscaleFeature,
  leadProgramFeature,
];

// The default, which the package's export of all arguments leaves out.
export default features;
