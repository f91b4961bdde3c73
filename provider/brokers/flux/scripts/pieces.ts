import { isPlain, quoteWord, splitWords } from "../../../shared/quote";
import { configFile, files, imageDirectory, sharedPaths, softwareDirectory, type UserPiece } from "../../parse/paths";
import type { ContainerSpec, MiniClusterSpec } from "../../parse/spec";

/** A script from its parts, one empty line between them. Parts that do not apply are left out. */
export function script(...parts: (string | undefined)[]): string {
  return `${paragraphs("#!/bin/bash", ...parts)}\n`;
}

/** Parts with one empty line between them, of which those that do not apply are left out. */
export function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join("\n\n");
}

/** Text in lines, of which those that do not apply are left out. */
export function lines(...all: (string | undefined)[]): string {
  return all.filter((line) => line !== undefined).join("\n");
}

/** Text two columns further in. */
export const indent = (text: string) => text.replace(/^(?=.)/gm, "  ");

/** Strict mode, with a message on what failed and where. */
export function strictMode({ logging }: MiniClusterSpec): string | undefined {
  return logging.strict ? alwaysStrict : undefined;
}

/** Strict mode for a script that holds no code of the user's. */
export const alwaysStrict = lines(
  "set -eEuo pipefail",
  "# A quiet cluster silences the code that fails, but not the word on it.",
  "exec 3>&2",
  `trap 'echo "minicluster: \${BASH_SOURCE[0]} line $LINENO ended with status $?" >&3' ERR`,
);

/** Exit status of a container that was told to leave: 128 + 15, as of a program that SIGTERM has ended. */
export const leftStatus = 143;

/**
 * Exit statuses of containers that did not end by themselves: that could not be started (128), that were killed (137), or that
 * were lost when their node was started again (255).
 */
export const killedStatuses = [128, 137, 255];

/** Trap by which the signal that ends a pod ends a script, as long as the script runs nothing else that has to end. */
export const leaveOnSignal = () =>
  lines(
    "# Bash as the first process of a container dies of no signal that it does not trap.",
    "trap 'exit 143' TERM INT",
  );

/**
 * Pause without a program in front: bash would answer the signal that ends a pod only after that program. A signal that comes
 * just before a read begins waits for its end, so that each read takes a second.
 */
export const restFunction =
  "rest() { local left; for ((left = $1; left > 0; left--)); do read -r -t 1 _ <> <(:) || true; done; }";

/**
 * Bash code that ends a background function, whose process a variable names, and says nothing of it. One that has just been
 * forked would lose a gentler signal to the trap that it inherits.
 */
export const endQuietly = (variable: string) =>
  `{ kill -KILL "$${variable}"; wait "$${variable}"; } 2>/dev/null || true`;

/** Function that writes to the log, unless the cluster is quiet. */
export function logFunction({ logging }: MiniClusterSpec): string {
  return logging.quiet ? "log() { :; }" : `log() { printf 'minicluster: %s\\n' "$*"; }`;
}

/**
 * Runs a piece of the user's own code. It is sourced at the top level of the script, so that its variables and functions
 * stay, and from a file of its own, so that no text of it can break out of it.
 */
export function userCode(spec: MiniClusterSpec, container: ContainerSpec, piece: Exclude<UserPiece, "command">) {
  if (container.commands[piece] === undefined) return undefined;
  const silence = spec.logging.quiet ? " >/dev/null 2>&1" : "";
  return lines(noSource, sourcePiece(container, piece) + silence);
}

const noSource = "# shellcheck source=/dev/null";

const sourcePiece = (container: ContainerSpec, piece: UserPiece) =>
  `. ${quoteWord(configFile(files.user(container.name, piece)))}`;

/**
 * The user's code after the run, in a shell of its own: nothing after it needs its variables, and neither they nor an
 * `exit` may change the status of the run, which the code finds in `$?`. What it prints is a result, also of a quiet cluster.
 */
export function postCode(container: ContainerSpec, before?: string): string | undefined {
  if (container.commands.post === undefined) return undefined;
  const source = sourcePiece(container, "post");
  return lines("(", indent(lines(before, noSource, `if (exit "$status"); then ${source}; else ${source}; fi`)), ")");
}

/**
 * The words that run a container's command. Plain words stand for themselves, so that `flux jobs` shows the program's own
 * name; anything else is left to bash, in the file that holds the text as it was given.
 */
export function commandWords(container: ContainerSpec): string[] {
  if (userCommand(container) === undefined) return splitWords(container.command ?? "") ?? [];
  return ["bash", configFile(files.user(container.name, "command"))];
}

/** The text of the command's own file, if it needs one. */
export function userCommand({ command = "", commands }: ContainerSpec): string | undefined {
  if (commands.script !== undefined) return commands.script;
  return isPlain(command) ? undefined : command;
}

/** Puts the Flux view on the paths, after what the image has of its own, and sets the user's variables for it. */
export function viewEnvironment({ flux }: MiniClusterSpec): string | undefined {
  const variables = Object.entries(flux.environment).map(([name, value]) => `export ${name}=${quoteWord(value)}`);
  if (flux.container.disable) return variables.length === 0 ? undefined : lines(...variables);
  const { view } = sharedPaths(flux.container);
  return lines(
    flux.container.imageVolume ? linkView(view) : undefined,
    `export PATH="$PATH:"${quoteWord(`${view}/bin`)}`,
    ...pythonPath(view, flux.container.pythonPath),
    ...variables,
  );
}

/**
 * Bash code that adds Fluxion to the paths of a broker whose Flux does not find it: Spack installs Fluxion in a prefix of its own.
 * Flux from 0.77 on reads FLUX_MODPROBE_PATH_APPEND, older versions read FLUX_RC_EXTRA (flux-environment(7)).
 */
export function findFluxion({ role, flux }: MiniClusterSpec): string | undefined {
  if (role === "follower" || flux.scheduler.simple || flux.container.disable) return undefined;
  const view = quoteWord(sharedPaths(flux.container).view);
  const modules = (prefix: string) => `${prefix}/lib*/flux/modules/sched-fluxion-qmanager.so`;
  const append = (variable: string, value: string) => `    export ${variable}="\${${variable}:+$${variable}:}${value}"`;
  return lines(
    "# Spack installs Fluxion in a prefix of its own, where Flux does not look for it.",
    `if [[ $(type -P flux) == ${view}/bin/flux ]]; then`,
    `  prefix=$(readlink -f ${view}/bin/flux)`,
    "  prefix=${prefix%/bin/flux}",
    `  for module in ${modules('"$prefix"')} ${modules(view)} ${modules(`${softwareDirectory}/{,*/,*/*/}flux-sched*`)}; do`,
    "    if [[ ! -e $module ]]; then continue; fi",
    "    # The first one is that of Flux's own prefix.",
    '    if [[ $module == "$prefix"/* ]]; then break; fi',
    append("FLUX_MODULE_PATH", "${module%/*}"),
    append("FLUX_MODPROBE_PATH_APPEND", "${module%/lib*/flux/modules/*}/etc/flux/modprobe"),
    append("FLUX_RC_EXTRA", "${module%/lib*/flux/modules/*}/etc/flux"),
    "    break",
    "  done",
    "fi",
  );
}

/**
 * Link to the view in a mounted image. The view there may be a link from the root, which would lead elsewhere in this
 * container.
 */
function linkView(view: string): string {
  return lines(
    `if [[ ! -e ${quoteWord(view)} ]]; then (`,
    `  target=$(readlink ${imageDirectory}/opt/view || echo /opt/view)`,
    "  if [[ $target != /* ]]; then target=/opt/$target; fi",
    "  # Another container of the pod may be doing the same.",
    `  ln -sfn "${imageDirectory}$target" ${quoteWord(view)} || true`,
    "); fi",
  );
}

function pythonPath(view: string, chosen: string | undefined): string[] {
  const append = (word: string) => `export PYTHONPATH="\${PYTHONPATH:+$PYTHONPATH:}"${word}`;
  if (chosen !== undefined) return [append(quoteWord(chosen))];
  return [
    `for modules in ${quoteWord(`${view}/lib`)}/python3*/site-packages; do`,
    `  if [[ -d $modules ]]; then ${append('"$modules"')}; fi`,
    "done",
  ];
}

/** The option of `flux start` that puts other programs before the broker. */
export function wrapOption({ flux }: MiniClusterSpec): string {
  return flux.wrap === undefined ? "" : ` --wrap=${quoteWord(flux.wrap)}`;
}

/** A bash array of exactly these words. */
export function bashArray(name: string, words: string[]): string {
  if (words.length === 0) return `${name}=()`;
  return [`${name}=(`, ...words.map((word) => `  ${quoteWord(word)}`), ")"].join("\n");
}

/** Path of the local socket on the rank that a script runs on, as bash text. */
export function socketPath({ flux }: MiniClusterSpec): string {
  const { run } = sharedPaths(flux.container);
  return flux.disableSocket ? `${quoteWord(`${run}/local-`)}"\${JOB_COMPLETION_INDEX:-0}"` : quoteWord(`${run}/local`);
}
