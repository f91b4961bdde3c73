import * as assert from "node:assert/strict";
import { sharedCluster } from "../../../support/sandboxHooks";
import { InitFailed } from "../rpc/backend";
import { isSecret, type Obj, unknown } from "../rpc/values";
import {
  configMap,
  configMapPatchType,
  configMapPath,
  configMapType,
  failure,
  forced,
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

/**
 * What the components rely on in the real plugin, and what no test with the engine would miss in a stand-in that were
 * more lenient. The rest is found by those tests, which run with either.
 */
describe("the kubernetes stand-in", () => {
  let engine: EngineDouble;
  let namespace: string;

  beforeEach(async () => {
    namespace = await sharedCluster().newNamespace();
    engine = await newEngine();
  });

  async function jobAndPatch(size: number) {
    const known = await engine.create(jobType, "job", job(namespace, size));
    return { known, patch: await engine.create(jobPatchType, "scale", jobPatch(namespace, size)) };
  }

  it("needs force to take a field from another manager, and gives it back when the patch is deleted", async () => {
    await engine.create(configMapType, "c", configMap(namespace, { script: "echo", size: "4" }));
    const patch = configMap(namespace, { size: "6" });
    await assert.rejects(engine.create(configMapPatchType, "p", patch), /Apply failed with 1 conflict.*\.data\.size/);
    const known = await engine.create(configMapPatchType, "p", configMap(namespace, { size: "6" }, forced));
    const object = await live(configMapPath(namespace));
    assert.deepEqual(managersOf(object, "data", "size"), [`${stringAt(known.state, "__fieldManager")}/Apply`]);
    await engine.delete(known);
    assert.deepEqual((await live(configMapPath(namespace))).data, { script: "echo" });
  });

  it("leaves the counts to the patch when something else about the Job changes", async () => {
    const { known, patch } = await jobAndPatch(2);
    await engine.update(patch, jobPatch(namespace, 3));
    const labelled = job(namespace, 3);
    (labelled.metadata as Obj).labels = { queue: "a" };
    const ignoreChanges = ["spec.completions", "spec.parallelism"];
    assert.deepEqual(changedPaths(await engine.diff(known, labelled, { ignoreChanges })), ["metadata.labels: add"]);
    await engine.update(known, labelled, { ignoreChanges });
    assert.equal(getPath(await live(jobPath(namespace)), ["spec", "completions"]), 3);
  });

  it("shows after a refresh what kubectl changed", async () => {
    const { patch } = await jobAndPatch(2);
    await kubectlEdit(jobPath(namespace), { spec: { completions: 3, parallelism: 3 } });
    const refreshed = (await engine.refresh(patch)) ?? assert.fail();
    const diff = await engine.diff(refreshed, jobPatch(namespace, 2));
    assert.deepEqual(changedPaths(diff), ["spec.completions: update", "spec.parallelism: update"]);
  });

  it("reports a running Job as unhealthy on a refresh", async () => {
    const { urn, id, inputs, state: properties } = (await jobAndPatch(1)).known;
    await assert.rejects(engine.backend.read({ urn, id, inputs, properties }), InitFailed);
  });

  it("waits for completion by default, and fails as soon as a Job does", async () => {
    const standing = engine.create(jobType, "job", job(namespace, 1, {}), { timeoutSeconds: 1 });
    assert.match((await failure(standing)).message, /'job' timed out waiting to be Ready$/);
    await sharedCluster().kube.request("DELETE", jobPath(namespace));
    const late = job(namespace, 1, {});
    (late.spec as Obj).activeDeadlineSeconds = 1;
    late.metadata = { ...(late.metadata as Obj), name: "late" };
    assert.match((await failure(engine.create(jobType, "late", late))).reasons[1] ?? "", /^\[DeadlineExceeded\]/);
  });

  it("cannot update or delete a patch whose Job has gone, and removes it by a refresh", async () => {
    const { known, patch } = await jobAndPatch(1);
    await engine.delete(known);
    await isGone(jobPath(namespace));
    assert.equal((await engine.diff(patch, jobPatch(namespace, 1))).changed, false);
    await assert.rejects(engine.update(patch, jobPatch(namespace, 2)), /jobs\.batch "job" not found/);
    await assert.rejects(engine.delete(patch), /Patch resource is currently managing a required field/);
    assert.equal(await engine.refresh(patch), undefined);
  });

  it("sends a preview to the API server, and shows the inputs where some are not known yet", async () => {
    const preview = await engine.previewCreate(jobType, "job", job(namespace, 2));
    assert.equal(getPath(preview, ["spec", "backoffLimit"]), 6);
    await isGone(jobPath(namespace));
    const late = configMap(namespace, { a: unknown });
    assert.deepEqual(await engine.previewCreate(configMapType, "c", late), late);
  });

  it("keeps what is in a Secret secret", async () => {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace }, stringData: { a: "b" } };
    const { state, inputs } = await engine.create("kubernetes:core/v1:Secret", "s", secret);
    assert.ok(isSecret(state.data) && isSecret(inputs.data));
  });
});
