import { sourceText } from "../../shared/sources";

/** Scripts of a lead broker whose state is on a volume. */
export const storageScripts = {
  "reload.sh": sourceText("storage/flux/scripts/reload.sh"),
  "stored.sh": sourceText("storage/flux/scripts/stored.sh"),
};

/** Script of a lead broker whose state is in an archive. */
export const archiveScripts = { "archive.sh": sourceText("storage/flux/scripts/archive.sh") };
