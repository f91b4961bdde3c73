import type { z } from "zod";
import { choice, flag, integer, labelledName, leaf, object, objectName, qualifiedName } from "../shared/checks";
import { MiniClusterGangVersion } from "./args";
import { maxPods } from "../core/parse/names";

const topology = object({
  required: leaf(qualifiedName).optional(),
  preferred: leaf(qualifiedName).optional(),
  unconstrained: flag.default(false),
});

const nativeGang = object({
  minCount: integer(1, maxPods).optional(),
  version: choice(MiniClusterGangVersion).default(MiniClusterGangVersion.V1beta1),
});

/** Scheduling of all pods together or not at all. */
export const gang = object({
  schedulerName: leaf(objectName).optional(),
  queueName: leaf(labelledName).optional(),
  elastic: flag.optional(),
  topology: topology.optional(),
  native: nativeGang.optional(),
});

/** Parsed arguments of a gang. */
export type GangFields = z.output<typeof gang>;
