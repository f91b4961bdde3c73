import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../../provider";
import { aContainer } from "../../../../support/fixtures";
import { files } from "../../../../support/scripts/paths";
import { aPod, type Pod } from "../../../../support/scripts/pod";

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
    ["A=1 task", bash("A=1 task")],
    ["cd /data", bash("cd /data")],
    [`--job-name "my job's" -o 'a b' -N1 task $x`, ["--job-name", "my job's", "-o", "a b", "-N1", "task", "$x"]],
    ["# one\n\n   \n\t# two\n#three"],
    ["task a # why", bash("task a # why")],
    ["task a \\\n  b \\\n  c\ntask --list=a,\\\nb", ["task", "a", "b", "c"], ["task", "--list=a,b"]],
    ["task a\\\\\ntask b", bash("task a\\\\"), ["task", "b"]],
    ["# task a \\\ntask b", ["task", "b"]],
    ["flux: -n 4", ["flux:", "-n", "4"]],
  ];
  const hostile = [
    `task '; touch broken; echo '`,
    "task $(touch broken) `touch broken` && task b",
    "task } fi ; touch broken",
    `task "\\" ; touch broken ; echo "`,
    "task <<END; touch broken",
    "task \u2028 é 🚀 \u00a0 \\ \\' ${x@P} !! ~ %h {{id}} #",
  ];

  it("is a separate job, of its plain words after options of flux submit, or else of bash", async () => {
    const all = [...lines, ...hostile.map((text): (typeof lines)[number] => [text, bash(text)])];
    const pod = aBatchPod(all.map(([text]) => text).join("\n"));
    const run = await runBatch(pod);
    assert.equal(run.status, 0, run.stderr);
    const submitted = pod.calls("flux", "submit").map(({ words }) => words.slice(5));
    const want = all.flatMap(([, ...jobs]) => jobs);
    assert.deepEqual(submitted, want);
    assert.deepEqual(fs.readdirSync(pod.at("job")), []);
  });

  it("reaches the task as bash reads it, with its output in separate files", async () => {
    const pod = aBatchPod(`task "it's" && echo $GREETING\n\ntask two; echo no >&2`);
    fs.mkdirSync(pod.at("/tmp/fluxout"), { recursive: true });
    const run = await runBatch(pod, { STUB_SUBMIT: "run", GREETING: "hello" });
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, "", ""]);
    assert.deepEqual(pod.wordsOf("task"), ["it's", "two"]);
    const files = fs.readdirSync(pod.at("/tmp/fluxout"));
    assert.deepEqual(
      Object.fromEntries(files.map((file) => [file, fs.readFileSync(pod.at(`/tmp/fluxout/${file}`), "utf8")])),
      { "job-0.err": "", "job-0.out": "hello\n", "job-2.err": "no\n", "job-2.out": "" },
    );
  });
});

describe("batch script", () => {
  const failures: Record<string, string>[] = [{}, { STUB_SUBMIT: "3" }, { STUB_SUBMIT: "3", STUB_WAIT: "5" }];
  for (const [failing, status] of failures.map((each) => [each, Number(Object.values(each).at(-1) ?? 0)] as const))
    it(`submits every line, lists all at the end, exits with ${status} after ${JSON.stringify(failing)}`, async () => {
      const pod = aBatchPod("task a\ntask b", { logs: "/shared/it's $LOGS" });
      assert.equal((await runBatch(pod, failing)).status, status);
      const submit = (number: number, job: string) => {
        const file = `/shared/it's $LOGS/job-${number}`;
        return `submit --flags=waitable --output=${file}.out --error=${file}.err task ${job}`;
      };
      assert.deepEqual(pod.wordsOf("flux"), [submit(0, "a"), submit(1, "b"), "job wait --all", "jobs -a"]);
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
  const batches: [name: string, args: Partial<MiniClusterArgs>, words: string][] = [
    ["requests nodes and tasks", { size: 2, tasks: 4 }, "-N 2 -n 4"],
    ["requests nodes alone", { size: 2 }, "-N 2"],
    ["has the user's options", { size: 2, flux: { optionFlags: `--job-name "a b" -t 5` } }, "-N 2 --job-name a b -t 5"],
    ["has no option that flux batch does not know", { logging: { debug: true } }, "-N 1"],
  ];
  for (const [name, args, words] of batches)
    it(name, async () => {
      const pod = aBatchPod("task a", {}, args);
      await pod.broker();
      assert.deepEqual(pod.wordsOf("flux", "batch"), [`${words} --output=kvs /etc/minicluster/config/${batchFile}`]);
      assert.deepEqual(pod.wordsOf("flux", "job"), [args.logging?.debug ? "attach -vEX fbatch" : "attach fbatch"]);
    });

  it("comes after the prefix, and is timed", async () => {
    const pod = aBatchPod("task a", { commands: { prefix: "strace -f" } }, { logging: { timed: true } });
    pod.addProgram("strace");
    assert.match((await pod.run(files.broker)).stderr, /^FLUXTIME fluxsubmit wall time/m);
    assert.match(pod.wordsOf("strace").join(), /^-f bash .*watch\.sh /);
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
