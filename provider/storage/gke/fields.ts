import type { z } from "zod";
import { choice, integer, leaf, map, nonEmptyText, object, text } from "../../shared/checks";
import { sharedStorageFields } from "../common";
import { GkeSharedStorageKind, GkeSharedStorageTier } from "./args";

const pattern = (regex: RegExp, what: string) =>
  text.refine((value) => regex.test(value), { error: ({ input }) => `${JSON.stringify(input)} must be ${what}` });

const zone = pattern(/^[a-z]+-[a-z]+\d+-[a-z\d]+$/, 'a zone, such as "us-central1-a"');
const location = pattern(/^[a-z]+-[a-z]+\d+(-[a-z\d]+)?$/, 'a zone or a region, such as "us-central1-a"');
const network = pattern(
  /^projects\/[^/]+\/global\/networks\/[^/]+$/,
  'the id of a VPC network, such as "projects/physics/global/networks/default"',
);

/** Fields of the arguments, each checked by itself. */
export const gkeStorageFields = object({
  ...sharedStorageFields,
  kind: choice(GkeSharedStorageKind),
  existing: object({
    instance: leaf(nonEmptyText),
    location,
    ipAddress: leaf(nonEmptyText),
    fileSystem: leaf(nonEmptyText),
  }).optional(),
  project: leaf(nonEmptyText).optional(),
  network: leaf(network).optional(),
  zone: zone.optional(),
  capacityGib: integer(1, 100_000_000).optional(),
  throughputPerTib: integer(1, 10_000).optional(),
  tier: choice(GkeSharedStorageTier).optional(),
  tags: map(nonEmptyText, leaf(text)).optional(),
});

export type GkeStorageFields = z.output<typeof gkeStorageFields>;
