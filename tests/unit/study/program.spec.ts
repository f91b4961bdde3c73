import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { StudyBetter } from "../../../provider";
import type { JournalEntry } from "../../../provider/study/flux";
import { planOf } from "../../../provider/study/parse/plan";
import { runsOf, type StudySpec } from "../../../provider/study/parse/runs";
import { waitFor } from "../../sandbox/waiting";
import { studySpec, withStudyProgram } from "../../support/study";

/** A study of one application at one host. */
const ofCommand = (command: string, more: object = {}): StudySpec =>
  studySpec({ sizes: [1], repeats: 1, apps: { app: { command, ...more } } });

const figure = { pattern: "took ([0-9.]+) s", better: StudyBetter.Lower };

/** The attempts in some entries, by application, size and repeat. */
const attempts = (spec: StudySpec, entries: JournalEntry[], at: string) =>
  entries.flatMap((entry) => {
    const run = "run" in entry && entry.at === at ? runsOf(spec).find(({ id }) => id === entry.run) : undefined;
    return run ? [`${run.app} ${run.size} ${run.repeat}`] : [];
  });

describe("the program that runs a study", function () {
  this.timeout(60_000);

  it("runs one run after another, the largest first, with the numbers of each in its environment", () =>
    withStudyProgram(async ({ ask, results }) => {
      const command = 'echo "took $((size * 10 + repeat)).$tasks s"';
      const spec = studySpec({ sizes: [1, 4, 2], apps: { app: { command, tasksPerNode: 2, figure } } });
      const entries = await ask("follow", spec);
      assert.deepEqual(
        entries.map(({ at }) => at),
        [...Array.from({ length: 6 }, () => ["submit", "start", "end"]).flat(), "done"],
      );
      const order = ["app 4 1", "app 4 2", "app 2 1", "app 2 2", "app 1 1", "app 1 2"];
      assert.deepEqual(attempts(spec, entries, "end"), order);
      assert.deepEqual(
        results(spec, entries).map((result) => [result.hosts, result.figure, result.exitStatus]),
        [
          ["demo-0,demo-1,demo-2,demo-3", 41.8, 0],
          ["demo-0,demo-1,demo-2,demo-3", 42.8, 0],
          ["demo-0,demo-1", 21.4, 0],
          ["demo-0,demo-1", 22.4, 0],
          ["demo-0", 11.2, 0],
          ["demo-0", 12.2, 0],
        ],
      );
    }));

  const ends: [title: string, spec: StudySpec, want: object][] = [
    [
      "the last match of its pattern",
      ofCommand("echo took 1 s; echo took 2.5 s", { figure }),
      { ok: true, figure: 2.5 },
    ],
    [
      "a pattern that never matches, with the last lines of output",
      ofCommand("for i in $(seq 20); do echo line $i; done", { figure }),
      {
        ok: true,
        error: "the pattern matches nothing in the output",
        lastLines: Array.from({ length: 10 }, (_, index) => `line ${index + 11}`),
      },
    ],
    [
      "a pattern that finds no number",
      ofCommand("echo took 1.2.3 s", { figure }),
      { ok: true, error: "the pattern finds '1.2.3', which is not a number", lastLines: ["took 1.2.3 s"] },
    ],
    [
      "a command that reads the terminal, which has no input",
      ofCommand("read -r line || echo nothing to read; exit 7"),
      { ok: false, exitStatus: 7, attempts: 2, error: "exit status 7", lastLines: ["nothing to read"] },
    ],
    [
      "a command that a signal ends",
      ofCommand("kill -9 $$"),
      { ok: false, exitStatus: 137, attempts: 2, error: "exit status 137", lastLines: undefined },
    ],
    [
      "more hosts than there are",
      studySpec({ sizes: [5], repeats: 1, apps: { app: { command: "true" } } }),
      {
        ok: false,
        attempts: 2,
        error: 'alloc: alloc denied due to type="unsatisfiable"',
        lastLines: undefined,
        hosts: "",
      },
    ],
  ];
  for (const [title, spec, want] of ends)
    it(`reports ${title}`, () =>
      withStudyProgram(async ({ ask, results }) => {
        const [result] = results(spec, await ask("follow", spec));
        const found = Object.fromEntries(Object.keys(want).map((key) => [key, result?.[key as keyof typeof result]]));
        assert.deepEqual(found, want);
      }));

  it("repeats a failed run as often as retries says, and counts the time of all attempts", () =>
    withStudyProgram(async ({ ask, results, directory }) => {
      const file = path.join(directory, "tries");
      const spec = { ...ofCommand(`echo >>${file}; sleep 0.2; [ $(wc -l <${file}) = 3 ]`), retries: 2 };
      const entries = await ask("follow", spec);
      assert.deepEqual(attempts(spec, entries, "end"), ["app 1 1", "app 1 1", "app 1 1"]);
      const [result] = results(spec, entries);
      assert.deepEqual([result?.ok, result?.attempts], [true, 3]);
      assert.ok((result?.spentSeconds ?? 0) >= 0.6);
    }));

  it("repeats a failed run again when retries is raised, and no other", () =>
    withStudyProgram(async ({ ask, results }) => {
      const bad = { command: "exit 3" };
      const spec = studySpec({ sizes: [1], repeats: 1, apps: { bad, good: { command: "true" } }, retries: 0 });
      const known = results(spec, await ask("follow", spec));
      assert.deepEqual(planOf(spec, known).next, []);
      const raised = { ...spec, retries: 1 };
      const entries = await ask("follow", raised, known);
      assert.deepEqual(attempts(spec, entries, "end"), ["bad 1 1"]);
      const attempt = entries.map((entry) => (entry.at === "end" ? entry.attempt : undefined));
      assert.deepEqual(attempt, [undefined, undefined, 2, undefined]);
    }));

  it("goes on when the connection ends, and the next one finds every run once", () =>
    withStudyProgram(async ({ ask, start, directory }) => {
      const file = path.join(directory, "ran");
      const command = `sleep 0.3; echo $size $repeat >>${file}`;
      const spec = studySpec({ sizes: [1, 2], repeats: 3, apps: { app: { command } } });
      const first = start("follow", spec);
      await waitFor("the first run", () => Promise.resolve(fs.existsSync(file)));
      first.kill("SIGKILL");
      await waitFor("two runs more", () => Promise.resolve(fs.readFileSync(file, "utf8").split("\n").length > 3));
      const entries = await ask("follow", spec);
      assert.equal(attempts(spec, entries, "end").length, 6);
      const ran = fs.readFileSync(file, "utf8").trim().split("\n");
      assert.deepEqual(ran, ["2 1", "2 2", "2 3", "1 1", "1 2", "1 3"]);
    }));

  it("starts again where its process was killed, and repeats that run alone", () =>
    withStudyProgram(async ({ ask, start, directory }) => {
      const file = path.join(directory, "ran");
      const spec = studySpec({
        sizes: [1],
        repeats: 3,
        apps: { app: { command: `echo $repeat >>${file}; sleep 0.5` } },
      });
      start("start", spec);
      const ran = () => (fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : []);
      await waitFor("the second run", () => Promise.resolve(ran().length === 2));
      process.kill(pidOfStudy(directory), "SIGKILL");
      const entries = await ask("follow", spec);
      assert.deepEqual(attempts(spec, entries, "end"), ["app 1 1", "app 1 2", "app 1 3"]);
      assert.deepEqual(ran(), ["1", "2", "2", "3"]);
    }));

  it("ends a run that has left the study, and goes on with the others", () =>
    withStudyProgram(async ({ ask, start, results }) => {
      const slow = { command: "sleep 60" };
      const spec = studySpec({ sizes: [1], repeats: 1, apps: { a: slow, b: { command: "true" } } });
      start("start", spec);
      await waitFor("the slow run", async () => attempts(spec, await ask("look", spec), "start").length === 1);
      const without = { ...spec, apps: { b: spec.apps["b"]! } };
      const entries = await ask("follow", without);
      assert.deepEqual(
        results(without, entries).map(({ app, ok }) => [app, ok]),
        [["b", true]],
      );
    }));

  it("ends with its run when it is stopped", () =>
    withStudyProgram(async ({ ask, start }) => {
      const spec = ofCommand("sleep 60");
      start("start", spec);
      await waitFor("the run", async () => attempts(spec, await ask("look", spec), "start").length === 1);
      const before = Date.now();
      await ask("stop", spec);
      assert.ok(Date.now() - before < 20_000);
      assert.deepEqual(attempts(spec, await ask("look", spec), "end"), []);
    }));

  it("reports what it has failed on", () =>
    withStudyProgram(async ({ ask, directory }) => {
      fs.rmSync(path.join(directory, "instance.json"));
      await assert.rejects(
        ask("follow", ofCommand("true")),
        /the study has ended early: FileNotFoundError: .*instance\.json/,
      );
    }));
});

/** The process that a study has left behind: its standard error is the log. */
function pidOfStudy(directory: string): number {
  const log = path.join(directory, "study-demo.log");
  const isStudy = (pid: string) => {
    try {
      const [output, program] = [fs.readlinkSync(`/proc/${pid}/fd/2`), fs.readlinkSync(`/proc/${pid}/exe`)];
      return output === log && program.includes("python");
    } catch {
      return false;
    }
  };
  const found = fs.readdirSync("/proc").find((pid) => /^\d+$/.test(pid) && isStudy(pid));
  assert.ok(found, "the study has no process");
  return Number(found);
}
