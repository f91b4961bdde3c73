import assert from "node:assert/strict";
import * as path from "node:path";
import { leftIn, uids } from "../clusters";
import { sharedCluster } from "../sandboxHooks";
import { type LanguageHost, type OperationOutcome, type ProgramUnderTest, withProgram } from "./harness";
import { readText, shownChanges, shownDiff } from "./previewText";

const examples = path.resolve(__dirname, "../../../examples");

/** A program with a stack and a separate namespace. */
export type ProgramInNamespace = ProgramUnderTest & { namespace: string };

/** Gives tests programs of a language, each in a separate namespace, which must be empty at the end. */
export const programsOf =
  (host: LanguageHost) =>
  async (folder: string, body: (program: ProgramInNamespace) => Promise<void>): Promise<void> => {
    const { kubeconfigPath, newNamespace } = sharedCluster();
    const namespace = await newNamespace();
    const options = { kubeconfigPath, config: { namespace }, stackName: "dev" };
    await withProgram(host, folder, options, (program) => body({ ...program, namespace }));
    assert.deepEqual(await leftIn(namespace), []);
  };

/** The only outcome of an operation, which must succeed. */
export function succeeded([outcome, ...others]: OperationOutcome[]): OperationOutcome {
  assert.ok(outcome && others.length === 0);
  assert.ok(outcome.ok, outcome.error);
  return outcome;
}

/** The problems of arguments in an error, one per line. */
export function refusalsIn(error = ""): string[] {
  const [, listed = ""] = error.split("nothing was created\n");
  return (/^( +\S.*\n)*/.exec(`${listed}\n`)?.[0] ?? "").split("\n").flatMap((line) => line.trim() || []);
}

/** The tests of the examples, in every language. */
export function itRunsExamples(host: LanguageHost): void {
  const withExample = (name: string, body: (program: ProgramInNamespace) => Promise<void>) =>
    programsOf(host)(path.join(examples, `${name}-${host.name}`), body);

  it("runs the smallest cluster, and destroys all of it", () =>
    withExample("hello", async ({ run, namespace }) => {
      const { outputs } = succeeded(await run({ kind: "up" }));
      assert.match(String(outputs["logs"]), new RegExp(`^kubectl logs --namespace ${namespace} `));
      const pods = await sharedCluster().kube.podsOfJob(namespace, "hello");
      assert.deepEqual([pods.length, pods[0]?.ready], [1, true]);
      succeeded(await run({ kind: "destroy" }));
      assert.deepEqual(await leftIn(namespace), []);
    }));

  it("resizes LAMMPS in place: a preview shows the counts alone, and the pods that run stay", () =>
    withExample("lammps", resizesInPlace));
}

/** LAMMPS from 4 pods to 6, and to none. */
export async function resizesInPlace({ run, namespace }: ProgramInNamespace): Promise<void> {
  const { kube } = sharedCluster();
  assert.equal(succeeded(await run({ kind: "up" })).outputs["size"], 4);
  const before = await kube.podsOfJob(namespace, "lammps");
  assert.equal(before.filter(({ ready }) => ready).length, 4);

  const preview = readText(succeeded(await run({ kind: "preview", config: { size: "6" } })).text);
  assert.deepEqual(shownChanges(preview), [
    "update JobPatch lammps-size",
    "update ConfigMapPatch lammps-entrypoint-size",
  ]);
  assert.deepEqual(shownDiff(preview, "JobPatch"), ["~ completions: 4 => 6", "~ parallelism: 4 => 6"]);
  assert.deepEqual(shownDiff(preview, "ConfigMapPatch"), ['~ size: "4" => "6"']);
  assert.deepEqual(preview.outputs, ["~ size    : 4 => 6"]);
  assert.equal((await kube.podsOfJob(namespace, "lammps")).length, 4);

  const [grown, next] = await run({ kind: "up" }, { kind: "preview" });
  assert.ok(grown?.ok && next?.ok, grown?.error ?? next?.error);
  assert.equal(grown.outputs["size"], 6);
  assert.deepEqual(shownChanges(readText(next.text)), []);
  const after = await kube.podsOfJob(namespace, "lammps");
  assert.equal(after.length, 6);
  assert.deepEqual(uids(after).slice(0, 4), uids(before));

  succeeded(await run({ kind: "destroy" }));
  assert.deepEqual(await leftIn(namespace), []);
}
