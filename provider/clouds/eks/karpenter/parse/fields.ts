import type { z } from "zod";
import { choice, flag, leaf, list, map, nonEmptyText, object } from "../../../../shared/checks";
import { emptyForSeconds } from "../../../karpenter/parse";
import { sharedEksFields } from "../../nodes/parse/fields";
import { KarpenterNodePoolReservationMatchCriteria } from "../args";

const ids = (what: string) =>
  leaf(
    list(leaf(nonEmptyText))
      .refine((all) => all.length > 0, { error: `needs at least one ${what}; add one` })
      .refine((all) => all.length <= 30, { error: "has more than the 30 entries that Karpenter accepts; remove some" }),
  );

/**
 * Fields of the arguments, each checked by itself: the fields that an EksNodePool also has, and the fields of
 * Karpenter.
 */
export const karpenterPoolFields = object({
  ...sharedEksFields,
  autoMode: flag.default(false),
  reservationTags: map(nonEmptyText, leaf(nonEmptyText))
    .refine((tags) => Object.keys(tags).length > 0, { error: "needs at least one tag; add one" })
    .optional(),
  reservationMatchCriteria: choice(KarpenterNodePoolReservationMatchCriteria).optional(),
  nodeRoleName: leaf(nonEmptyText),
  subnetIds: ids("subnet"),
  securityGroupIds: ids("security group"),
  amiVersion: leaf(nonEmptyText).optional(),
  amiIds: ids("image").optional(),
  userData: leaf(nonEmptyText).optional(),
  emptyForSeconds,
});

export type KarpenterPoolFields = z.output<typeof karpenterPoolFields>;
