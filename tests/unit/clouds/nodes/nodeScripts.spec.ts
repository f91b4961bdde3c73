import * as assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plugins } from "../../../../provider/clouds/nodes/parse/devicePlugins";

/** A directory in place of the root of a node, and programs that record their calls. */
function aNode(programs: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "node-"));
  const bin = join(root, "bin");
  mkdirSync(bin);
  for (const [name, body] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/bash\necho "${name} $*" >> ${root}/calls\n${body}\n`, { mode: 0o755 });
  const calls = () =>
    existsSync(join(root, "calls")) ? readFileSync(join(root, "calls"), "utf8").trim().split("\n") : [];
  return { root, env: { ...process.env, PATH: `${bin}:${process.env["PATH"]}` }, calls };
}

const untilCalled = async (calls: () => string[], count: number, start: string) => {
  while (calls().filter((call) => call.startsWith(start)).length < count)
    await new Promise((resolve) => setTimeout(resolve, 5));
};

describe("the script that loads kernel modules", () => {
  const script = plugins.modules.script ?? assert.fail();

  /** Runs it until it has paused so often, as Kubernetes ends a pod. */
  async function runOf(hasInfiniband: boolean, pauses: number, chroot: string) {
    const { root, env, calls } = aNode({ chroot, sleep: "exec $(type -ap sleep | tail -1) 0.02" });
    if (hasInfiniband) mkdirSync(join(root, "sys/class/infiniband/mlx5_0"), { recursive: true });
    const run = spawn("/bin/sh", ["-c", script.replaceAll("/host", root), "sh", "ib_umad", "nvidia-peermem"], { env });
    let stderr = "";
    run.stderr.on("data", (data: Buffer) => (stderr += String(data)));
    await untilCalled(calls, pauses, "sleep 30");
    const end = new Promise<number | null>((resolve) => run.on("close", resolve));
    run.kill("SIGTERM");
    const status = await end;
    const loaded = calls().filter((call) => call.startsWith("chroot"));
    rmSync(root, { recursive: true });
    return { status, stderr, loaded: loaded.map((call) => call.replace(`${root} `, "")) };
  }

  it("loads none before the driver of InfiniBand runs, which would be in the way of another driver", async () => {
    assert.deepEqual(await runOf(false, 3, ""), { status: 0, stderr: "", loaded: [] });
  });

  it("loads a module again that the installation of a driver has unloaded, until the pod ends", async () => {
    const { status, stderr, loaded } = await runOf(true, 3, "");
    assert.deepEqual([status, stderr], [0, ""]);
    assert.deepEqual(loaded.slice(0, 4), [
      "chroot modprobe ib_umad",
      "chroot modprobe nvidia-peermem",
      "chroot modprobe ib_umad",
      "chroot modprobe nvidia-peermem",
    ]);
  });

  it("prints once that a module does not load, and tries again", async () => {
    const { stderr, loaded } = await runOf(true, 4, '[[ $* == *ib_umad ]] || { echo "FATAL: $*" >&2; exit 1; }');
    assert.match(stderr, /^FATAL: \S+ modprobe nvidia-peermem\n$/);
    assert.ok(loaded.filter((call) => call.includes("-q nvidia-peermem")).length >= 2);
  });
});

describe("the script that installs gIB", () => {
  const script = plugins.gib.script ?? assert.fail();

  it("copies the settings last, for which pods wait, and is ready then", () => {
    const { root, env, calls } = aNode({ cp: 'exec /bin/cp "$@"', sleep: "exit 0" });
    for (const part of ["scripts", "lib64", "configs"]) {
      mkdirSync(join(root, "gib", part), { recursive: true });
      writeFileSync(join(root, "gib", part, `of-${part}`), part);
    }
    const host = join(root, "host");
    mkdirSync(join(host, "gib"), { recursive: true });
    mkdirSync(join(host, "nvidia/lib64"), { recursive: true });
    const text = script
      .replace("/scripts/container_entry.sh", "echo")
      .replaceAll("/var/lib/gib", join(root, "gib"))
      .replaceAll("/home/kubernetes/bin", host)
      .replaceAll("/tmp/installed", join(root, "installed"));
    const { status, stderr } = spawnSync("/bin/sh", ["-c", text], { env, encoding: "utf8" });
    assert.deepEqual([status, stderr], [0, ""]);
    assert.deepEqual(plugins.gib.ready, ["test", "-e", "/tmp/installed"]);
    assert.ok(existsSync(join(root, "installed")));
    const parts = ["gib/scripts/of-scripts", "gib/lib64/of-lib64", "gib/configs/of-configs", "nvidia/lib64/of-lib64"];
    assert.deepEqual(
      parts.filter((part) => !existsSync(join(host, part))),
      [],
    );
    assert.match(
      calls()
        .filter((call) => call.startsWith("cp"))
        .at(-1) ?? "",
      /cp -r scripts /,
    );
    rmSync(root, { recursive: true });
  });

  it("is not ready where the installation fails", () => {
    const { root, env } = aNode({});
    const { status } = spawnSync("/bin/sh", ["-c", script.replace("/scripts/container_entry.sh", "false")], { env });
    assert.equal(status, 1);
    rmSync(root, { recursive: true });
  });
});
