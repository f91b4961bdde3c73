import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { text } from "node:stream/consumers";
import { checkCluster } from "../../provider/minicluster/cluster";
import { type StudyArgs, StudyBetter } from "../../provider";
import { bootstrap, type JournalEntry, type StudyAction, studyInput } from "../../provider/study/flux";
import { parseStudyArgs } from "../../provider/study/parse";
import { planOf, type Result } from "../../provider/study/parse/plan";
import { type Run, runsOf, type StudySpec } from "../../provider/study/parse/runs";
import { Results } from "../../provider/study/results/collect";
import { aStudyArgs } from "./fixtures";
import { besideFlux, idleInstance } from "./metricsServer";

/** The spec of a study with a separate cluster. */
export const studySpec = (args: Partial<StudyArgs> = {}): StudySpec =>
  parseStudyArgs("demo", aStudyArgs({}, args), checkCluster).spec;

/** The end of a run's attempt, in the journal's format: it took 90 s and found the figure 60. */
export const ended = (run: Run, changes: Partial<JournalEntry & { at: "end" }> = {}): JournalEntry => ({
  at: "end",
  run: run.id,
  attempt: 1,
  ok: true,
  hosts: "demo-0",
  startedAt: 1_800_000_000,
  wallSeconds: 90,
  exitStatus: 0,
  figure: 60,
  ...changes,
});

/** The results of a study with an end of each run. */
export function resultsOf(spec: StudySpec, entryOf: (run: Run) => JournalEntry[] = (run) => [ended(run)]): Result[] {
  const results = new Results(spec, []);
  for (const run of runsOf(spec)) for (const entry of entryOf(run)) results.add(entry);
  return results.all();
}

/** The program that runs studies, beside the stand-in of Flux. */
export interface StudyProgram {
  /** Its output for a request: the entries of the journal, up to the end. */
  ask: (action: StudyAction, spec: StudySpec, known?: Result[], owner?: string) => Promise<JournalEntry[]>;
  /** The same as a process. */
  start: (action: StudyAction, spec: StudySpec) => ChildProcess;
  /** Results of all entries so far. */
  results: (spec: StudySpec, entries: JournalEntry[]) => Result[];
  /** Folder of its files. */
  directory: string;
}

/** Four hosts, and no job. */
const idle = idleInstance("demo-0", "demo-1", "demo-2", "demo-3");

/** Runs a test with the program. */
export async function withStudyProgram(body: (program: StudyProgram) => Promise<void>): Promise<void> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "study-"));
  const instance = path.join(directory, "instance.json");
  fs.writeFileSync(instance, JSON.stringify(idle));
  const start: StudyProgram["start"] = (action, spec) => begin(action, spec, [], "");
  const begin = (action: StudyAction, spec: StudySpec, known: Result[], owner: string) => {
    const child = spawn("python3", ["-B", "-c", bootstrap], { env: besideFlux(instance), cwd: directory });
    child.stdin.write(studyInput({ study: "demo", owner, action, spec, next: planOf(spec, known).next }));
    return child;
  };
  const ask: StudyProgram["ask"] = async (action, spec, known = [], owner = "") => {
    const child = begin(action, spec, known, owner);
    const [output, errors, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close") as Promise<[number]>,
    ]);
    if (status !== 0) throw new Error(errors);
    return output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as JournalEntry);
  };
  const results: StudyProgram["results"] = (spec, entries) => {
    const all = new Results(spec, []);
    for (const entry of entries) all.add(entry);
    return all.all();
  };
  try {
    await body({ ask, start, results, directory });
  } finally {
    await ask("stop", studySpec()).catch(() => undefined);
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** A study of one application at one host. */
export const ofCommand = (command: string, more: object = {}): StudySpec =>
  studySpec({ sizes: [1], repeats: 1, apps: { app: { command, ...more } } });

export const figure = { pattern: "took ([0-9.]+) s", better: StudyBetter.Lower };

/** The attempts in some entries, by application, size and repeat. */
export const attempts = (spec: StudySpec, entries: JournalEntry[], at: string) =>
  entries.flatMap((entry) => {
    const run = "run" in entry && entry.at === at ? runsOf(spec).find(({ id }) => id === entry.run) : undefined;
    return run ? [`${run.app} ${run.size} ${run.repeat}`] : [];
  });
