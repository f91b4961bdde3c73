import * as assert from "node:assert/strict";
import { sharedCluster } from "../../../support/sandboxHooks";
import { InitFailed } from "../rpc/backend";
import type { Obj } from "../rpc/values";
import {
  configMap,
  configMapPath,
  configMapType,
  failure,
  isGone,
  job,
  jobPatch,
  jobPatchType,
  jobPath,
  jobType,
  kubectlEdit,
  live,
  newEngine,
} from "./clusterFixture";
import { changedPaths, type EngineDouble, managersOf } from "./engineDouble";
import { getPath, stringAt } from "./objects";

const counts = ["spec.completions", "spec.parallelism"];

describe("the kubernetes stand-in, with Jobs,", () => {
  let engine: EngineDouble;
  let namespace: string;

  beforeEach(async () => {
    namespace = await sharedCluster().newNamespace();
    engine = await newEngine();
  });

  describe("resizing a Job by a JobPatch", () => {
    async function jobAndPatch(size: number) {
      const known = await engine.create(jobType, "job", job(namespace, size));
      return { known, patch: await engine.create(jobPatchType, "scale", jobPatch(namespace, size)) };
    }

    it("waits by the annotation on the live Job until every pod is ready", async () => {
      const { patch } = await jobAndPatch(2);
      const { state } = await engine.update(patch, jobPatch(namespace, 4));
      assert.deepEqual([getPath(state, ["spec", "parallelism"]), getPath(state, ["status", "ready"])], [4, 4]);
      const smaller = await engine.update({ ...patch, state }, jobPatch(namespace, 1));
      assert.equal(getPath(smaller.state, ["status", "ready"]), 1);
    });

    it("shows the counts as the only change, in place", async () => {
      const { patch } = await jobAndPatch(2);
      const diff = await engine.diff(patch, jobPatch(namespace, 3));
      assert.deepEqual(changedPaths(diff), ["spec.completions: update", "spec.parallelism: update"]);
      assert.deepEqual(diff.replaces, []);
    });

    it("leaves the counts to the patch when something else about the Job changes", async () => {
      const { known, patch } = await jobAndPatch(2);
      await engine.update(patch, jobPatch(namespace, 3));
      const labelled = job(namespace, 3);
      (labelled.metadata as Obj).labels = { queue: "a" };
      const diff = await engine.diff(known, labelled, { ignoreChanges: counts });
      assert.deepEqual(changedPaths(diff), ["metadata.labels: add"]);
      await engine.update(known, labelled, { ignoreChanges: counts });
      const object = await live(jobPath(namespace));
      assert.equal(getPath(object, ["spec", "completions"]), 3);
      assert.deepEqual(managersOf(object, "spec", "completions"), [`${stringAt(patch.state, "__fieldManager")}/Apply`]);
    });

    it("shows after a refresh what kubectl changed, and puts it back", async () => {
      const { known, patch } = await jobAndPatch(2);
      await kubectlEdit(jobPath(namespace), { spec: { completions: 3, parallelism: 3 } });
      const [refreshedJob, refreshed] = [await engine.refresh(known), await engine.refresh(patch)];
      assert.ok(refreshedJob && refreshed);
      assert.deepEqual((await engine.diff(refreshedJob, job(namespace, 2), { ignoreChanges: counts })).changed, false);
      assert.equal(getPath(refreshed.inputs, ["spec", "completions"]), 3);
      const diff = await engine.diff(refreshed, jobPatch(namespace, 2));
      assert.deepEqual(changedPaths(diff), ["spec.completions: update", "spec.parallelism: update"]);
      const { state } = await engine.update(refreshed, jobPatch(namespace, 2));
      assert.equal(getPath(state, ["spec", "completions"]), 2);
    });

    it("is called unhealthy by a refresh while the Job is not complete", async () => {
      const { urn, id, inputs, state: properties } = (await jobAndPatch(1)).known;
      await assert.rejects(engine.backend.read({ urn, id, inputs, properties }), (error: Error) => {
        assert.ok(error instanceof InitFailed);
        assert.deepEqual(error.reasons, ["Resource 'job' was created but failed to initialize"]);
        return true;
      });
    });
  });

  describe("replacing a Job", () => {
    it("deletes it first when its name is fixed, and waits until it is gone", async () => {
      const known = await engine.create(jobType, "job", job(namespace, 2));
      const changed = job(namespace, 2);
      (changed.spec as Obj).template = { spec: { containers: [{ name: "flux", image: "flux:2" }] } };
      const diff = await engine.diff(known, changed);
      assert.ok(diff.replaces.includes("spec.template.spec.containers[0].image"));
      assert.equal(diff.deleteBeforeReplace, true);
      await engine.delete(known);
      await isGone(jobPath(namespace));
      assert.deepEqual(await sharedCluster().kube.podsOfJob(namespace, "job"), []);
    });

    it("makes the new one first when its name was made up", async () => {
      const made = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace }, data: { a: "1" } };
      const known = await engine.create(configMapType, "auto", made);
      const diff = await engine.diff(known, { ...made, data: { a: "2" } });
      assert.deepEqual([diff.replaces, diff.deleteBeforeReplace], [["data.a"], false]);
    });

    it("is fine with an object that somebody else has deleted", async () => {
      const known = await engine.create(configMapType, "c", configMap(namespace, {}));
      await sharedCluster().kube.request("DELETE", configMapPath(namespace));
      assert.equal(await engine.refresh(known), undefined);
      await engine.delete(known);
    });
  });

  describe("waiting", () => {
    it("ends with the time, and keeps the state of the object", async () => {
      const never = job(namespace, 1, { "pulumi.com/waitFor": "condition=Never" });
      const { message, state } = await failure(engine.create(jobType, "job", never, { timeoutSeconds: 1 }));
      assert.match(message, /failed to fully initialize or become live: timed out waiting for the condition$/);
      assert.equal(state.id, `${namespace}/job`);
      assert.ok(getPath(state.properties, ["metadata", "uid"]));
    });

    it("lasts as long as the annotation on the object says", async () => {
      const annotations = { "pulumi.com/waitFor": "condition=Never", "pulumi.com/timeoutSeconds": "1" };
      const { message } = await failure(engine.create(jobType, "job", job(namespace, 1, annotations)));
      assert.match(message, /timed out waiting for the condition$/);
    });

    it("is for completion when nothing is said about a Job", async () => {
      const standing = engine.create(jobType, "job", job(namespace, 1, {}), { timeoutSeconds: 1 });
      assert.match((await failure(standing)).message, /'job' timed out waiting to be Ready$/);
    });

    it("fails as soon as a Job does", async () => {
      const late = job(namespace, 1, {});
      (late.spec as Obj).activeDeadlineSeconds = 1;
      const { reasons } = await failure(engine.create(jobType, "job", late));
      assert.match(reasons[1] ?? "", /^\[DeadlineExceeded\]/);
    });

    it("can be skipped", async () => {
      const { state } = await engine.create(jobType, "job", job(namespace, 1, { "pulumi.com/skipAwait": "true" }));
      assert.ok(getPath(state, ["metadata", "uid"]));
    });

    it("ends when the engine cancels", async () => {
      const creating = failure(
        engine.create(jobType, "job", job(namespace, 1, { "pulumi.com/waitFor": "condition=Never" })),
      );
      setTimeout(() => engine.backend.cancel(), 300);
      assert.match((await creating).message, /context canceled$/);
    });
  });
});
