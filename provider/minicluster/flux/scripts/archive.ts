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
 * Bash code that replaces the former state with the saved one if that is complete: the broker writes it last of all, and
 * may have been killed meanwhile. Its exit status proves that only if the command did not fail.
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

/** Bash code that marks by a file that the instance runs, and has its restored state. */
export function markRestored(spec: MiniClusterSpec): string | undefined {
  return spec.role === "lead" && spec.archive ? `: >${restoredMark(spec.flux)}` : undefined;
}

const restoredMark = ({ container }: MiniClusterSpec["flux"]) => quoteWord(`${sharedPaths(container).state}/restored`);

/** File that the new state is written to. The ending of the name stays, because it chooses the compression. */
const freshPath = (file: string) => path.posix.join(path.posix.dirname(file), `.saving.${path.posix.basename(file)}`);
