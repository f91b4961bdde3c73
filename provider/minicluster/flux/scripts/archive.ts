import * as path from "node:path";
import { sharedPaths } from "../../paths";
import type { LeadSpec, MiniClusterSpec } from "../../parse/spec";
import { quoteWord } from "../quote";
import { lines } from "./pieces";

/** Options of the lead broker that restore the state and save it (flux-broker-attributes(7)). */
export function archiveOptions({ archive, flux }: LeadSpec): string | undefined {
  if (archive === undefined) return undefined;
  const [file, fresh] = [quoteWord(archive.path), quoteWord(freshPath(archive.path))];
  return lines(
    `mkdir -p ${quoteWord(path.posix.dirname(archive.path))}`,
    `rm -f ${fresh}`,
    "# A broker that is started again in its pod goes on with the state that it had, once it had all of it.",
    `if [[ -e ${file} && ! -e ${restoredMark(flux)} ]]; then options+=(-Scontent.restore=${file}); fi`,
    `options+=(-Scontent.dump=${fresh})`,
  );
}

/**
 * Puts the saved state in the place of the former one when it is whole: the broker writes it as its last deed, and may have
 * been killed over it. Its exit status tells only where the command did not fail.
 */
export function keepArchive({ archive }: LeadSpec): string | undefined {
  if (archive === undefined) return undefined;
  const [file, fresh] = [quoteWord(archive.path), quoteWord(freshPath(archive.path))];
  return lines(
    `if [[ -e ${fresh} ]] && { ((status == 0)) || flux python -m tarfile --test ${fresh} >/dev/null 2>&1; }; then`,
    `  mv -f ${fresh} ${file}`,
    `  log "the state is saved in "${file}`,
    "else",
    `  rm -f ${fresh}`,
    `  echo "minicluster: the state was not saved; nothing has changed in "${file} >&2`,
    "fi",
  );
}

/** Tells by a file that the instance stands, and with it the restored state. */
export function markRestored(spec: MiniClusterSpec): string | undefined {
  return spec.role === "lead" && spec.archive ? `: >${restoredMark(spec.flux)}` : undefined;
}

const restoredMark = ({ container }: MiniClusterSpec["flux"]) => quoteWord(`${sharedPaths(container).state}/restored`);

/** Where the new state grows. The ending of the name stays, for it chooses the compression. */
const freshPath = (file: string) => path.posix.join(path.posix.dirname(file), `.saving.${path.posix.basename(file)}`);
