import type { JournalEntry } from "../../study/flux";
import { hostsText } from "../../study/parse/plan";
import type { Run, StudySpec } from "../../study/parse/runs";
import { figureOf, unitOf } from "../../study/results/cells";
import type { Results } from "../../study/results/collect";
import type { Log } from "./log";

/** Shows the progress of a study: the current run, the last result, and the number of remaining runs. */
export class Progress {
  private last = "";
  private readonly taken = new Set<string>();

  constructor(
    private readonly spec: StudySpec,
    private readonly results: Results,
    private readonly log: Log,
  ) {}

  /**
   * Records an entry of the journal, and shows its effect. Returns whether the entry is new: each connection reads the
   * whole journal again.
   */
  take(entry: JournalEntry): boolean {
    if (!("run" in entry)) return entry.at === "alive";
    const run = this.results.runOf(entry);
    const key = `${entry.at} ${entry.run} ${entry.attempt}`;
    if (!run || this.taken.has(key)) return false;
    this.taken.add(key);
    this.show(entry, run);
    return true;
  }

  private show(entry: JournalEntry & { run: string }, run: Run): void {
    const name = `${run.app} at ${run.size}, repeat ${run.repeat}`;
    if (entry.at === "submit") this.showStatus(`${name} waits for ${hostsText(run.size)}`);
    else if (entry.at === "start") this.showStatus(`${name} runs`);
    else if (entry.at === "end") {
      const result = this.results.add(entry);
      if (!result) return;
      const app = this.spec.apps[run.app];
      const figure = app && figureOf(result, app);
      const found = figure === undefined ? (result.error ?? "no figure") : `${figure} ${app ? unitOf(app) : ""}`.trim();
      this.last = `${name}: ${found}; `;
      if (!result.ok && result.attempts <= this.spec.retries)
        this.log.info(`${name} has failed in attempt ${result.attempts} and is repeated: ${result.error ?? ""}`);
      this.showStatus(`${name} has ended`);
    }
  }

  private showStatus(what: string): void {
    this.log.status(`${this.last}${what}; ${this.results.left()} left`);
  }
}
