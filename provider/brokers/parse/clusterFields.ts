import type { z } from "zod";
import { absolutePath, choice, flag, integer, object } from "../../shared/checks";
import { MiniClusterWait } from "../args";
import { autoscale } from "./autoscale";
import { bursting } from "./bursting";
import { consoleFields } from "./console";
import { brokerPodsFields } from "./fields";
import { groups, lead } from "./groups";
import { metrics } from "./metrics";
import { maxPods } from "./names";
import { requeue } from "./requeue";

const archive = object({
  path: absolutePath.refine((path) => !path.endsWith("/"), {
    error: (issue) => `${String(issue.input)} must be a file, such as "/state/archive.tar.gz"`,
  }),
});

/** Arguments of a MiniCluster, field by field. */
export const miniClusterFields = {
  ...brokerPodsFields,
  size: integer(1, maxPods).optional(),
  autoscale: autoscale.optional(),
  lead: lead.optional(),
  groups: groups.optional(),
  metrics: metrics.optional(),
  console: consoleFields.optional(),
  requeue: requeue.optional(),
  minSize: integer(1, maxPods).optional(),
  maxSize: integer(1, maxPods).optional(),
  tasks: integer(0, 2 ** 31 - 1).default(1),
  interactive: flag.default(false),
  cleanup: flag.default(false),
  retryCommand: flag.default(true),
  suspend: flag.optional(),
  bursting: bursting.optional(),
  archive: archive.optional(),
  wait: choice(MiniClusterWait).default(MiniClusterWait.Ready),
};

export const miniCluster = object(miniClusterFields);

/** Parsed arguments of a MiniCluster. */
export type MiniClusterFields = z.output<typeof miniCluster>;
