import { configFile, files } from "../paths";
import type { ContainerSpec } from "../parse/spec";
import { splitWords } from "./quote";

// Commands that only a shell has, and characters that only a shell reads.
const shellWords = new Set(
  (
    ". : alias bg bind break builtin caller case cd command compgen complete compopt continue coproc " +
    "declare dirs disown do done elif else enable esac eval exec exit export fc fg fi for function getopts " +
    "hash help history if in jobs let local logout mapfile popd pushd read readarray readonly return select " +
    "set shift shopt source suspend then time times trap type typeset ulimit umask unalias unset until wait " +
    "while"
  ).split(" "),
);
const shellCharacters = /[^\w \t@%+=:,./-]/;

/** The words that run a command as Kubernetes starts it, with no shell of its own: bash where the text needs one. */
export const execWords = (command: string) =>
  isPlain(command) ? (splitWords(command) ?? []) : ["bash", "-c", command];

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

/** True for a command of plain words, which mean the same to every shell and to none. */
function isPlain(command: string): boolean {
  const first = command.trim().split(/\s/)[0] ?? "";
  return !shellCharacters.test(command.trim()) && !first.includes("=") && !shellWords.has(first);
}
