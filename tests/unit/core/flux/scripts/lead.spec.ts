import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import type { MiniClusterArgs } from "../../../../../provider";
import { aContainer } from "../../../../support/fixtures";
import { files } from "../../../../support/scripts/paths";
import { aPod, usualOptions } from "../../../../support/scripts/pod";

const usual = usualOptions(6);

/** The words of the calls that rank 0 makes. */
async function lead(args: Partial<MiniClusterArgs>, program = "strace"): Promise<string[][]> {
  const pod = aPod(args);
  pod.addProgram(program);
  await pod.broker();
  return pod.calls().map(({ words }) => words);
}

describe("lead broker", () => {
  it("describes the hosts, starts the broker and submits the command in it", async () => {
    const submit = "flux submit -n 2 --quiet --watch echo hello world".split(" ");
    assert.deepEqual(await lead({ size: 4, maxSize: 16, tasks: 2 }), [
      ["flux", "R", "encode", "--hosts=demo-[0-15]", "--local"],
      ["flux", "start", ...usual, "-Sbroker.quorum=4", ...submit],
      submit,
    ]);
  });

  it("passes the command itself to the broker in launcher mode", async () => {
    const container = aContainer({ launcher: true, command: "task -n 4 flow.py", commands: { prefix: "strace -f" } });
    const task = ["task", "-n", "4", "flow.py"];
    assert.deepEqual((await lead({ containers: [container], tasks: 8 })).slice(1), [
      ["flux", "start", ...usual, "-Sbroker.quorum=1", "strace", "-f", ...task],
      ["strace", "-f", ...task],
      task,
    ]);
  });

  for (const args of [{ interactive: true }, { containers: [aContainer({ command: undefined })] }])
    it(`stays up with no initial program, behind its wrap: ${JSON.stringify(args)}`, async () => {
      const last = ["-Sbroker.quorum=1", "-Sbroker.rc2_none"];
      assert.deepEqual((await lead(args)).slice(1), [["flux", "broker", ...usual, ...last]]);
      const [, wrapped] = await lead({ ...args, flux: { wrap: "valgrind,-q" } });
      assert.deepEqual(wrapped, ["flux", "start", "--wrap=valgrind,-q", ...usual, ...last]);
    });
});

describe("tasks and nodes of the submitted command", () => {
  const cases: [tasks: number | undefined, size: number, want: string][] = [
    [undefined, 4, "-N 4"],
    [1, 1, "-N 1 -n 1"],
    [3, 4, "-n 3"],
    [4, 4, "-N 4 -n 4"],
    [9, 4, "-N 4 -n 9"],
  ];
  for (const [tasks, size, want] of cases)
    it(`${tasks ?? "default"} tasks at size ${size} are ${want}, as is the quorum`, async () => {
      const pod = aPod({ tasks, size: 2, maxSize: 8 });
      assert.ok((await pod.broker({ size })).words.includes(`-Sbroker.quorum=${size}`));
      assert.deepEqual(pod.wordsOf("flux", "submit"), [`${want} --quiet --watch echo hello world`]);
    });
});

describe("broker options", () => {
  const cases: [args: Pick<MiniClusterArgs, "flux" | "logging">, without: string[], added: string[]][] = [
    [
      { flux: { connectTimeout: "500ms", logLevel: 0, disableSocket: true } },
      ["-Stbon.connect_timeout=5s", "-Slog-stderr-level=6", "-Slocal-uri=local:///mnt/flux/config/run/flux/local"],
      ["-Stbon.connect_timeout=500ms", "-Slog-stderr-level=0"],
    ],
    [
      { flux: { topology: "kary:2", wrap: "strace,-o,it's a file" }, logging: { zeromq: true, quiet: true } },
      ["-Slog-stderr-level=6"],
      ["-Stbon.topo=kary:2", "--wrap=strace,-o,it's a file", "-Stbon.zmqdebug=1", "-Slog-stderr-level=0"],
    ],
  ];
  for (const rank of [0, 1])
    for (const [args, without, added] of cases)
      it(`follow ${JSON.stringify(args)} on rank ${rank}, and a follower has no quorum and no program`, async () => {
        const { words } = await aPod({ ...args, flux: { ...args.flux, completeWorkers: true } }).broker({ rank });
        const own = words.slice(2, rank === 0 ? words.indexOf("-Slog-stderr-mode=local") + 1 : undefined);
        assert.deepEqual(own.sort(), [...usual.filter((word) => !without.includes(word)), ...added].sort());
      });
});

describe("submit command", () => {
  const prefix = { containers: [aContainer({ commands: { prefix: `wrapper --title="a b"` } })] };
  const cases: [name: string, args: Partial<MiniClusterArgs>, want: string[]][] = [
    ["submitCommand", { flux: { submitCommand: "flux run --env 'A=b c'" } }, ["flux", "run", "--env", "A=b c", "-N"]],
    [
      "optionFlags, word by word",
      { flux: { optionFlags: `-ompi=pmix --job-name "it's $HOME" -o 'two\nlines' ""` } },
      ["-ompi=pmix", "--job-name", "it's $HOME", "-o", "two\nlines", "", "--quiet", "--watch", "echo"],
    ],
    ["debug", { logging: { debug: true } }, ["-vvv", "--quiet", "--watch", "echo"]],
    ["the prefix", prefix, ["wrapper", "--title=a b", "flux", "submit", "-N", "2", "--quiet"]],
  ];
  for (const [name, args, want] of cases)
    it(`follows ${name}`, async () => {
      const start = (await lead({ ...args, size: 2 }, "wrapper")).find((words) => words[1] === "start") ?? [];
      const at = start.indexOf(want[0]!, 2);
      assert.deepEqual(start.slice(at, at + want.length), want);
    });
});

describe("the program of the lead broker's pod", () => {
  it("is started again after any status, in strict mode as well", async () => {
    const pod = aPod({ size: 4, interactive: true, logging: { strict: true } });
    const program = pod.at("/etc/minicluster/programs/lead.pyz");
    fs.mkdirSync(path.dirname(program), { recursive: true });
    fs.writeFileSync(program, "");
    // The stand-in of flux python fails each time.
    const env = { STUB_START: "stay", STUB_PATIENCE: "0.1" };
    await pod.leave(files.broker, { env }, 3, "flux", "python");
  });
});
