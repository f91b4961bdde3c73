import assert from "node:assert/strict";

import type { MiniClusterArgs } from "../../../provider";
import { realContainer, type RealCluster, withRealCluster } from "../lab";

/** Runs a cluster to its end, and returns the log of its lead. */
async function run(args: Partial<MiniClusterArgs>, look?: (cluster: RealCluster) => Promise<void>): Promise<string> {
  let log = "";
  await withRealCluster(args, async (cluster) => {
    await cluster.stack.up();
    assert.equal((await cluster.ended()).verdict, "Complete");
    log = await cluster.logs();
    await look?.(cluster);
  });
  return log;
}

/** The lines of a log that are not Flux's or ours. */
const printed = (log: string) =>
  log
    .split("\n")
    .filter((line) => line !== "" && !/^(minicluster|flux-|broker\.)/.test(line))
    .sort();

describe("the modes of a cluster", () => {
  it("submit: runs the command on every host, and its output is in the log of the lead", async () => {
    const log = await run({ size: 3, tasks: 0, containers: [realContainer({ command: "hostname" })] });
    assert.deepEqual(printed(log), ["demo-0", "demo-1", "demo-2"]);
  });

  it("submit: hands every character on as it was written", async () => {
    const awkward = `a  b '"'"$HOME" \`x\` \\ * ? [a] {b,c} ~ # ! & | ; < > ( ) %s é €`;
    const script = `printf '%s\\n' ${quote(awkward)}`;
    const log = await run({ containers: [realContainer({ command: `bash -c ${quote(script)}` })] });
    assert.deepEqual(printed(log), [awkward]);
  });

  it("launcher: runs the command once, and lets it use the instance", async () => {
    const command = "flux run -N 2 hostname";
    const log = await run({ size: 2, containers: [realContainer({ command, launcher: true })] });
    assert.deepEqual(printed(log), ["demo-0", "demo-1"]);
  });

  it("batch: runs every line as a job of its own, with its output in files", async () => {
    const command = "echo one\necho two\n# nothing\nhostname";
    const commands = { post: "cat /tmp/out/job-*.out" };
    const log = await run({
      size: 2,
      tasks: 0,
      containers: [realContainer({ command, batch: true, logs: "/tmp/out", commands })],
    });
    for (const line of ["one", "two", "demo-0"]) assert.match(log, new RegExp(`^${line}$`, "m"));
  });

  it("raw batch: runs the script as it is", async () => {
    const command = "#!/bin/bash\nfor word in one two; do flux run echo $word; done\n";
    const log = await run({ size: 2, tasks: 0, containers: [realContainer({ command, batch: true, batchRaw: true })] });
    assert.deepEqual(printed(log), ["one", "two"]);
  });

  it("script: runs the user's file, with what init, pre and post do around it", async () => {
    const commands = {
      script: "echo script of $WHO on $(hostname)",
      init: "export WHO=init",
      pre: "WHO=pre",
      post: "echo post of $WHO",
    };
    const log = await run({ containers: [realContainer({ command: undefined, commands })] });
    assert.deepEqual(printed(log), ["post of pre", "script of pre on demo-0"]);
  });

  it("timed: says how long it took, from outside and from inside", async () => {
    const log = await run({ logging: { timed: true } });
    assert.match(log, /^FLUXTIME fluxstart wall time \d/m);
    assert.match(log, /^FLUXTIME fluxsubmit wall time \d/m);
  });

  it("quiet: prints what the command prints, and nothing else", async () => {
    assert.equal(await run({ size: 2, logging: { quiet: true } }), "hello world\n");
  });

  it("interactive: stays, and takes commands through its socket", () =>
    withRealCluster({ size: 2, interactive: true }, async (cluster) => {
      await cluster.stack.up();
      await cluster.hosts(2);
      const output = await cluster.bash(1, `flux proxy "$fluxsocket" flux run -N 2 hostname`);
      assert.deepEqual(output.trim().split("\n").sort(), ["demo-0", "demo-1"]);
      assert.equal((await cluster.ready(2)).length, 2);
    }));

  it("sidecar: runs beside the broker in every pod, with a way to its socket", async () => {
    const sidecar = realContainer({
      ...{ name: "beside", runFlux: false },
      command: `bash -c 'flux proxy $fluxsocket flux getattr rank; echo done'`,
    });
    const main = realContainer({ runFlux: true, command: "sleep 4" });
    await run({ size: 2, containers: [main, sidecar] }, async (cluster) => {
      assert.match(await cluster.logs(0, "beside"), /^0\ndone$/m);
    });
  });

  it("wrapped: puts a program of the user's before the broker", async () => {
    const log = await run({ flux: { wrap: "env,WRAPPED=yes" }, containers: [realContainer({ command: "env" })] });
    assert.match(log, /^WRAPPED=yes$/m);
  });

  it("with the view as an image volume: no init container copies it", async () => {
    const flux = { container: { imageVolume: true } };
    await run({ size: 2, tasks: 0, flux, containers: [realContainer({ command: "hostname" })] }, async (cluster) => {
      const { spec } = (await cluster.job()) as unknown as { spec: { template: { spec: { initContainers?: [] } } } };
      assert.deepEqual(spec.template.spec.initContainers ?? [], []);
      assert.deepEqual(printed(await cluster.logs()), ["demo-0", "demo-1"]);
    });
  });

  it("without a view: takes the Flux that the image has", async () => {
    const flux = { container: { disable: true } };
    const container = realContainer({
      image: "sandbox.local/flux-view:1",
      environment: { PATH: "/opt/view/bin:/usr/bin:/bin" },
    });
    const log = await run({ size: 2, tasks: 0, flux, containers: [{ ...container, command: "hostname" }] });
    assert.deepEqual(printed(log), ["demo-0", "demo-1"]);
  });
});

/** As a shell takes it for one word. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
