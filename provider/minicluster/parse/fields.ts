import type { z } from "zod";
import type { AutoscaleSpec } from "../../autoscale/fields";
import type { BurstingFields } from "../../bursting/parse/fields";
import type { ConsoleSpec } from "../../console/fields";
import { MiniClusterWait } from "../../core/args";
import { brokerPodsFields } from "../../core/parse/fields";
import { maxPods } from "../../core/parse/names";
import type { GangFields } from "../../gang/fields";
import { groupsFields } from "../../groups/fields";
import type { MetricsSpec } from "../../metrics/fields";
import { choice, flag, integer, object } from "../../shared/checks";

/** Fields of a MiniCluster, without the fields of features. */
export const clusterFields = {
  ...brokerPodsFields,
  ...groupsFields,
  size: integer(1, maxPods).optional(),
  minSize: integer(1, maxPods).optional(),
  maxSize: integer(1, maxPods).optional(),
  tasks: integer(1, 2 ** 31 - 1).optional(),
  interactive: flag.default(false),
  cleanup: flag.default(false),
  retryCommand: flag.optional(),
  suspend: flag.optional(),
  wait: choice(MiniClusterWait).default(MiniClusterWait.Ready),
};

/** Parsed arguments of a MiniCluster, with the arguments of features that rules of the cluster read. */
export interface ClusterFields extends z.output<ReturnType<typeof object<typeof clusterFields>>> {
  autoscale?: AutoscaleSpec;
  bursting?: BurstingFields;
  console?: ConsoleSpec;
  gang: GangFields;
  maxPricePerHour?: number;
  metrics?: MetricsSpec;
}
