import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { connectCommand, diagnoseCommand, logsCommand, topCommand } from "../../../provider/core/flux/hosts";
import { kubectlFor } from "../../../provider/diagnostics/kubectl";
import type { ClusterChoice } from "../../../provider/diagnostics/connection/kubeconfig";
import { aMiniCluster } from "../../support/fixtures";

const content = JSON.stringify({ users: [{ name: "me", user: { token: "hidden" } }] });

describe("commands to the cluster of a provider", () => {
  const { HOME, KUBECONFIG } = process.env;
  let directory: string;
  let file: string;
  before(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "kubectl-"));
    file = path.join(directory, "kube config");
    fs.writeFileSync(file, content);
    const stub = '#!/bin/sh\nprintf "<%s>" "$@" >>"${0%/*}/calls"\necho pod/lead\n';
    fs.writeFileSync(path.join(directory, "kubectl"), stub, { mode: 0o755 });
  });
  after(() => fs.rmSync(directory, { recursive: true }));
  afterEach(() => {
    for (const [name, value] of Object.entries({ HOME, KUBECONFIG })) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });

  /** What kubectl is started with by a command, and what the shell says. */
  function run(command: string, env: NodeJS.ProcessEnv = {}) {
    const calls = path.join(directory, "calls");
    fs.rmSync(calls, { force: true });
    const search = `${directory}:${process.env["PATH"]}`;
    const all = { ...process.env, PATH: search, ...env };
    const { stderr } = spawnSync("sh", ["-c", command], { env: all, encoding: "utf8" });
    return { words: fs.existsSync(calls) ? fs.readFileSync(calls, "utf8") : "", stderr };
  }

  const cases: [name: string, choice: ClusterChoice, want: string][] = [
    ["are as they are where it has no settings", {}, "kubectl"],
    ["name its context", { context: "hpc" }, "kubectl --context hpc"],
    ["quote its context", { context: "a'b $c" }, "kubectl --context 'a'\\''b $c'"],
    ["name its cluster", { cluster: "far" }, "kubectl --cluster far"],
  ];
  for (const [name, choice, want] of cases) it(name, () => assert.equal(kubectlFor(choice), want));

  it("name the path of its kubeconfig", () =>
    assert.equal(kubectlFor({ kubeconfig: file, cluster: "far" }), `kubectl --kubeconfig '${file}' --cluster far`));

  it("leave the kubeconfig to kubectl where it is that of the environment", () => {
    process.env["KUBECONFIG"] = file;
    assert.equal(kubectlFor({ kubeconfig: file, context: "hpc" }), "kubectl --context hpc");
  });

  it("name a path in the home directory as the shell reads it", () => {
    process.env["HOME"] = directory;
    const kubectl = kubectlFor({ kubeconfig: "~/kube config" });
    assert.equal(kubectl, "kubectl --kubeconfig ~/'kube config'");
    assert.equal(run(`${kubectl} get`, { HOME: directory }).words, `<--kubeconfig><${file}><get>`);
  });

  for (const text of [content, `# of a stack\n${content}`])
    it("do not show the text of its kubeconfig, and say what to do before anything is reached", () => {
      const command = `${kubectlFor({ kubeconfig: text })} get pod`;
      assert.doesNotMatch(command, /hidden|users/);
      const { words, stderr } = run(command);
      assert.equal(words, "");
      assert.match(stderr, /MINICLUSTER_KUBECONFIG: save the kubeconfig of the Kubernetes provider to a file and set/);
      assert.equal(run(command, { MINICLUSTER_KUBECONFIG: file }).words, `<--kubeconfig><${file}><get><pod>`);
    });

  for (const command of [connectCommand, topCommand, logsCommand, diagnoseCommand])
    it(`are all to that cluster: ${command.name}`, () => {
      const spec = aMiniCluster({ namespace: "hpc" });
      const { words } = run(command(spec, kubectlFor({ kubeconfig: content, context: "far" })), {
        MINICLUSTER_KUBECONFIG: file,
      });
      const started = command === connectCommand || command === topCommand ? 2 : 1;
      assert.equal(words.split(`<--kubeconfig><${file}><--context><far>`).length - 1, started);
    });
});
