import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { planOf } from "../../../provider/study/parse/plan";
import { waitFor } from "../../sandbox/waiting";
import { attempts, ofCommand, studySpec, withStudyProgram } from "../../support/study";

describe("the program that runs a study again", function () {
  this.timeout(60_000);

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

  it("goes on when a resource that another one has replaced is deleted", () =>
    withStudyProgram(async ({ ask, results, directory }) => {
      const file = path.join(directory, "now");
      const spec = ofCommand(`until [ -e ${file} ]; do sleep 0.1; done`);
      await ask("start", spec, [], "old");
      await ask("start", spec, [], "new");
      await ask("stop", spec, [], "old");
      fs.writeFileSync(file, "");
      const entries = await ask("follow", spec, [], "new");
      assert.equal(attempts(spec, entries, "submit").length, 1);
      assert.equal(results(spec, entries).length, 1);
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
