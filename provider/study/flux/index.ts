import { z } from "zod";
import { configFile, files } from "../../core/parse/paths";
import { sourceText } from "../../shared/sources";
import type { Plan } from "../parse/plan";
import { type StudySpec, tasksOf } from "../parse/runs";

/** Program that runs a study in the container of the lead broker. */
export const studyProgram = sourceText("study/programs/study.py");

// The program is too long for an argument of a command. It cannot be a file of the cluster, because another version of
// this package may have created the cluster.
export const bootstrap = "import json, sys; exec(json.loads(sys.stdin.readline()))";

/** The command that runs the program there. */
export const studyCommand = [
  "bash",
  "-c",
  `. ${configFile(files.environment)}; FLUX_URI=$fluxsocket exec flux python -c '${bootstrap}'`,
];

/** Action of the program: runs the study and follows it, starts it, reads its journal, or ends it. */
export type StudyAction = "follow" | "start" | "look" | "stop";

/** The request to the program. */
interface Request {
  /** Id of the study. */
  study: string;
  /** Mark of the resource that the study belongs to: only its owner ends a study. */
  owner: string;
  action: StudyAction;
  spec: StudySpec;
  next: Plan["next"];
}

/** Standard input of `bootstrap`: the program, and the request. */
export const studyInput = (request: Request): string =>
  [studyProgram, requestOf(request)].map((line) => `${JSON.stringify(line)}\n`).join("");

const requestOf = ({ study, owner, action, spec, next }: Request) => ({
  study,
  owner,
  do: action,
  retries: spec.retries,
  runs: next.map(({ run, attempts }) => {
    const { command = "", gpusPerTask = 0, environment = {}, timeoutSeconds = 0, figure } = spec.apps[run.app] ?? {};
    return {
      id: run.id,
      app: run.app,
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

const entry = { run: z.string(), attempt: z.int().min(1) };

/** An entry of the journal of the program. Other output of the container is ignored. */
export const journalEntry = z.discriminatedUnion("at", [
  z.object({ at: z.enum(["alive", "done"]) }),
  z.object({ at: z.enum(["submit", "start", "cancel"]), ...entry }),
  z.object({
    at: z.literal("end"),
    ...entry,
    ok: z.boolean(),
    hosts: z.string(),
    // Times that a date can have.
    startedAt: z.number().min(0).max(8.64e12),
    wallSeconds: z.number().min(0),
    exitStatus: z.int().optional(),
    figure: z.number().optional(),
    error: z.string().optional(),
    lastLines: z.array(z.string()).optional(),
  }),
]);
export type JournalEntry = z.output<typeof journalEntry>;
