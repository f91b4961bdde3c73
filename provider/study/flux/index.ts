import { configFile, files } from "../../brokers/parse/paths";
import { textFile } from "../../shared/textFile";
import type { Plan } from "../parse/plan";
import { type StudySpec, tasksOf } from "../parse/runs";

/** Program that runs a study in the container of the lead broker. */
export const studyProgram = textFile(__dirname, "study.py");

// The program is too long for an argument of a command, and cannot be a file of the cluster, which another version of this package
// may have created.
export const bootstrap = "import json, sys; exec(json.loads(sys.stdin.readline()))";

/** The command that runs the program there. */
export const studyCommand = [
  "bash",
  "-c",
  `. ${configFile(files.environment)}; FLUX_URI=$fluxsocket exec flux python -c '${bootstrap}'`,
];

/** Action of the program: runs the study and follows it, starts it, reads its journal, or ends it. */
export type StudyAction = "follow" | "start" | "look" | "stop";

/** Standard input of the program: itself, and the request. */
export const studyInput = (study: string, action: StudyAction, spec: StudySpec, next: Plan["next"]): string =>
  [studyProgram, requestOf(study, action, spec, next)].map((line) => `${JSON.stringify(line)}\n`).join("");

const requestOf = (study: string, action: StudyAction, spec: StudySpec, next: Plan["next"]) => ({
  study,
  do: action,
  retries: spec.retries,
  runs: next.map(({ run, attempts }) => {
    const { command = "", gpusPerTask = 0, environment = {}, timeoutSeconds = 0, figure } = spec.apps[run.app] ?? {};
    return {
      id: run.id,
      size: run.size,
      repeat: run.repeat,
      tasks: tasksOf(spec, run),
      attempts,
      name: `${run.app}-${run.size}-${run.repeat}`,
      command,
      gpusPerTask,
      environment,
      timeoutSeconds,
      ...(figure && { pattern: figure.pattern }),
    };
  }),
});

/** An entry of the journal of the program. */
export type JournalEntry =
  | { at: "alive" | "done" }
  | { at: "submit" | "start"; run: string; attempt: number; hosts?: string }
  | {
      at: "end";
      run: string;
      attempt: number;
      ok: boolean;
      hosts: string;
      startedAt: number;
      wallSeconds: number;
      exitStatus?: number;
      figure?: number;
      error?: string;
      lastLines?: string[];
    };
