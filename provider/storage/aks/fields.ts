import type { z } from "zod";
import { choice, integer, leaf, map, nonEmptyText, object, text } from "../../shared/checks";
import { sharedStorageFields } from "../common";
import { AksSharedStorageKind } from "./args";

/** Fields of the arguments, each checked by itself. */
export const aksStorageFields = object({
  ...sharedStorageFields,
  kind: choice(AksSharedStorageKind),
  existing: object({
    mgsAddress: leaf(nonEmptyText).optional(),
    accountName: leaf(nonEmptyText).optional(),
    shareName: leaf(nonEmptyText).optional(),
  }).optional(),
  resourceGroupName: leaf(nonEmptyText).optional(),
  location: leaf(nonEmptyText).optional(),
  subnetId: leaf(nonEmptyText).optional(),
  zone: choice({ 1: "1", 2: "2", 3: "3" }).optional(),
  capacityGib: integer(1, 100_000_000).optional(),
  throughputPerTib: integer(1, 10_000).optional(),
  tags: map(nonEmptyText, leaf(text)).optional(),
});

export type AksStorageFields = z.output<typeof aksStorageFields>;
