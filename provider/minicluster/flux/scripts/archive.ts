import * as path from "node:path";
import { sharedPaths } from "../../paths";
import type { MiniClusterSpec } from "../../spec";
import { quoteWord } from "../quote";
import { lines } from "./pieces";

/** Options of the lead broker that restore the state and save it (flux-broker-attributes(7)). */
export function archiveOptions({ archive, flux }: MiniClusterSpec): string | undefined {
  if (archive === undefined) return undefined;
  const [file, fresh] = [quoteWord(archive.path), quoteWord(freshPath(archive.path))];
  const { state } = sharedPaths(flux.container);
  return lines(
    `mkdir -p ${quoteWord(path.posix.dirname(archive.path))}`,
    `rm -f ${fresh}`,
    "# A broker that was started again in its pod has newer state of its own.",
    `if [[ -e ${file} && ! -e ${quoteWord(`${state}/content.sqlite`)} ]]; then options+=(-Scontent.restore=${file}); fi`,
    `options+=(-Scontent.dump=${fresh})`,
  );
}

/**
 * Puts the saved state in the place of the former one when it is whole: the broker writes it as its last deed, and may have
 * been killed over it. Its exit status tells only where the command did not fail.
 */
export function keepArchive({ archive }: MiniClusterSpec): string | undefined {
  if (archive === undefined) return undefined;
  const [file, fresh] = [quoteWord(archive.path), quoteWord(freshPath(archive.path))];
  return lines(
    `if [[ -e ${fresh} ]] && { ((status == 0)) || flux python -m tarfile --test ${fresh} >/dev/null 2>&1; }; then`,
    `  mv -f ${fresh} ${file}`,
    `  log "the state is saved in "${file}`,
    "else",
    `  rm -f ${fresh}`,
    `  echo "minicluster: the state was not saved; "${file}" is as it was" >&2`,
    "fi",
  );
}

/** Where the new state grows. The ending of the name stays, for it chooses the compression. */
const freshPath = (file: string) => path.posix.join(path.posix.dirname(file), `.saving.${path.posix.basename(file)}`);
