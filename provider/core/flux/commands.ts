import { isPlain, splitWords } from "../../shared/quote";
import { configFile, files } from "../parse/paths";
import type { ContainerSpec } from "../parse/spec";

/**
 * The words that run a container's command. Plain words stay unchanged, so that `flux jobs` shows the program's own name; bash runs
 * anything else from a file with the original text.
 */
export function commandWords(container: ContainerSpec): string[] {
  if (userCommand(container) === undefined) return splitWords(container.command ?? "") ?? [];
  return ["bash", configFile(files.user(container.name, "command"))];
}

/** The text of the file with the command, if the command needs a file. */
export function userCommand({ command = "", commands }: ContainerSpec): string | undefined {
  if (commands.script !== undefined) return commands.script;
  return isPlain(command) ? undefined : command;
}
