import * as assert from "node:assert/strict";
import type { MiniClusterArgs, MiniClusterCommandsArgs, MiniClusterContainerArgs } from "../../../../../provider";
import { operatorVariables } from "../../../../../provider/core/parse/paths";
import { aContainer } from "../../../../support/fixtures";
import { files } from "../../../../support/scripts/paths";
import { aPod } from "../../../../support/scripts/pod";

/** A pod of two whose container has these pieces. */
const withPieces = (commands: MiniClusterCommandsArgs, args: Partial<MiniClusterArgs> = {}) =>
  aPod({
    size: 2,
    flux: { completeWorkers: true },
    ...args,
    containers: [aContainer({ command: "task run", commands })],
  });

/** Variables and their values in every piece. */
const values: Record<string, string> = {
  viewbase: "/mnt/flux",
  viewroot: "/mnt/flux/view",
  viewbin: "/mnt/flux/view/bin",
  fluxpath: "/mnt/flux/view/bin/flux",
  fluxroot: "/mnt/flux/view",
  software: "/mnt/flux/software",
  configroot: "/mnt/flux/config",
  installRoot: "/mnt/flux/config",
  hosts: "demo-[0-1]",
  mainHost: "demo-0",
  fluxsocket: "local:///mnt/flux/config/run/flux/local",
  fluxuid: String(process.getuid?.()),
  cfg: "/etc/minicluster/config",
  curvesrc: "/etc/minicluster/curve/curve.cert",
  curvepath: "/etc/minicluster/certificate/curve.cert",
  STATE_DIR: "/mnt/flux/config/var/lib/flux",
  node_spec: "-N 2",
  flags: "-N 2",
  option_flags: "",
  command: "task run",
  asFlux: "",
  asSudo: "",
  SUDO: "",
};

const later: Record<string, string> = {
  workdir: "/job",
  foundroot: "/mnt/flux/view/lib/python3.11",
  pythonversion: "/mnt/flux/view/bin/python3.11",
};

const printing = (names: string[]) => names.map((name) => `task ${name} "$${name}"`).join("\n");

describe("variables of the Flux Operator's scripts", () => {
  const pieces = ["init", "pre", "brokerPre", "workerPre", "post"] as const;
  for (const piece of pieces)
    it(`have their meaning in ${piece}`, async () => {
      const known = { ...values, ...(piece === "init" ? {} : later) };
      const pod = withPieces({ [piece]: printing(Object.keys(known)) });
      await pod.broker({ rank: piece === "workerPre" ? 1 : 0 });
      const printed = pod.calls("task").filter(({ words }) => words[1] !== "run");
      assert.deepEqual(Object.fromEntries(printed.map(({ words }) => [words[1], words[2]])), known);
    });

  it("are all there in strict mode, which stops at one that is not set", async () => {
    const pod = withPieces({ pre: printing([...operatorVariables]) });
    await pod.broker();
    assert.deepEqual(
      pod.calls("task").map(({ words }) => words[1]),
      [...operatorVariables],
    );
    const others = ["fluxuser", "USER", "brokerOptions"];
    assert.deepEqual([...operatorVariables].sort(), [...Object.keys({ ...values, ...later }), ...others].sort());
  });

  it("have the options of the brokers as words", async () => {
    const pod = withPieces({ brokerPre: "task $brokerOptions" });
    const { words } = await pod.broker();
    const [options] = pod.wordsOf("task");
    assert.equal(options, words.slice(3, 3 + (options ?? "").split(" ").length).join(" "));
    assert.match(options ?? "", /-Sbroker\.quorum=2$/);
  });

  it("have the flags of the command: tasks, options and debug", async () => {
    const flux = { completeWorkers: true, optionFlags: "-c 2" };
    const flags = async (tasks: number | undefined) => {
      const pod = withPieces({ pre: 'task "$flags"' }, { tasks, flux, logging: { debug: true } });
      await pod.broker();
      return pod.wordsOf("task")[0];
    };
    assert.equal(await flags(1), "-n 1 -c 2 -vvv");
    assert.equal(await flags(4), "-N 2 -n 4 -c 2 -vvv");
    assert.equal(await flags(undefined), "-N 2 -c 2 -vvv");
  });

  it("point to Flux in the image if the view is disabled", async () => {
    const pod = aPod({
      flux: { container: { disable: true } },
      containers: [aContainer({ commands: { pre: printing(["fluxroot", "viewroot", "workdir"]) } })],
    });
    await pod.broker();
    assert.deepEqual(pod.wordsOf("task"), ["fluxroot /usr", "viewroot /mnt/flux/view", "workdir /job"]);
  });

  it("have the hosts of the largest size, as the operator's", async () => {
    const pod = withPieces({ pre: 'task "$hosts" "$node_spec"' }, { size: 2, maxSize: 8 });
    await pod.broker();
    assert.deepEqual(pod.wordsOf("task"), ["demo-[0-7] -N 2"]);
  });

  it("name a user that the image does not have as the operator does", async () => {
    // This image has no program "id" either.
    const pod = withPieces({ pre: 'task "$USER"' });
    await pod.broker();
    assert.deepEqual(pod.wordsOf("task"), ["flux-operator"]);
  });

  it("leave a variable of the environment as it is", async () => {
    const pod = withPieces({ pre: 'task "$hosts" "$software"' });
    await pod.broker({ env: { hosts: "own", software: "" } });
    assert.deepEqual(pod.wordsOf("task"), ["own "]);
  });

  it("have the paths that code adds to, which an image may not have", async () => {
    const names = ["PYTHONPATH", "LD_LIBRARY_PATH", "FLUX_RC_EXTRA"];
    const pod = withPieces({ pre: names.map((name) => `export ${name}="$${name}:/a"`).join("\n") });
    const { env } = await pod.broker({ env: { STUB_SEEN: names.join(" ") } });
    const modules = "/mnt/flux/view/lib/python3.11/site-packages";
    assert.deepEqual(
      names.map((name) => env[name]),
      [`${modules}:/a`, ":/a", ":/a"],
    );
    const disabled = { flux: { container: { disable: true } } };
    assert.equal((await withPieces({ pre: ': "$PYTHONPATH"' }, disabled).broker()).env.PYTHONPATH, undefined);
  });

  it("are not in the environment of jobs, but for STATE_DIR and those that the command names", async () => {
    const seen = { STUB_SEEN: operatorVariables.join(" "), STUB_SUBMIT: "run" };
    const pod = withPieces({ pre: ":" });
    const { env } = await pod.broker({ env: seen });
    const found = Object.keys(env).filter((name) => operatorVariables.includes(name));
    assert.deepEqual(found, ["STATE_DIR"]);
  });

  it("are not defined if no code can use them", async () => {
    const { env } = await aPod().broker({ env: { STUB_SEEN: operatorVariables.join(" ") } });
    assert.deepEqual(
      Object.keys(env).filter((name) => operatorVariables.includes(name)),
      [],
    );
  });

  const command = 'task "$viewroot" ${hosts} "${#mainHost}"';
  const launches: Record<string, Partial<MiniClusterContainerArgs>> = {
    "a submitted command": { command },
    "a launcher": { command, launcher: true },
    "a script": { command: undefined, commands: { script: command } },
  };
  for (const [name, container] of Object.entries(launches))
    it(`reach ${name} that names them`, async () => {
      const pod = aPod({ size: 2, containers: [aContainer(container)] });
      await pod.broker({ env: { STUB_SUBMIT: "run" } });
      assert.deepEqual(pod.wordsOf("task"), ["/mnt/flux/view demo-[0-1] 6"]);
    });

  it("reach the jobs of a batch that name them", async () => {
    const pod = aPod({ size: 2, containers: [aContainer({ batch: true, command: 'task "$viewbase"' })] });
    await pod.broker({ env: { STUB_SUBMIT: "run", STUB_ATTACH: "run" } });
    assert.deepEqual(pod.wordsOf("task"), ["/mnt/flux"]);
  });

  it("reach the pieces and the command of a sidecar", async () => {
    const printed = printing(["viewroot", "fluxsocket", "hosts", "foundroot"]);
    const side = {
      image: "i",
      name: "side",
      command: printed,
      commands: { init: 'task "$configroot"', servicePre: printed },
    };
    const pod = aPod({ flux: { noWaitSocket: true }, containers: [aContainer({ runFlux: true }), side] });
    await pod.leave(files.sidecar("side"), {}, 1, "sleep", "3600");
    const words = [
      "viewroot /mnt/flux/view",
      "fluxsocket local:///mnt/flux/config/run/flux/local",
      "hosts demo-0",
      "foundroot /mnt/flux/view/lib/python3.11",
    ];
    assert.deepEqual(pod.wordsOf("task"), ["/mnt/flux/config", ...words, ...words]);
  });
});
