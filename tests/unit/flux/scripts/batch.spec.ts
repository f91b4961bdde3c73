import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod, type Pod } from "../../../support/scripts/pod";

const batchFile = files.batch("demo");

const aBatchPod = (command: string, container: Partial<MiniClusterContainerArgs> = {}, args = {}) =>
  aPod({ ...args, containers: [aContainer({ batch: true, command, ...container })] });

/** Runs the batch script as its job does, in the broker's environment. */
const runBatch = (pod: Pod, env: Record<string, string> = {}) =>
  pod.run(batchFile, { env: { PATH: `${pod.at("bin")}:${pod.at("mnt/flux/view/bin")}`, ...env } });

const bash = (text: string) => ["bash", "-c", text];

describe("line of a batch job", () => {
  const lines: [text: string, ...jobs: string[][]][] = [
    ["task a --b=c -n 4", ["task", "a", "--b=c", "-n", "4"]],
    [" \t task  a \r", ["task", "a"]],
    ["task a && task b", bash("task a && task b")],
    [`task "it's" 'a "b"'`, bash(`task "it's" 'a "b"'`)],
    ["task $FLUX_JOB_ID `id` *", bash("task $FLUX_JOB_ID `id` *")],
    ["A=1 task", bash("A=1 task")],
    ["cd /data", bash("cd /data")],
    ["-n 2 -N1 task a", ["-n", "2", "-N1", "task", "a"]],
    [`--job-name "my job's" -o 'a b' task $x`, ["--job-name", "my job's", "-o", "a b", "task", "$x"]],
    ["# one\n\n   \n\t# two\n#three"],
    ["task a # why", bash("task a # why")],
    ["task a \\\n  b \\\n  c\ntask d", ["task", "a", "b", "c"], ["task", "d"]],
    ["task --list=a,\\\nb", ["task", "--list=a,b"]],
    ["task a\\\\\ntask b", bash("task a\\\\"), ["task", "b"]],
    ["# task a \\\ntask b", ["task", "b"]],
  ];
  const hostile = [
    `task '; touch broken; echo '`,
    "task $(touch broken) `touch broken`",
    "task } ; } ; fi ; touch broken",
    `task "\\" ; touch broken ; echo "`,
    "task <<END; touch broken",
    "task \u2028 é 🚀 \u00a0 \\ \\' ${x@P} !! ~ %h {{id}} #",
    "flux: -n 4",
  ];

  it("is a job of its own, of its plain words after options of flux submit, or else of bash", async () => {
    const all = [...lines, ...hostile.map((text): (typeof lines)[number] => [text, bash(text)])];
    const pod = aBatchPod(all.map(([text]) => text).join("\n"));
    const run = await runBatch(pod);
    assert.equal(run.status, 0, run.stderr);
    const submitted = pod.calls("flux", "submit").map(({ words }) => words.slice(5));
    const plain = (words: string[]) => (words[2] === "flux: -n 4" ? ["flux:", "-n", "4"] : words);
    assert.deepEqual(
      submitted,
      all.flatMap(([, ...jobs]) => jobs.map(plain)),
    );
    assert.deepEqual(fs.readdirSync(pod.at("job")), []);
  });

  it("reaches the task as bash reads it, with its output in files of its own", async () => {
    const pod = aBatchPod(`task "it's" && echo $GREETING\n\ntask two; echo no >&2`);
    fs.mkdirSync(pod.at("/tmp/fluxout"), { recursive: true });
    const run = await runBatch(pod, { STUB_SUBMIT: "run", GREETING: "hello" });
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, "", ""]);
    assert.equal(
      pod
        .calls("task")
        .map(({ words }) => words[1])
        .join(),
      "it's,two",
    );
    const written = fs.readdirSync(pod.at("/tmp/fluxout")).sort();
    assert.deepEqual(written, ["job-0.err", "job-0.out", "job-2.err", "job-2.out"]);
    assert.equal(fs.readFileSync(pod.at("/tmp/fluxout/job-0.out"), "utf8"), "hello\n");
    assert.equal(fs.readFileSync(pod.at("/tmp/fluxout/job-2.err"), "utf8"), "no\n");
  });
});

describe("batch script", () => {
  const failures: [env: Record<string, string>, status: number][] = [
    [{}, 0],
    [{ STUB_SUBMIT: "3" }, 3],
    [{ STUB_SUBMIT: "3", STUB_WAIT: "5" }, 5],
  ];
  for (const [failing, status] of failures)
    it(`submits every line, waits for all, lists them, and ends with ${status} after ${JSON.stringify(failing)}`, async () => {
      const pod = aBatchPod("task a\ntask b", { logs: "/shared/it's $LOGS" });
      assert.equal((await runBatch(pod, failing)).status, status);
      const submit = (number: number, job: string) => [
        ...["flux", "submit", "--flags=waitable", `--output=/shared/it's $LOGS/job-${number}.out`],
        ...[`--error=/shared/it's $LOGS/job-${number}.err`, "task", job],
      ];
      assert.deepEqual(
        pod.calls().map(({ words }) => words),
        [submit(0, "a"), submit(1, "b"), ["flux", "job", "wait", "--all"], ["flux", "jobs", "-a"]],
      );
    });

  const raw: [command: string, script: string][] = [
    ["#!/bin/sh -e\n# flux: -n 2\ntask 'a' && \\\n  task b", "#!/bin/sh -e\n# flux: -n 2\ntask 'a' && \\\n  task b\n"],
    ["flux run task a | cat\n\n# done\n\n", "#!/bin/bash\nflux run task a | cat\n\n# done\n\n"],
  ];
  for (const [command, script] of raw)
    it(`is the user's own with batchRaw: ${JSON.stringify(command.slice(0, 30))}`, () => {
      const pod = aBatchPod(command, { batchRaw: true });
      assert.equal(fs.readFileSync(pod.at(`/etc/minicluster/config/${batchFile}`), "utf8"), script);
    });
});

describe("lead of a batch job", () => {
  const script = ["--output=kvs", `/etc/minicluster/config/${batchFile}`];
  const batches: [name: string, args: Partial<MiniClusterArgs>, words: string[]][] = [
    ["asks for nodes and tasks", { size: 2, tasks: 4 }, ["-N", "2", "-n", "4"]],
    ["asks for nodes alone", { size: 2, tasks: 0 }, ["-N", "2"]],
    ["has the user's options", { size: 2, flux: { optionFlags: `--job-name "a b" -t 5` } }, ["-n", "1", "--job-name", "a b", "-t", "5"]],
    ["has no option that flux batch does not know", { logging: { debug: true } }, ["-N", "1", "-n", "1"]],
  ]; // prettier-ignore
  for (const [name, args, words] of batches)
    it(name, async () => {
      const pod = aBatchPod("task a", {}, args);
      const run = await pod.run(files.broker);
      assert.equal(run.status, 0, run.stderr);
      assert.deepEqual(pod.calls("flux", "batch")[0]?.words, ["flux", "batch", ...words, ...script]);
      const attach = args.logging?.debug ? ["-vEX", "fbatch"] : ["fbatch"];
      assert.deepEqual(pod.calls("flux", "job")[0]?.words, ["flux", "job", "attach", ...attach]);
    });

  it("comes after the prefix, and is timed", async () => {
    const pod = aBatchPod("task a", { commands: { prefix: "strace -f" } }, { logging: { timed: true } });
    pod.addProgram("strace");
    const run = await pod.run(files.broker);
    assert.deepEqual(pod.calls("strace")[0]?.words.slice(0, 4), ["strace", "-f", "bash", "-c"]);
    assert.equal(pod.calls("flux", "job", "attach", "fbatch").length, 1);
    assert.match(run.stderr, /^FLUXTIME fluxsubmit wall time/m);
  });

  const statuses: [env: Record<string, string>, status: number, isAttached: boolean][] = [
    [{ STUB_ATTACH: "4" }, 4, true],
    [{ STUB_BATCH: "2" }, 2, false],
    [{ STUB_ATTACH: "run", STUB_WAIT: "7" }, 7, true],
  ];
  for (const [env, status, isAttached] of statuses)
    it(`ends with ${status} after ${JSON.stringify(env)}`, async () => {
      const pod = aBatchPod("task a");
      assert.equal((await pod.run(files.broker, { env })).status, status);
      assert.equal(pod.calls("flux", "job", "attach").length, isAttached ? 1 : 0);
    });

  it("runs the lines in the instance of the job, shows what they print, and hands on every variable", async () => {
    const pod = aBatchPod("/usr/bin/env", { batchRaw: true }, { logging: { quiet: true } });
    const env = { STUB_ATTACH: "run", "a-b.c": "1", " 2 ": "it's two" };
    const run = await pod.run(files.broker, { env });
    assert.equal(run.status, 0);
    for (const line of [/^a-b\.c=1$/m, /^ 2 =it's two$/m]) assert.match(run.stdout, line);
  });
});
