import * as assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as path from "node:path";

import { processesOf } from "../sandbox/fixtures";
import { realNodesObstacle } from "../sandbox/real";
import { waitFor } from "../sandbox/waiting";
import { patience } from "./lab";

/** Starts a cluster with a real node and a pod that runs, in a separate process. */
const script = `
const { startCluster } = require("./cluster");
const { waitFor } = require("./waiting");
const { imageNames } = require("./real");
const containers = [{ name: "main", image: imageNames.base, command: ["sleep", "3600"] }];
const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "left" }, spec: { containers } };
const pods = "/api/v1/namespaces/default/pods";
startCluster({ real: { count: 1 } }).then(async (cluster) => {
  await cluster.api.request("POST", pods, pod);
  const isRunning = async () => (await cluster.api.request("GET", pods + "/left")).status.phase === "Running";
  await waitFor("the pod to run", isRunning, ${patience});
  console.log(cluster.kubeconfigPath);
  process.once("SIGTERM", () => cluster.stop().then(() => process.exit(0)));
});
`;

const bridgeOf = (directory: string) => `/sys/class/net/mc-${directory.slice(-6)}`;

/** Control groups of containers. */
function groups(): string[] {
  const roots = ["/sys/fs/cgroup", ...fs.readdirSync("/sys/fs/cgroup").map((name) => `/sys/fs/cgroup/${name}`)];
  const parents = roots.map((root) => `${root}/k8s.io`).filter((group) => fs.existsSync(group));
  return parents.flatMap((group) => fs.readdirSync(group).map((name) => path.join(group, name)));
}

/** True for a control group that has no process, and still exists. */
const isEmpty = (group: string) => read(`${group}/cgroup.procs`) === "";

const read = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined);

describe("real nodes that end", function () {
  this.timeout(600_000);
  const obstacle = realNodesObstacle();
  if (obstacle) return void it.skip(obstacle);

  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    it(`leave no process, mount, bridge, control group or file behind, by ${signal}`, async () => {
      const before = new Set(groups());
      const args = ["--require", require.resolve("tsx/cjs"), "-e", script];
      const cwd = path.resolve(__dirname, "../sandbox");
      const parent = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
      const [line] = (await once(parent.stdout, "data")) as [Buffer];
      const kubeconfigPath = line.toString().trim();
      const directory = path.dirname(kubeconfigPath);
      assert.ok(processesOf(kubeconfigPath).some((words) => words.includes("containerd-shim")));
      assert.ok(fs.existsSync(bridgeOf(directory)));

      // Other tests with real nodes may run beside this one: only the groups of this node's pod count.
      const made = groups().filter((group) => !before.has(group));
      assert.notEqual(made.length, 0);

      parent.kill(signal);
      await waitFor("the processes to end", () => processesOf(kubeconfigPath).length === 0, patience);
      await waitFor("the files to go", () => !fs.existsSync(directory), patience);
      await waitFor("the bridge to go", () => !fs.existsSync(bridgeOf(directory)), patience);
      await waitFor("control groups to go", () => !made.some(isEmpty), patience);
      const mounts = execFileSync("cat", ["/proc/mounts"], { encoding: "utf8" });
      assert.ok(!mounts.includes(directory));
    });
  }
});
