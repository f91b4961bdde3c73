import type { z } from "zod";
import { absolutePath, leaf, object, objectName, quantity } from "../shared/checks";
import { ruleOn, rules } from "../shared/rules";

const fields = object({
  size: leaf(quantity).optional(),
  storageClassName: leaf(objectName).optional(),
  claimName: leaf(objectName).optional(),
});

/** Parsed arguments of the volume with the state. */
export type StorageFields = z.output<typeof fields>;

const rule = ruleOn<StorageFields>();

/** Volume with the state of an instance. */
export const storage = fields.check(
  rules<StorageFields>(
    rule(["size", "claimName"], ({ size, claimName }, addIssue) => {
      if ((size === undefined) === (claimName === undefined))
        addIssue([], "requires either size, for a claim of this cluster, or claimName, for an existing claim");
    }),
    rule(["storageClassName", "claimName"], ({ storageClassName, claimName }, addIssue) => {
      if (claimName !== undefined && storageClassName !== undefined)
        addIssue(["storageClassName"], "is set in the existing claim; remove it, or claimName");
    }),
  ),
);

/** State that is saved at the end of an instance, and restored at its start. */
export const archive = object({
  path: absolutePath.refine((path) => !path.endsWith("/"), {
    error: (issue) => `${String(issue.input)} must be a file, such as "/state/archive.tar.gz"`,
  }),
});

/** Parsed arguments of an archive. */
export type ArchiveFields = z.output<typeof archive>;
