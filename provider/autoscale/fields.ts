import { z } from "zod";
import { budget } from "../budget/fields";
import { integer, leaf, nonEmptyText, object } from "../shared/checks";
import { maxPods } from "../core/parse/names";

const seconds = integer(0, 86_400);

const pace = {
  image: leaf(nonEmptyText).optional(),
  idleSeconds: seconds.default(300),
  cooldownSeconds: seconds.default(30),
  maxStep: integer(1, maxPods).default(maxPods),
  budget: budget.optional(),
};

/** Automatic size of a cluster with the lead broker. */
export const autoscale = object({ min: integer(0, maxPods).default(1), max: integer(1, maxPods), ...pace });

/** Automatic size of a group of workers. */
export const groupAutoscale = object({ min: integer(0, maxPods).default(0), max: integer(1, maxPods), ...pace });

/** Automatic size of a burst. Its home sets the largest size. */
export const burstAutoscale = object({
  min: integer(0, maxPods).default(0),
  max: integer(1, maxPods).optional(),
  ...pace,
});

/** Parsed arguments of an automatic size. */
export type AutoscaleSpec = z.output<typeof autoscale>;
