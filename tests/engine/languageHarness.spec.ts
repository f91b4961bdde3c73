import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { type LanguageHost, runProgram } from "../support/languages/harness";
import { readText, shownChanges, shownDiff } from "../support/languages/previewText";
import { waitFor } from "../sandbox/waiting";
import { sharedCluster } from "../support/sandboxHooks";

const program = path.resolve(__dirname, "../../examples/hello-python");

/** A language whose driver is a line of shell. */
const shell = (script: string): LanguageHost => ({
  name: "shell",
  driver: () => Promise.resolve({ command: ["/bin/sh", "-c", script], environment: { GREETING: "hello" } }),
});

const run = (host: LanguageHost, timeoutSeconds?: number) => {
  const { kubeconfigPath } = sharedCluster();
  return runProgram(host, program, { kubeconfigPath, timeoutSeconds, operations: [{ kind: "preview" }] });
};

describe("The harness of programs in other languages", () => {
  let directory: string;
  beforeEach(() => (directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-harness-"))));
  afterEach(() => fs.rmSync(directory, { recursive: true }));

  it("gives a driver its request, the project and the engine, and takes its answer", async () => {
    const request = path.join(directory, "request");
    const script = [
      `cat > ${request}`,
      "grep -q 'name: minicluster-hello' Pulumi.yaml && grep -q 'name: minicluster$' Pulumi.yaml || exit 1",
      "pulumi version >/dev/null || exit 2",
      `echo '{"kind":"preview","ok":true,"text":"'$GREETING'","outputs":{}}'`,
    ];
    const outcomes = await run(shell(script.join("\n")));
    assert.deepEqual(outcomes, [{ kind: "preview", ok: true, text: "hello", outputs: {} }]);
    const { operations, ...others } = JSON.parse(fs.readFileSync(request, "utf8")) as Record<string, unknown>;
    assert.deepEqual(operations, [{ kind: "preview", config: {} }]);
    assert.equal(others["program"], program);
    assert.ok(!fs.existsSync(String(others["workDir"])), "what a run leaves goes with it");
  });

  it("reports what a driver says before it ends without an answer", async () => {
    await assert.rejects(run(shell("echo 'no module named pulumi' >&2; exit 3")), /ended with code 3\nno module named/);
    await assert.rejects(run(shell("cat >/dev/null")), /driver of shell ended with code 0/);
    await assert.rejects(run(shell("echo hello")), /driver of shell ended with code 0\n\nhello/);
  });

  it("ends a driver that takes too long, with all that it has started", async () => {
    const file = path.join(directory, "pid");
    const late = run(shell(`sleep 300 & echo $! > ${file}; wait`), 1);
    await assert.rejects(late, /was killed after 1 seconds/);
    const pid = Number(fs.readFileSync(file, "utf8"));
    await waitFor("the end of what the driver has started", () => Promise.resolve(!isRunning(pid)));
  });
});

describe("The text of a preview", () => {
  const urn = "urn:pulumi:dev::hello::";
  const text = [
    "Previewing update (dev):",
    "  pulumi:pulumi:Stack: (same)",
    `    [urn=${urn}pulumi:pulumi:Stack::hello-dev]`,
    "        ~ kubernetes:batch/v1:JobPatch: (update)",
    "            [id=ns/lammps]",
    `            [urn=${urn}minicluster:index:MiniCluster$kubernetes:batch/v1:JobPatch::lammps-size]`,
    "            [provider=urn:pulumi:dev::hello::pulumi:providers:kubernetes::default::1]",
    "          ~ spec: {",
    "              ~ completions: 4 => 6",
    "            }",
    "        +-kubernetes:core/v1:Secret: (replace)",
    `            [urn=${urn}kubernetes:core/v1:Secret::curve]`,
    "            --outputs:--",
    "            id: 1",
    "    --outputs:--",
    "  ~ size: 4 => 6",
    "Resources:",
    "    ~ 1 to update",
    "    +-1 to replace",
  ].join("\n");

  it("is read by step, in the order of their URNs", () => {
    const shown = readText(text);
    assert.deepEqual(shownChanges(shown), ["replace Secret curve", "update JobPatch lammps-size"]);
    assert.deepEqual(shownDiff(shown, "JobPatch"), ["~ completions: 4 => 6"]);
    assert.deepEqual(
      shown.steps.map(({ lines }) => lines),
      [[], ["~ spec: {", "~ completions: 4 => 6", "}"], []],
    );
    assert.deepEqual(shown.outputs, ["~ size: 4 => 6"]);
    assert.deepEqual(shown.counts, ["~ 1 to update", "+-1 to replace"]);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
