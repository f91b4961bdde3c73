import assert from "node:assert/strict";

import { imageNames } from "../../sandbox/real";
import { realContainer, together } from "../clusters";
import type { Look } from "../look";

/** As a shell takes it for one word. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const awkward = `a  b '"'"$HOME" \`x\` \\ * ? [a] {b,c} ~ # ! & | ; < > ( ) %s é €`;

const hostnames = { size: 2, containers: [realContainer({ command: "hostname" })] };

const main = (args: Parameters<typeof realContainer>[0]) => [realContainer(args)];

/** The lines of a log that are not Flux's or ours. */
const printed = (log: string) =>
  log
    .split("\n")
    .filter((line) => line !== "" && !/^(minicluster:|flux-|(<\d>)?[\w-]+\.\w+\[\d+\]:)/.test(line))
    .sort();

/** Waits for the end of a cluster, and returns the log of its lead. */
async function outcome(cluster: Look): Promise<string> {
  assert.equal((await cluster.ended()).verdict, "Complete");
  return cluster.logs();
}

describe("the modes of a cluster", () => {
  const cluster = together({
    submit: { ...hostnames, size: 3 },
    awkward: { containers: main({ command: `bash -c ${quote(`printf '%s\\n' ${quote(awkward)}`)}` }) },
    launcher: { size: 2, containers: main({ command: "flux run -N 2 hostname", launcher: true }) },
    // The files of a job are on its host, which Fluxion chooses.
    batch: {
      containers: main({
        command: "echo one\necho two\n# nothing\nhostname",
        batch: true,
        logs: "/tmp/out",
        commands: { post: "cat /tmp/out/job-*.out" },
      }),
    },
    rawBatch: {
      size: 2,
      containers: main({
        command: "#!/bin/bash\nfor word in one two; do flux run echo $word; done\n",
        batch: true,
        batchRaw: true,
      }),
    },
    script: {
      containers: main({
        command: undefined,
        commands: {
          script: "echo script of $WHO on $(hostname)",
          init: "export WHO=init",
          pre: "WHO=pre",
          post: "echo post of $WHO",
        },
      }),
    },
    timed: { logging: { timed: true } },
    quiet: { size: 2, tasks: 1, logging: { quiet: true } },
    interactive: { size: 2, interactive: true },
    sidecar: {
      size: 2,
      containers: [
        realContainer({ runFlux: true, command: "sleep 4" }),
        realContainer({
          name: "beside",
          runFlux: false,
          command: `bash -c 'flux proxy $fluxsocket flux getattr rank; echo done'`,
        }),
      ],
    },
    wrapped: { flux: { wrap: "env,WRAPPED=yes" }, containers: main({ command: "env" }) },
    imageVolume: { ...hostnames, flux: { container: { imageVolume: true } } },
    noView: {
      ...hostnames,
      flux: { container: { disable: true } },
      containers: main({
        command: "hostname",
        image: imageNames.view,
        environment: { PATH: "/opt/view/bin:/usr/bin:/bin" },
      }),
    },
  });

  it("submit: runs the command on every host, and its output is in the log of the lead", async () => {
    assert.deepEqual(printed(await outcome(cluster("submit"))), ["demo-0", "demo-1", "demo-2"]);
  });

  it("submit: passes every character on as it was written", async () => {
    assert.deepEqual(printed(await outcome(cluster("awkward"))), [awkward]);
  });

  it("launcher: runs the command once, and lets it use the instance", async () => {
    assert.deepEqual(printed(await outcome(cluster("launcher"))), ["demo-0", "demo-1"]);
  });

  it("batch: runs every line as a separate job, with its output in files", async () => {
    const log = await outcome(cluster("batch"));
    for (const line of ["one", "two", "demo-0"]) assert.match(log, new RegExp(`^${line}$`, "m"));
  });

  it("raw batch: runs the script as it is", async () => {
    assert.deepEqual(printed(await outcome(cluster("rawBatch"))), ["one", "two"]);
  });

  it("script: runs the user's file, with what init, pre and post do around it", async () => {
    assert.deepEqual(printed(await outcome(cluster("script"))), ["post of pre", "script of pre on demo-0"]);
  });

  it("timed: says how long it took, from outside and from inside", async () => {
    const log = await outcome(cluster("timed"));
    assert.match(log, /^FLUXTIME fluxstart wall time \d/m);
    assert.match(log, /^FLUXTIME fluxsubmit wall time \d/m);
  });

  it("quiet: prints what the command prints, and nothing else", async () => {
    assert.equal(await outcome(cluster("quiet")), "hello world\n");
  });

  it("interactive: stays, and takes commands through its socket", async () => {
    const interactive = cluster("interactive");
    await interactive.ready(2);
    await interactive.hosts(2);
    const output = await interactive.bash(1, `flux proxy "$fluxsocket" flux run -N 2 hostname`);
    assert.deepEqual(printed(output), ["demo-0", "demo-1"]);
    assert.equal((await interactive.ready(2)).length, 2);
  });

  it("sidecar: runs beside the broker in every pod, with a way to its socket", async () => {
    await outcome(cluster("sidecar"));
    assert.match(await cluster("sidecar").logs(0, "beside"), /^0\ndone$/m);
  });

  it("wrapped: puts a program of the user's before the broker", async () => {
    assert.match(await outcome(cluster("wrapped")), /^WRAPPED=yes$/m);
  });

  it("with the view as an image volume: no init container copies it", async () => {
    const seen = cluster("imageVolume");
    assert.deepEqual(printed(await outcome(seen)), ["demo-0", "demo-1"]);
    for (const { pod } of await seen.pods())
      assert.deepEqual((pod as { spec?: { initContainers?: [] } }).spec?.initContainers ?? [], []);
  });

  it("without a view: takes the Flux that the image has", async () => {
    assert.deepEqual(printed(await outcome(cluster("noView"))), ["demo-0", "demo-1"]);
  });
});
