import type { z } from "zod";
import { choice, flag, integer, leaf, list, map, nonEmptyText, object, text } from "../../../shared/checks";
import { clusterFields, nameField } from "../../kubernetes/parse";
import { sharedStorageFields } from "../../storage/parse";
import { EksSharedStorageDeployment, EksSharedStorageKind } from "./args";

const directory = text.refine((value) => /^(\/[^/\s]+)+$/.test(value), {
  error: ({ input }) => `${JSON.stringify(input)} must be a directory of the file system, such as "/data"`,
});
const uri = text.refine((value) => /^s3:\/\/[^/\s]+(\/\S*)?$/.test(value), {
  error: ({ input }) => `${JSON.stringify(input)} must be a bucket or a prefix in it, such as "s3://genomes/hg38"`,
});

const dataRepository = object({ uri: leaf(uri), path: directory, exports: flag.default(false) });

/** Fields of the arguments, each checked by itself. */
export const eksStorageFields = object({
  ...sharedStorageFields,
  kind: choice(EksSharedStorageKind),
  existing: object({
    fileSystemId: leaf(nonEmptyText),
    dnsName: leaf(nonEmptyText).optional(),
    mountName: leaf(nonEmptyText).optional(),
  }).optional(),
  clusterName: nameField,
  cluster: clusterFields.eks,
  subnetIds: leaf(
    list(leaf(nonEmptyText)).refine((ids) => ids.length > 0, { error: "needs at least one subnet; add one" }),
  ).optional(),
  zone: leaf(nonEmptyText).optional(),
  capacityGib: integer(1, 100_000_000).optional(),
  deployment: choice(EksSharedStorageDeployment).optional(),
  throughputPerTib: integer(1, 10_000).optional(),
  throughputMbps: integer(4000, 2_000_000).optional(),
  throughputMibps: integer(1, 3414).optional(),
  securityGroupIds: leaf(
    list(leaf(nonEmptyText)).refine((ids) => ids.length > 0, { error: "needs at least one security group; add one" }),
  ).optional(),
  installDriver: flag.default(false),
  driverRoleArn: leaf(nonEmptyText).optional(),
  bucket: leaf(nonEmptyText).optional(),
  efa: flag.optional(),
  imports: list(dataRepository)
    .refine((all) => all.length <= 8, { error: "has more than the 8 entries that FSx for Lustre accepts; remove some" })
    .optional(),
  tags: map(nonEmptyText, leaf(text)).optional(),
});

export type EksStorageFields = z.output<typeof eksStorageFields>;
