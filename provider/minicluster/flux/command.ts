import { configFile, files } from "../paths";
import type { ContainerSpec } from "../spec";
import { splitWords } from "./quote";

// Commands that only a shell has, and characters that only a shell reads.
const shellWords =
  /^(\.|:|!|\[\[|alias|bg|break|case|cd|command|continue|declare|do|eval|exec|exit|export|fg|for|function|if|jobs|let|local|read|return|select|set|shift|shopt|source|time|trap|type|typeset|ulimit|umask|unset|until|wait|while)$/;
const shellCharacters = /[^\w\s@%+=:,./-]/;

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
  const first = command.trim().split(/\s/)[0] ?? "";
  const isPlain = !command.trim().includes("\n") && !shellCharacters.test(command) && !first.includes("=");
  return isPlain && !shellWords.test(first) ? undefined : command;
}
