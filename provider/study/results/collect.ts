import { withoutEmpty } from "../../shared/objects";
import type { JournalEntry } from "../flux";
import { isFinal, type Result, resultsByRun } from "../parse/plan";
import { type Run, runsOf, type StudySpec } from "../parse/runs";

/** The results of a study, to which the entries of its journal are added. */
export class Results {
  private readonly runs: Map<string, Run>;
  private readonly found: Map<string, Result>;

  constructor(
    private readonly spec: StudySpec,
    known: Result[],
  ) {
    this.runs = new Map(runsOf(spec).map((run) => [run.id, run]));
    this.found = new Map([...resultsByRun(spec, known)].map(([id, { result }]) => [id, result]));
  }

  /** Records an entry. A known attempt changes nothing. */
  add(entry: JournalEntry): Result | undefined {
    if (entry.at !== "end") return undefined;
    const run = this.runs.get(entry.run);
    const former = this.found.get(entry.run);
    if (!run || (former && former.attempts >= entry.attempt)) return undefined;
    const { ok, wallSeconds, exitStatus, hosts, figure, error, lastLines } = entry;
    const result: Result = withoutEmpty({
      ...run,
      ok,
      attempts: entry.attempt,
      wallSeconds,
      exitStatus,
      hosts,
      figure,
      error: this.spec.isSecret ? error?.replace(/^(the pattern finds) .*(, which is)/s, "$1 a text$2") : error,
      lastLines,
      spentSeconds: (former?.spentSeconds ?? 0) + wallSeconds,
      startedAt: entry.startedAt > 0 ? new Date(entry.startedAt * 1000).toISOString() : "",
      pricePerHour: this.spec.pricePerHour,
    });
    this.found.set(run.id, result);
    return result;
  }

  /** The run of an entry, unless the study no longer contains it. */
  runOf = (entry: { run: string }): Run | undefined => this.runs.get(entry.run);

  /** Number of runs without a valid result. */
  left = (): number => this.runs.size - [...this.found.values()].filter((result) => isFinal(result, this.spec)).length;

  /** All results in the order of the runs. */
  all = (): Result[] => [...this.runs.keys()].flatMap((id) => this.found.get(id) ?? []);
}
