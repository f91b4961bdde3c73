import assert from "node:assert/strict";
import { fences } from "../support/fences";
import { aContainer } from "../support/fixtures";
import type { JobPod } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";
import {
  changes,
  type ClusterUnderTest,
  differences,
  diffOf,
  readyIn,
  staying,
  stepOf,
  uids,
  withCluster,
} from "../support/clusters";
import { sharedCluster } from "../support/sandboxHooks";

/** Counts of the Job and size in the ConfigMap, as the API server has them. */
async function sizes(cluster: ClusterUnderTest): Promise<unknown[]> {
  const { spec } = await cluster.job();
  const { data } = (await cluster.object("ConfigMap", "demo-entrypoint")) as { data?: Record<string, string> };
  return [spec.completions, spec.parallelism, data?.["size"]];
}

/** The ranks of pods that are Ready. */
const ranks = (pods: JobPod[]) => pods.flatMap(({ completionIndex, ready }) => (ready ? [completionIndex] : []));

const onlyCounts = ["update ConfigMapPatch", "update JobPatch"];

describe("What a preview shows, and what up then does", () => {
  it("grows and shrinks by two patches, keeps every pod that stays, and shows nothing when nothing changes", () =>
    withCluster({ size: 4, maxSize: 8 }, async (cluster) => {
      await cluster.stack.up();
      assert.deepEqual(changes(await cluster.stack.preview()), []);
      const before = await cluster.pods();

      cluster.change({ size: 6, maxSize: 8 });
      const preview = await cluster.stack.preview();
      assert.deepEqual(changes(preview), onlyCounts);
      assert.deepEqual(diffOf(preview, "JobPatch"), ["spec.completions: 4 => 6", "spec.parallelism: 4 => 6"]);
      assert.deepEqual(diffOf(preview, "ConfigMapPatch"), ["data.size: 4 => 6"]);
      assert.equal(preview.summary.replace ?? 0, 0);
      assert.deepEqual(changes(await cluster.stack.up()), onlyCounts);
      assert.deepEqual(await sizes(cluster), [6, 6, "6"]);
      const grown = await cluster.pods();
      assert.deepEqual(uids(grown.slice(0, 4)), uids(before));
      assert.deepEqual(ranks(grown), [0, 1, 2, 3, 4, 5]);

      // The highest ranks go.
      cluster.change({ size: 3, maxSize: 8 });
      assert.deepEqual(changes(await cluster.stack.preview()), onlyCounts);
      await cluster.stack.up();
      assert.deepEqual(await sizes(cluster), [3, 3, "3"]);
      assert.deepEqual(uids(staying(await cluster.pods())), uids(before.slice(0, 3)));
      assert.deepEqual(changes(await cluster.stack.preview()), []);

      // A refresh runs the provider's Job awaiter, for which a running Job is not ready yet: an update with no
      // difference.
      await cluster.stack.refresh();
      const refreshed = await cluster.stack.preview();
      assert.deepEqual(differences(refreshed), []);
      assert.deepEqual([...new Set(refreshed.changedSteps.map(({ op }) => op))], ["update"]);

      const { diagnostics } = await cluster.stack.destroy();
      assert.deepEqual(
        diagnostics.filter(({ severity }) => severity === "error" || severity === "warning"),
        [],
      );
    }));

  it("prints what the pages show", () =>
    withCluster({ size: 4, maxSize: 8 }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 8, maxSize: 8 });
      const { stdout } = await cluster.stack.preview({ diff: true });
      const isLeftOut = (line: string) => /^ *(\[.*\]|--outputs:--|~ size +: .*)$/.test(line);
      const linesOf = (text: string) => text.split("\n").filter((line) => !isLeftOut(line));
      const printed = linesOf(stdout).join("\n");
      // The output of a console block is compared on real nodes.
      const shown = fences().filter(
        ({ language, text }) => language === "text" && text.includes("parallelism: 4 => 8"),
      );
      assert.ok(shown.length > 0);
      for (const { place, text } of shown) {
        const claim = linesOf(text.slice(text.indexOf("        ~ kubernetes"))).join("\n");
        assert.ok(printed.includes(claim), `${place} is not what was printed:\n${printed}`);
      }
    }));

  it("updates the Job in place for a label and for a pause, and its counts keep their values", () =>
    withCluster({ size: 2, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      const given = { size: 3, maxSize: 4, jobLabels: { team: "physics" } };
      cluster.change({ size: 3, maxSize: 4 });
      await cluster.stack.up();
      const before = await cluster.pods();
      const { uid } = (await cluster.job()).metadata;

      cluster.change(given);
      const preview = await cluster.stack.preview();
      assert.deepEqual(changes(preview), ["update Job"]);
      assert.deepEqual(diffOf(preview, "Job"), ["metadata.labels.team: undefined => physics"]);
      await cluster.stack.up();
      assert.deepEqual(await sizes(cluster), [3, 3, "3"]);
      assert.equal((await cluster.job()).metadata.labels?.["team"], "physics");
      assert.deepEqual(uids(await cluster.pods()), uids(before));
      assert.deepEqual(changes(await cluster.stack.preview()), []);

      cluster.change({ ...given, suspend: true });
      assert.deepEqual(diffOf(await cluster.stack.preview(), "Job"), ["spec.suspend: false => true"]);
      await cluster.stack.up();
      assert.equal((await cluster.job()).spec.suspend, true);
      cluster.change({ ...given, suspend: false });
      await cluster.stack.up();
      assert.equal((await cluster.job()).metadata.uid, uid);
      assert.equal(readyIn(await cluster.pods()), 3);
    }));

  const replacements = [
    {
      name: "another image, at the present size",
      args: { size: 3, containers: [aContainer({ image: "ubuntu:jammy" })] },
      replaced: ["Job"],
    },
    {
      name: "another command, at the size that comes with it",
      args: { size: 5, containers: [aContainer({ command: "echo other" })] },
      replaced: ["ConfigMap", "Job"],
    },
  ];
  for (const { name, args, replaced } of replacements)
    it(`replaces the Job for ${name}`, () =>
      withCluster({ size: 2, maxSize: 5 }, async (cluster) => {
        await cluster.stack.up();
        cluster.change({ size: 3, maxSize: 5 });
        await cluster.stack.up();
        const before = await cluster.job();
        cluster.change({ maxSize: 5, ...args });

        const preview = await cluster.stack.preview();
        const steps = changes(preview).filter((step) => step.startsWith("replace "));
        assert.deepEqual(
          steps,
          replaced.map((kind) => `replace ${kind}`),
        );
        assert.equal(stepOf(preview, "JobPatch").op, "update");
        const resize = diffOf(preview, "JobPatch").filter((line) => line.startsWith("spec.completions"));
        assert.deepEqual(resize, args.size === 3 ? [] : ["spec.completions: 3 => 5"]);
        await cluster.stack.up();

        assert.notEqual((await cluster.job()).metadata.uid, before.metadata.uid);
        assert.deepEqual(await sizes(cluster), [args.size, args.size, String(args.size)]);
        assert.deepEqual(ranks(staying(await cluster.pods())), [0, 1, 2, 3, 4].slice(0, args.size));
        assert.deepEqual(changes(await cluster.stack.preview()), []);
      }));

  it("shows what others have set, and puts it back", () =>
    withCluster({ size: 6, maxSize: 8 }, async (cluster) => {
      await cluster.stack.up();
      const ref = { apiVersion: "batch/v1", kind: "Job", name: "demo", namespace: cluster.namespace };
      await sharedCluster().kube.patch(ref, { spec: { completions: 5, parallelism: 5 } });
      await sharedCluster().kube.patch(ref, { spec: { suspend: true } }, { fieldManager: "somebody" });

      const preview = await cluster.stack.preview({ refresh: true });
      assert.deepEqual(diffOf(preview, "JobPatch", "update"), ["spec.completions: 5 => 6", "spec.parallelism: 5 => 6"]);
      assert.deepEqual(diffOf(preview, "Job", "update"), ["spec.suspend: true => false"]);
      await cluster.stack.up({ refresh: true });
      assert.deepEqual(await sizes(cluster), [6, 6, "6"]);
      assert.equal((await cluster.job()).spec.suspend, false);
      await waitFor("six pods", async () => readyIn(await cluster.pods()) === 6);
    }));

  it("keeps the size of the live Job when the patches are given up for the manifest", () =>
    withCluster({ size: 2, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      const before = await cluster.pods();
      cluster.change({ size: 2, maxSize: 4, resize: "manifest" });
      await cluster.stack.up();
      assert.deepEqual(await sizes(cluster), [2, 2, "2"]);
      assert.deepEqual(uids(await cluster.pods()), uids(before));
    }));
});
