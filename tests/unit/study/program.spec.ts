import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { type AppSpec, runsOf, type StudySpec } from "../../../provider/study/parse/runs";
import { waitFor } from "../../sandbox/waiting";
import { attempts, ended, figure, ofCommand, studySpec, withStudyProgram } from "../../support/study";

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

  it("finds the figure beside every line separator of Python", () =>
    withStudyProgram(async ({ ask, results }) => {
      const separators = ["\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"];
      const apps = Object.fromEntries(
        separators.map((separator, index) => [
          `app-${index}`,
          {
            command: `printf '%s' 'took 12.5${separator} s' '${separator}'`,
            figure: { ...figure, pattern: "took ([0-9.]+)" },
          },
        ]),
      );
      const spec = studySpec({ sizes: [1], repeats: 1, apps });
      const found = results(spec, await ask("follow", spec));
      assert.deepEqual(
        found.map((result) => [result.app, result.attempts, result.figure]),
        separators.map((_, index) => [`app-${index}`, 1, 12.5]),
      );
    }));

  it("reports a job that Flux refuses, and goes on with the next run", () =>
    withStudyProgram(async ({ ask, results }) => {
      const spec = studySpec({ sizes: [1], repeats: 1, apps: { bad: { command: "a" }, good: { command: "true" } } });
      for (const command of ["echo \0", "echo \ud800"]) {
        const refused = { ...spec, apps: { ...spec.apps, bad: { ...spec.apps["bad"]!, command } } };
        const found = results(refused, await ask("follow", refused));
        assert.deepEqual(
          found.map(({ app, ok, attempts }) => [app, ok, attempts]),
          [
            ["bad", false, 2],
            ["good", true, 1],
          ],
        );
        assert.match(found[0]?.error ?? "", /^Flux has refused the job: /);
      }
    }));

  it("gives up a run that ends the program in each attempt, and goes on with the next run", () =>
    withStudyProgram(async ({ ask, results }) => {
      // In the stand-in of Flux the program is the parent of its jobs.
      const apps = { deadly: { command: "kill -9 $PPID" }, good: { command: "true" } };
      const spec = { ...studySpec({ sizes: [1], repeats: 1, apps }), retries: 3 };
      const entries = await ask("follow", spec);
      assert.equal(attempts(spec, entries, "submit").filter((run) => run === "deadly 1 1").length, 4);
      assert.deepEqual(
        results(spec, entries).map(({ app, ok, attempts: count, error }) => [app, ok, count, error]),
        [
          ["deadly", false, 4, "the program that runs the study has ended during each attempt"],
          ["good", true, 1, undefined],
        ],
      );
    }));

  it("does not count an attempt that was cancelled because its run had left the study", () =>
    withStudyProgram(async ({ ask, start, results, directory }) => {
      const file = path.join(directory, "second");
      const command = `[ -e ${file} ] || sleep 60`;
      const spec = { ...studySpec({ sizes: [1], repeats: 1, apps: { app: { command } } }), retries: 0 };
      start("start", spec);
      await waitFor("the run", async () => attempts(spec, await ask("look", spec), "start").length === 1);
      await ask("stop", spec);
      fs.writeFileSync(file, "");
      const found = results(spec, await ask("follow", spec));
      assert.deepEqual(
        found.map(({ ok, attempts: count }) => [ok, count]),
        [[true, 1]],
      );
    }));

  const invalid = [
    "\\p{L} ([0-9]+)",
    "(?<=a+)([0-9]+)",
    "\\u{41}([0-9]+)",
    "[^]([0-9]+)",
    "\\cA([0-9]+)",
    "([0-9]+)\\k",
  ];
  it("runs nothing with a pattern that Python refuses", () =>
    withStudyProgram(async ({ ask, directory }) => {
      const file = path.join(directory, "ran");
      const spec = ofCommand(`touch ${file}`, { figure });
      const apps = invalid.map((pattern, index): [string, AppSpec] => [
        `app-${index}`,
        { ...spec.apps["app"]!, figure: { ...figure, pattern } },
      ]);
      await assert.rejects(ask("follow", { ...spec, apps: Object.fromEntries(apps) }), ({ message }: Error) => {
        const problems = message.split("; ");
        assert.equal(problems.pop(), "no run was started\n");
        assert.equal(problems.length, invalid.length);
        for (const problem of problems)
          assert.match(problem, /^apps\.app-\d\.figure\.pattern is not valid in Python: ./);
        return true;
      });
      assert.ok(!fs.existsSync(file));
    }));

  it("reads a journal with a line that a full disk has cut, and with a figure that is not finite", () =>
    withStudyProgram(async ({ ask, results, directory }) => {
      const spec = ofCommand("echo took 1 s", { figure });
      const [run] = runsOf(spec);
      const end = JSON.stringify(ended(run!)).replace('"figure":60', '"figure":NaN');
      fs.writeFileSync(path.join(directory, "study-demo.journal"), `{"at":"sub{"at":"x"}\n[]\nnull\n\xff\n${end}\n`);
      const [result] = results(spec, await ask("follow", spec));
      assert.deepEqual([result?.figure, result?.error], [undefined, "the pattern finds a number that is not finite"]);
    }));
});
