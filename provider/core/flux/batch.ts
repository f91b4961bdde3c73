import { execWords, quoteWord, splitWords, withLineEnd } from "../../shared/quote";
import { jobLines } from "../parse/jobLines";
import type { ContainerSpec } from "../parse/spec";

/**
 * The script of a batch job (flux-batch(1)): the user's own, or the lines of the command, each as a job in the instance of the
 * batch job. Flux copies the script to the host that runs the job.
 */
export function renderBatchScript({ command = "", batchRaw, logs }: ContainerSpec): string {
  if (batchRaw) return command.startsWith("#!") ? withLineEnd(command) : `#!/bin/bash\n${withLineEnd(command)}`;
  const jobs = jobLines(command).map(([number, line]) => submitLine(logs, number, line));
  return [
    "#!/bin/bash",
    "status=0",
    ...jobs,
    "flux job wait --all || status=$?",
    "flux jobs -a",
    "exit $status",
    "",
  ].join("\n");
}

function submitLine(logs: string, number: number, line: string): string {
  const output = ["out", "err"].map((stream) => quoteWord(`${logs}/job-${number}.${stream}`));
  const options = `--flags=waitable --output=${output[0]} --error=${output[1]}`;
  return `flux submit ${options} ${jobWords(line).map(quoteWord).join(" ")} || status=$?`;
}

/**
 * The words of a line. A line that begins with options of flux submit is split into words: bash would take an option for a
 * command.
 */
function jobWords(line: string): string[] {
  const words = line.startsWith("-") ? splitWords(line) : undefined;
  return words ?? execWords(line);
}
