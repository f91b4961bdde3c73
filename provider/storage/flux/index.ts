import { textFile } from "../../shared/textFile";

/** Scripts of a lead broker whose state is on a volume. */
export const storageScripts = {
  "reload.sh": textFile(__dirname, "scripts/reload.sh"),
  "stored.sh": textFile(__dirname, "scripts/stored.sh"),
};

/** Script of a lead broker whose state is in an archive. */
export const archiveScripts = { "archive.sh": textFile(__dirname, "scripts/archive.sh") };
