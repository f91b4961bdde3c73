import * as assert from "node:assert/strict";
import type { MiniClusterArgs, MiniClusterFluxArgs, MiniClusterLoggingArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod, type ScriptOptions } from "../../../support/scripts/pod";

/** Options that every broker gets when nothing else is asked for. */
const usual = [
  "--config-path=/etc/minicluster/config/broker.toml",
  "-Scron.directory=/mnt/flux/config/etc/flux/system/cron.d",
  "-Stbon.fanout=256",
  "-Srundir=/mnt/flux/config/run/flux",
  "-Sstatedir=/mnt/flux/config/var/lib/flux",
  "-Slocal-uri=local:///mnt/flux/config/run/flux/local",
  "-Stbon.connect_timeout=5s",
  "-Slog-stderr-level=6",
  "-Slog-stderr-mode=local",
];

/** The words of the calls that rank 0 makes, after a look at its exit status. */
async function lead(args: Partial<MiniClusterArgs>, options?: ScriptOptions): Promise<string[][]> {
  const pod = aPod(args);
  const run = await pod.run(files.broker, options);
  assert.equal(run.status, 0, run.stderr);
  return pod.calls().map(({ words }) => words);
}

describe("lead broker", () => {
  it("describes the hosts, starts the broker and submits the command in it", async () => {
    assert.deepEqual(await lead({ size: 4, maxSize: 16, tasks: 2 }), [
      ["flux", "R", "encode", "--hosts=demo-[0-15]", "--local"],
      [
        "flux",
        "start",
        ...usual,
        "-Sbroker.quorum=4",
        ..."flux submit -n 2 --quiet --watch echo hello world".split(" "),
      ],
      ["flux", "submit", "-n", "2", "--quiet", "--watch", "echo", "hello", "world"],
    ]);
  });

  it("hands the command itself to the broker in launcher mode", async () => {
    const container = aContainer({ launcher: true, command: "task -n 4 flow.py", commands: { prefix: "strace -f" } });
    const pod = aPod({ containers: [container], tasks: 8 });
    pod.addProgram("strace");
    assert.equal((await pod.run(files.broker)).status, 0);
    const [start, ...others] = pod
      .calls()
      .slice(1)
      .map(({ words }) => words);
    assert.deepEqual(start, [
      "flux",
      "start",
      ...usual,
      "-Sbroker.quorum=1",
      "strace",
      "-f",
      "task",
      "-n",
      "4",
      "flow.py",
    ]);
    assert.deepEqual(others, [
      ["strace", "-f", "task", "-n", "4", "flow.py"],
      ["task", "-n", "4", "flow.py"],
    ]);
  });

  it("puts the wrap before an idle broker as well", async () => {
    const [, broker] = await lead({ interactive: true, flux: { wrap: "valgrind,-q" } });
    assert.deepEqual(broker?.slice(0, 3), ["flux", "start", "--wrap=valgrind,-q"]);
    assert.equal(broker.at(-1), "-Sbroker.rc2_none");
  });

  const idle: [string, Partial<MiniClusterArgs>][] = [
    ["an interactive cluster", { interactive: true }],
    ["a cluster with no command", { containers: [aContainer({ command: undefined })] }],
    ["a cluster whose command is blank", { containers: [aContainer({ command: " " })] }],
  ];
  for (const [name, args] of idle)
    it(`keeps ${name} up with no initial program`, async () => {
      const [, broker, ...others] = await lead(args);
      assert.deepEqual(broker, ["flux", "broker", ...usual, "-Sbroker.quorum=1", "-Sbroker.rc2_none"]);
      assert.deepEqual(others, []);
    });
});

describe("tasks and nodes of the submitted command", () => {
  const cases: [tasks: number, size: number, expected: string[]][] = [
    [0, 1, ["-N", "1"]],
    [0, 4, ["-N", "4"]],
    [1, 1, ["-N", "1", "-n", "1"]],
    [3, 4, ["-n", "3"]],
    [4, 4, ["-N", "4", "-n", "4"]],
    [9, 4, ["-N", "4", "-n", "9"]],
  ];
  for (const [tasks, size, expected] of cases)
    it(`${tasks} tasks at size ${size} are ${expected.join(" ")}`, async () => {
      const submit = (await lead({ tasks, size })).at(-1);
      assert.deepEqual(submit, ["flux", "submit", ...expected, "--quiet", "--watch", "echo", "hello", "world"]);
    });

  it("follow the size at the moment the pod starts, and so does the quorum", async () => {
    const pod = aPod({ size: 2, maxSize: 8, tasks: 4 });
    for (const size of [2, 8, 4]) assert.equal((await pod.run(files.broker, { size })).status, 0);
    const starts = pod.calls("flux", "start").map(({ words }) => words.find((word) => word.includes("quorum")));
    assert.deepEqual(starts, ["-Sbroker.quorum=2", "-Sbroker.quorum=8", "-Sbroker.quorum=4"]);
    const submits = pod.calls("flux", "submit").map(({ words }) => words.slice(2, words.indexOf("--quiet")).join(" "));
    assert.deepEqual(submits, ["-N 2 -n 4", "-n 4", "-N 4 -n 4"]);
  });

  it("leave the quorum at minSize where it is given", async () => {
    const [, start] = await lead({ size: 4, minSize: 3 }, { size: 8 });
    assert.ok(start?.includes("-Sbroker.quorum=3"));
  });
});

describe("broker options", () => {
  const cases: [
    string,
    { flux?: MiniClusterFluxArgs; logging?: MiniClusterLoggingArgs },
    [string, string | undefined],
  ][] = [
    [
      "connectTimeout",
      { flux: { connectTimeout: "500ms" } },
      ["-Stbon.connect_timeout=5s", "-Stbon.connect_timeout=500ms"],
    ],
    ["logLevel", { flux: { logLevel: 0 } }, ["-Slog-stderr-level=6", "-Slog-stderr-level=0"]],
    ["quiet", { logging: { quiet: true } }, ["-Slog-stderr-level=6", "-Slog-stderr-level=0"]],
    [
      "disableSocket",
      { flux: { disableSocket: true } },
      ["-Slocal-uri=local:///mnt/flux/config/run/flux/local", undefined],
    ],
    ["topology", { flux: { topology: "kary:2" } }, ["", "-Stbon.topo=kary:2"]],
    ["zeromq", { logging: { zeromq: true } }, ["", "-Stbon.zmqdebug=1"]],
    ["wrap", { flux: { wrap: "strace,-o,it's a file" } }, ["", "--wrap=strace,-o,it's a file"]],
  ];
  for (const rank of [0, 1])
    for (const [name, args, [without, changed]] of cases)
      it(`follow ${name} on rank ${rank}`, async () => {
        const pod = aPod({ ...args, flux: { ...args.flux, completeWorkers: true } });
        assert.equal((await pod.run(files.broker, { rank })).status, 0);
        const words = pod
          .calls("flux", "start")[0]!
          .words.slice(2)
          .filter((word) => word.startsWith("-"));
        const own = words.slice(0, words.indexOf("-Slog-stderr-mode=local") + 1);
        const expected = [...usual.filter((word) => word !== without), ...(changed === undefined ? [] : [changed])];
        assert.deepEqual(own.sort(), expected.sort());
      });
});

describe("submit command", () => {
  const cases: [string, Partial<MiniClusterArgs>, string[]][] = [
    ["submitCommand", { flux: { submitCommand: "flux run --env 'A=b c'" } }, ["flux", "run", "--env", "A=b c", "-n"]],
    [
      "optionFlags, word by word",
      { flux: { optionFlags: `-ompi=pmix --job-name "it's $HOME" -o 'two\nlines' ""` } },
      ["-ompi=pmix", "--job-name", "it's $HOME", "-o", "two\nlines", "", "--quiet", "--watch", "echo"],
    ],
    ["debug", { logging: { debug: true } }, ["-vvv", "--quiet", "--watch", "echo"]],
  ];
  for (const [name, args, expected] of cases)
    it(`follows ${name}`, async () => {
      const words = (await lead({ ...args, size: 2 })).at(-1) ?? [];
      const at = words.indexOf(expected[0]!);
      assert.deepEqual(words.slice(at, at + expected.length), expected);
    });

  it("comes after the prefix", async () => {
    const pod = aPod({ size: 2, containers: [aContainer({ commands: { prefix: `wrapper --title="a b"` } })] });
    pod.addProgram("wrapper");
    assert.equal((await pod.run(files.broker)).status, 0);
    const expected = [
      "wrapper",
      "--title=a b",
      "flux",
      "submit",
      "-n",
      "1",
      "--quiet",
      "--watch",
      "echo",
      "hello",
      "world",
    ];
    assert.deepEqual(pod.calls("wrapper")[0]?.words, expected);
    assert.deepEqual(pod.calls("flux", "submit")[0]?.words, expected.slice(2));
  });
});
