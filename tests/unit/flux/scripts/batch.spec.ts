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

/** The words of each job that the batch script of a command submits, after the options of ours. */
async function jobs(command: string): Promise<string[][]> {
  const pod = aBatchPod(command);
  const run = await runBatch(pod);
  assert.equal(run.status, 0, run.stderr);
  return pod.calls("flux", "submit").map(({ words }) => words.slice(5));
}

const bash = (text: string) => ["bash", "-c", text];

describe("line of a batch job", () => {
  const lines: [name: string, command: string, jobs: string[][]][] = [
    ["of plain words is a job of these words", "task a --b=c -n 4\n", [["task", "a", "--b=c", "-n", "4"]]],
    ["with blanks around is the same job", " \t task  a \r\n", [["task", "a"]]],
    ["with && is one job of bash", "task a && task b", [bash("task a && task b")]],
    ["with a pipe is one job of bash", "task a | cat", [bash("task a | cat")]],
    ["with quotes is one job of bash", `task "it's" 'a "b"'`, [bash(`task "it's" 'a "b"'`)]],
    ["with a variable is left to the bash of the job", "task $FLUX_JOB_ID `id` *", [bash("task $FLUX_JOB_ID `id` *")]],
    ["that sets a variable is one job of bash", "A=1 task", [bash("A=1 task")]],
    ["that is a builtin is one job of bash", "cd /data", [bash("cd /data")]],
    ["may begin with options of flux submit", "-n 2 -N1 task a", [["-n", "2", "-N1", "task", "a"]]],
    [
      "with options has its quotes taken off, and nothing else",
      `--job-name "my job's" -o 'a b' task $x`,
      [["--job-name", "my job's", "-o", "a b", "task", "$x"]],
    ],
    ["that is a comment or blank is no job", "# one\n\n   \n\t# two\n#three", []],
    ["with a comment at its end is one job of bash", "task a # why", [bash("task a # why")]],
    ["is continued by a backslash at its end", "task a \\\n  b \\\n  c\ntask d", [["task", "a", "b", "c"], ["task", "d"]]],
    ["is continued within a word", "task --list=a,\\\nb", [["task", "--list=a,b"]]],
    ["is not continued by two backslashes", "task a\\\\\ntask b", [bash("task a\\\\"), ["task", "b"]]],
    ["that is a comment is not continued", "# task a \\\ntask b", [["task", "b"]]],
    ["is each a job of its own", "task a\ntask b\ntask a", [["task", "a"], ["task", "b"], ["task", "a"]]],
  ]; // prettier-ignore
  for (const [name, command, expected] of lines)
    it(name, async () => {
      assert.deepEqual(await jobs(command), expected);
    });

  const hostile = [
    `task '; touch broken; echo '`,
    "task $(touch broken) `touch broken`",
    "task } ; } ; fi ; touch broken",
    `task "\\" ; touch broken ; echo "`,
    "-n 1 task ; touch broken",
    `--job-name='x'; touch broken #`,
    "task <<END; touch broken",
    "task \u2028 é 🚀 \u00a0 \\ \\' ${x@P} !! ~ %h {{id}} #",
    "flux: -n 4",
  ];
  for (const line of hostile)
    it(`cannot break out of its job: ${line}`, async () => {
      const pod = aBatchPod(`${line}\ntask after`);
      const run = await runBatch(pod);
      assert.equal(run.status, 0, run.stderr);
      const [first, after] = pod.calls("flux", "submit").map(({ words }) => words.slice(5));
      assert.ok(first?.join(" ").includes(line) || line.startsWith("-"), first?.join(" "));
      assert.deepEqual(after, ["task", "after"]);
      assert.deepEqual(fs.readdirSync(pod.at("job")), []);
    });

  it("reaches the task as bash reads it, with its output in files of its own", async () => {
    const pod = aBatchPod(`task "it's" && echo $GREETING\n\ntask two; echo no >&2`);
    fs.mkdirSync(pod.at("/tmp/fluxout"), { recursive: true });
    const run = await runBatch(pod, { STUB_SUBMIT: "run", GREETING: "hello" });
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, "", ""]);
    assert.deepEqual(
      pod.calls("task").map(({ words }) => words[1]),
      ["it's", "two"],
    );
    const written = fs.readdirSync(pod.at("/tmp/fluxout")).sort();
    assert.deepEqual(written, ["job-0.err", "job-0.out", "job-2.err", "job-2.out"]);
    assert.equal(fs.readFileSync(pod.at("/tmp/fluxout/job-0.out"), "utf8"), "hello\n");
    assert.equal(fs.readFileSync(pod.at("/tmp/fluxout/job-2.err"), "utf8"), "no\n");
  });
});

describe("batch script", () => {
  it("submits the jobs to be waited for, waits for all, and lists them", async () => {
    const pod = aBatchPod("task a\ntask b", { logs: "/shared/it's $LOGS" });
    assert.equal((await runBatch(pod)).status, 0);
    const options = (number: number) => [
      "--flags=waitable",
      `--output=/shared/it's $LOGS/job-${number}.out`,
      `--error=/shared/it's $LOGS/job-${number}.err`,
    ];
    assert.deepEqual(
      pod.calls().map(({ words }) => words),
      [
        ["flux", "submit", ...options(0), "task", "a"],
        ["flux", "submit", ...options(1), "task", "b"],
        ["flux", "job", "wait", "--all"],
        ["flux", "jobs", "-a"],
      ],
    );
  });

  const failures: [env: Record<string, string>, status: number][] = [
    [{}, 0],
    [{ STUB_SUBMIT: "3" }, 3],
    [{ STUB_WAIT: "5" }, 5],
    [{ STUB_SUBMIT: "3", STUB_WAIT: "5" }, 5],
  ];
  for (const [failing, status] of failures)
    it(`ends with ${status} after ${JSON.stringify(failing)}, and submits every line`, async () => {
      const pod = aBatchPod("task a\ntask b");
      assert.equal((await runBatch(pod, failing)).status, status);
      assert.equal(pod.calls("flux", "submit").length, 2);
      assert.equal(pod.calls("flux", "jobs", "-a").length, 1);
    });

  const raw: [command: string, script: string][] = [
    [
      "#!/bin/sh -e\n# flux: -n 2\ntask 'a' && \\\n  task b\n",
      "#!/bin/sh -e\n# flux: -n 2\ntask 'a' && \\\n  task b\n",
    ],
    ["#!/usr/bin/env python3\nprint('$x')", "#!/usr/bin/env python3\nprint('$x')\n"],
    ["flux run task a | cat\n\n# done\n\n", "#!/bin/bash\nflux run task a | cat\n\n# done\n\n"],
  ];
  for (const [command, script] of raw)
    it(`is the user's own with batchRaw: ${JSON.stringify(command.slice(0, 30))}`, () => {
      const pod = aBatchPod(command, { batchRaw: true });
      assert.equal(fs.readFileSync(pod.at(`/etc/minicluster/config/${batchFile}`), "utf8"), script);
    });
});

describe("lead of a batch job", () => {
  const script = `/etc/minicluster/config/${batchFile}`;
  const batches: [string, Partial<MiniClusterArgs>, string[]][] = [
    ["asks for nodes and tasks", { size: 2, tasks: 4 }, ["-N", "2", "-n", "4", "--output=kvs", script]],
    ["asks for nodes alone", { size: 2, tasks: 0 }, ["-N", "2", "--output=kvs", script]],
    [
      "has the user's options",
      { size: 2, flux: { optionFlags: `--job-name "a b" -t 5` } },
      ["-n", "1", "--job-name", "a b", "-t", "5", "--output=kvs", script],
    ],
    ["has no option that flux batch does not know", { logging: { debug: true } }, ["-N", "1", "-n", "1", "--output=kvs", script]],
  ]; // prettier-ignore
  for (const [name, args, words] of batches)
    it(name, async () => {
      const pod = aBatchPod("task a", {}, args);
      const run = await pod.run(files.broker);
      assert.equal(run.status, 0, run.stderr);
      assert.deepEqual(pod.calls("flux", "batch")[0]?.words, ["flux", "batch", ...words]);
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

  const statuses: [env: Record<string, string>, status: number, attached: boolean][] = [
    [{}, 0, true],
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

  it("runs the lines in the instance of the job, and shows what their script prints", async () => {
    const pod = aBatchPod("echo printed", { batchRaw: true }, { logging: { quiet: true } });
    const run = await pod.run(files.broker, { env: { STUB_ATTACH: "run" } });
    assert.deepEqual([run.status, run.stdout], [0, "printed\n"]);
  });

  for (const rank of [0, 1])
    it(`finds the directory of the output, and its name in the environment, on rank ${rank}`, async () => {
      const logs = "/shared/the run's $OUTPUT";
      const pod = aBatchPod("task a", { logs }, { size: 2, flux: { completeWorkers: true } });
      const run = await pod.run(files.broker, { rank, env: { STUB_SEEN: "FLUX_OUTPUT_DIR" } });
      assert.equal(run.status, 0, run.stderr);
      assert.ok(fs.statSync(pod.at(logs)).isDirectory());
      assert.equal(pod.calls("flux", "start")[0]?.env.FLUX_OUTPUT_DIR, logs);
    });

  it("is no batch job where the cluster is interactive", async () => {
    const pod = aBatchPod("task a", {}, { interactive: true });
    assert.equal((await pod.run(files.broker)).status, 0);
    assert.deepEqual(pod.calls("flux", "batch"), []);
    assert.ok(!fs.existsSync(pod.at(script)));
  });
});
