import type { ContainerSpec } from "../../parse/spec";
import { execWords } from "../command";
import { quoteWord, splitWords, withLineEnd } from "../quote";
import { lines, script } from "./pieces";

/** The script of a batch job (flux-batch(1)), which runs inside the job's own Flux instance. */
export function renderBatchScript(container: ContainerSpec): string {
  const { command = "", batchRaw } = container;
  if (batchRaw) return command.startsWith("#!") ? withLineEnd(command) : `#!/bin/bash\n${withLineEnd(command)}`;
  return script(
    "status=0",
    lines(...jobLines(command).map(([number, line]) => submitLine(container, number, line))),
    lines(
      "# Fails where one of the jobs has failed.",
      "flux job wait --all || status=$?",
      "flux jobs -a",
      "exit $status",
    ),
  );
}

/** The jobs of a command, each with the number of its line. A backslash at the end of a line continues it, but no comment. */
function jobLines(command: string): [number: number, line: string][] {
  return command
    .replace(/^[ \t]*#.*|(?<!\\)((?:\\\\)*)\\\n/gm, (found, backslashes?: string) => backslashes ?? found)
    .split("\n")
    .map((line, number): [number, string] => [number, line.trim()])
    .filter(([, line]) => line !== "" && !line.startsWith("#"));
}

function submitLine({ logs }: ContainerSpec, number: number, line: string): string {
  const output = ["out", "err"].map((stream) => quoteWord(`${logs}/job-${number}.${stream}`));
  const options = `--flags=waitable --output=${output[0]} --error=${output[1]}`;
  return `flux submit ${options} ${jobWords(line).map(quoteWord).join(" ")} || status=$?`;
}

/** The words of a line: options of flux submit may come before the command, which a shell of its own would not see. */
function jobWords(line: string): string[] {
  const words = line.startsWith("-") ? splitWords(line) : undefined;
  return words ?? execWords(line);
}
