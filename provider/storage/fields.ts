import type { z } from "zod";
import { leaf, object, objectName, quantity } from "../shared/checks";
import { ruleOn, rules } from "../shared/rules";
import { stateClaimName } from "../core/parse/names";

const fields = object({
  size: leaf(quantity).optional(),
  storageClassName: leaf(objectName).optional(),
  claimName: leaf(objectName).optional(),
});
type StorageFields = z.output<typeof fields>;

const rule = ruleOn<StorageFields>();

/** Volume with the state of an instance. */
export const storage = fields.check(
  rules<StorageFields>(
    rule(["size", "claimName"], ({ size, claimName }, addIssue) => {
      if ((size === undefined) === (claimName === undefined))
        addIssue([], "requires either size, for a claim of this cluster, or claimName, for an existing one");
    }),
    rule(["storageClassName", "claimName"], ({ storageClassName, claimName }, addIssue) => {
      if (claimName !== undefined && storageClassName !== undefined)
        addIssue(["storageClassName"], "is set in the existing claim; remove it, or claimName");
    }),
  ),
);

/** The volume of a cluster by the name of its claim, and the settings of a new claim. */
export interface StorageSpec {
  claimName: NonNullable<StorageFields["claimName"]>;
  own?: Pick<StorageFields, "storageClassName"> & { size: NonNullable<StorageFields["size"]> };
}

/** The settled volume. */
export const settleStorage = (name: string, { size, storageClassName, claimName }: StorageFields): StorageSpec =>
  size === undefined
    ? { claimName: claimName ?? stateClaimName({ name }) }
    : { claimName: stateClaimName({ name }), own: { size, storageClassName } };
