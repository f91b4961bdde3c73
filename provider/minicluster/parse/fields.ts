import type { z } from "zod";
import { absolutePath, choice, flag, integer, object } from "../../shared/checks";
import { MiniClusterWait } from "../../core/args";
import { autoscale } from "../../autoscale/fields";
import { bursting } from "../../bursting/parse/fields";
import { consoleFields } from "../../console/fields";
import { brokerPodsFields } from "../../core/parse/fields";
import { groups, lead } from "../../groups/fields";
import { metrics } from "../../metrics/fields";
import { maxPods } from "../../core/parse/names";
import { requeue } from "../../requeue/fields";

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
