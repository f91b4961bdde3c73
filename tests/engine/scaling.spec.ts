import assert from "node:assert/strict";
import { aContainer } from "../support/fixtures";
import { changes, type ClusterUnderTest, diffOf, stepOf, uids, withCluster } from "../support/clusters";
import { sharedCluster } from "../support/sandboxHooks";

/** Counts of the Job and size in the ConfigMap, as the API server has them. */
async function sizes(cluster: ClusterUnderTest): Promise<unknown[]> {
  const { spec } = await cluster.job();
  const { data } = (await cluster.object("ConfigMap", "demo-entrypoint")) as { data?: Record<string, string> };
  return [spec.completions, spec.parallelism, data?.["size"]];
}

describe("What a preview shows, and what up then does", () => {
  it("updates two patches and keeps the pods when a cluster grows from 4 to 6", () =>
    withCluster({ size: 4, maxSize: 8 }, async (cluster) => {
      await cluster.stack.up();
      const before = await cluster.pods();
      cluster.change({ size: 6, maxSize: 8 });

      const preview = await cluster.stack.preview();
      assert.deepEqual(changes(preview), ["update ConfigMapPatch", "update JobPatch"]);
      assert.deepEqual(diffOf(preview, "JobPatch"), ["spec.completions: 4 => 6", "spec.parallelism: 4 => 6"]);
      assert.deepEqual(diffOf(preview, "ConfigMapPatch"), ["data.size: 4 => 6"]);
      assert.equal(preview.summary.replace ?? 0, 0);

      const up = await cluster.stack.up();
      assert.deepEqual(changes(up), ["update ConfigMapPatch", "update JobPatch"]);
      assert.deepEqual(await sizes(cluster), [6, 6, "6"]);
      const after = await cluster.pods();
      assert.deepEqual(uids(after.slice(0, 4)), uids(before));
      assert.deepEqual(
        after.map(({ completionIndex, ready }) => [completionIndex, ready]),
        [0, 1, 2, 3, 4, 5].map((rank) => [rank, true]),
      );
    }));

  it("lets the highest ranks go and keeps the others when a cluster shrinks from 6 to 3", () =>
    withCluster({ size: 6, maxSize: 8 }, async (cluster) => {
      await cluster.stack.up();
      const before = await cluster.pods();
      cluster.change({ size: 3, maxSize: 8 });

      const preview = await cluster.stack.preview();
      assert.deepEqual(changes(preview), ["update ConfigMapPatch", "update JobPatch"]);
      await cluster.stack.up();

      assert.deepEqual(await sizes(cluster), [3, 3, "3"]);
      const staying = (await cluster.pods()).filter(({ deleting }) => !deleting);
      assert.deepEqual(uids(staying), uids(before.slice(0, 3)));
    }));

  it("shows no change when nothing changes, before and after a resize", () =>
    withCluster({ size: 2, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      assert.deepEqual(changes(await cluster.stack.preview()), []);
      cluster.change({ size: 3, maxSize: 4 });
      await cluster.stack.up();
      assert.deepEqual(changes(await cluster.stack.preview()), []);

      // A refresh asks the provider's Job awaiter, to which a Job that runs is not yet well: an update with no difference.
      await cluster.stack.refresh();
      const { changedSteps } = await cluster.stack.preview();
      assert.deepEqual(
        changedSteps.flatMap(({ diffs }) => diffs),
        [],
      );
      assert.deepEqual([...new Set(changedSteps.map(({ op }) => op))], ["update"]);
    }));

  it("updates the Job in place for a label, and its counts keep their values", () =>
    withCluster({ size: 2, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 3, maxSize: 4 });
      await cluster.stack.up();
      const before = await cluster.pods();
      cluster.change({ size: 3, maxSize: 4, jobLabels: { team: "physics" } });

      const preview = await cluster.stack.preview();
      assert.deepEqual(changes(preview), ["update Job"]);
      assert.deepEqual(diffOf(preview, "Job"), ["metadata.labels.team: undefined => physics"]);
      await cluster.stack.up();

      assert.deepEqual(await sizes(cluster), [3, 3, "3"]);
      assert.equal((await cluster.job()).metadata?.labels?.["team"], "physics");
      assert.deepEqual(uids(await cluster.pods()), uids(before));
      assert.deepEqual(changes(await cluster.stack.preview()), []);
    }));

  const replacements = [
    { name: "another image", args: { containers: [aContainer({ image: "ubuntu:jammy" })] }, config: false },
    { name: "another command", args: { containers: [aContainer({ command: "echo other" })] }, config: true },
    { name: "another maxSize", args: { maxSize: 7 }, config: true },
  ];
  for (const { name, args, config } of replacements)
    it(`replaces the Job for ${name}, at the present size`, () =>
      withCluster({ size: 2, maxSize: 5 }, async (cluster) => {
        await cluster.stack.up();
        cluster.change({ size: 3, maxSize: 5 });
        await cluster.stack.up();
        const before = await cluster.job();
        cluster.change({ size: 3, maxSize: 5, ...args });

        const preview = await cluster.stack.preview();
        const replaced = preview.changedSteps
          .filter(({ op }) => op === "replace")
          .map(({ type }) => type.split(":").at(-1));
        assert.deepEqual(replaced.sort(), config ? ["ConfigMap", "Job"] : ["Job"]);
        assert.equal(stepOf(preview, "JobPatch").op, "update");
        await cluster.stack.up();

        assert.notEqual((await cluster.job()).metadata?.uid, before.metadata?.uid);
        assert.deepEqual(await sizes(cluster), [3, 3, "3"]);
        const pods = (await cluster.pods()).filter(({ deleting }) => !deleting);
        assert.deepEqual(
          pods.map(({ completionIndex, ready }) => [completionIndex, ready]),
          [0, 1, 2].map((rank) => [rank, true]),
        );
        assert.deepEqual(changes(await cluster.stack.preview()), []);
      }));

  it("warns in the preview that a resize without maxSize replaces the Job, and says how the next one will not", () =>
    withCluster({ size: 2, maxSize: undefined }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 3, maxSize: undefined });

      const preview = await cluster.stack.preview();
      const warnings = preview.diagnostics.filter(({ severity }) => severity === "warning");
      assert.deepEqual(
        warnings.map(({ message }) => /size 2 => 3 replaces the Job .* set maxSize /.test(message)),
        [true],
      );
      assert.equal(stepOf(preview, "Job", "replace").op, "replace");
    }));

  it("replaces the Job at the new size when template and size change together", () =>
    withCluster({ size: 2, maxSize: 5 }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 5, maxSize: 5, containers: [aContainer({ command: "echo other" })] });

      const preview = await cluster.stack.preview();
      assert.ok(diffOf(preview, "JobPatch").includes("spec.completions: 2 => 5"));
      await cluster.stack.up();

      assert.deepEqual(await sizes(cluster), [5, 5, "5"]);
      assert.equal((await cluster.pods()).filter(({ ready, deleting }) => ready && !deleting).length, 5);
    }));

  it("shows what somebody set with kubectl, and puts it back", () =>
    withCluster({ size: 6, maxSize: 8 }, async (cluster) => {
      await cluster.stack.up();
      const job = { apiVersion: "batch/v1", kind: "Job", name: "demo", namespace: cluster.namespace };
      await sharedCluster().kube.patch(job, { spec: { completions: 5, parallelism: 5 } });

      await cluster.stack.refresh();
      const preview = await cluster.stack.preview();
      assert.deepEqual(diffOf(preview, "JobPatch"), ["spec.completions: 5 => 6", "spec.parallelism: 5 => 6"]);
      assert.deepEqual(
        preview.changedSteps.filter(({ op }) => op === "replace"),
        [],
      );
      await cluster.stack.up();
      assert.deepEqual(await sizes(cluster), [6, 6, "6"]);
    }));

  it("pauses and resumes a cluster in place", () =>
    withCluster({ size: 2 }, async (cluster) => {
      await cluster.stack.up();
      const before = await cluster.job();
      cluster.change({ size: 2, suspend: true });
      assert.deepEqual(diffOf(await cluster.stack.preview(), "Job"), ["spec.suspend: false => true"]);
      await cluster.stack.up();
      assert.equal((await cluster.job()).spec.suspend, true);

      cluster.change({ size: 2, suspend: false });
      await cluster.stack.up();
      assert.equal((await cluster.job()).metadata?.uid, before.metadata?.uid);
      assert.equal((await cluster.pods()).filter(({ ready, deleting }) => ready && !deleting).length, 2);
    }));

  it("leaves nothing when it is destroyed after a resize", () =>
    withCluster({ size: 2, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 4, maxSize: 4 });
      await cluster.stack.up();
      const destroy = await cluster.stack.destroy();
      assert.deepEqual(
        destroy.diagnostics.filter(({ severity }) => severity === "error" || severity === "warning"),
        [],
      );
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
