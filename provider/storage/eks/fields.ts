import type { z } from "zod";
import { choice, flag, integer, leaf, list, map, nonEmptyText, object, text } from "../../shared/checks";
import { sharedStorageFields } from "../common";
import { EksSharedStorageDeployment, EksSharedStorageKind } from "./args";

const maxGib = 100_000_000;

/** Fields of the arguments, each checked by itself. */
export const eksStorageFields = object({
  ...sharedStorageFields,
  kind: choice(EksSharedStorageKind),
  existing: object({
    fileSystemId: leaf(nonEmptyText),
    dnsName: leaf(nonEmptyText).optional(),
    mountName: leaf(nonEmptyText).optional(),
  }).optional(),
  clusterName: leaf(nonEmptyText).optional(),
  subnetIds: list(leaf(nonEmptyText))
    .refine((ids) => ids.length > 0, { error: "needs at least one subnet; add one" })
    .optional(),
  zone: nonEmptyText.optional(),
  capacityGib: integer(1, maxGib).optional(),
  deployment: choice(EksSharedStorageDeployment).optional(),
  throughputPerTib: integer(1, 10_000).optional(),
  throughputMibps: integer(1, 3414).optional(),
  securityGroupIds: list(leaf(nonEmptyText))
    .refine((ids) => ids.length > 0, { error: "needs at least one security group; add one" })
    .optional(),
  installDriver: flag.default(false),
  tags: map(nonEmptyText, leaf(text)).optional(),
});

export type EksStorageFields = z.output<typeof eksStorageFields>;
