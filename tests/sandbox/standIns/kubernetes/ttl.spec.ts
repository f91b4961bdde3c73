import * as assert from "node:assert/strict";
import { waitFor } from "../../waiting";
import { sharedCluster } from "../../../support/sandboxHooks";
import type { Obj } from "../rpc/values";
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
  live,
  newEngine,
} from "./clusterFixture";
import { EngineDouble } from "./engineDouble";
import { getPath } from "./objects";

describe("the kubernetes stand-in, with a Job that its time to live removes,", () => {
  let engine: EngineDouble;
  let namespace: string;

  beforeEach(async () => {
    namespace = await sharedCluster().newNamespace();
    engine = await newEngine();
  });

  /** A Job that ends at once and is removed after that. */
  function shortJob(waitFor: string, rest: Obj = {}): Obj {
    const short = job(namespace, 1, { "pulumi.com/waitFor": waitFor });
    const template = { ...((short.spec as Obj).template as Obj) };
    template.metadata = { labels: { "sandbox.minicluster/complete": "true" } };
    return { ...short, spec: { ...(short.spec as Obj), ttlSecondsAfterFinished: 0, template, ...rest } };
  }

  it("sees the end of one that is removed at once", async () => {
    const { state } = await engine.create(jobType, "job", shortJob("condition=Complete"));
    assert.ok(getPath(state, ["status", "completionTime"]));
  });

  it("waits on for one that went before it became what is waited for, until the time is over", async () => {
    const error = await failure(engine.create(jobType, "job", shortJob("condition=Never"), { timeoutSeconds: 3 }));
    assert.match(error.message, /timed out waiting for the condition$/);
    await isGone(jobPath(namespace));
    const request = {
      urn: EngineDouble.urn(jobType, "job"),
      id: error.state.id,
      inputs: {},
      properties: error.state.properties,
    };
    assert.equal((await engine.backend.read(request)).id, "");
  });

  describe("and the JobPatch that is left", () => {
    async function left() {
      const known = await engine.create(jobType, "job", job(namespace, 1));
      const patch = await engine.create(jobPatchType, "scale", jobPatch(namespace, 1));
      await sharedCluster().kube.delete({ apiVersion: "batch/v1", kind: "Job", name: "job", namespace });
      await waitFor("the Job to go", () => isGone(jobPath(namespace)).then(() => true));
      return { known, patch };
    }

    it("shows no change without a refresh", async () => {
      const { known, patch } = await left();
      assert.equal((await engine.diff(known, job(namespace, 1))).changed, false);
      assert.equal((await engine.diff(patch, jobPatch(namespace, 1))).changed, false);
    });

    it("is gone for a refresh, like the Job", async () => {
      const { known, patch } = await left();
      assert.equal(await engine.refresh(known), undefined);
      assert.equal(await engine.refresh(patch), undefined);
    });

    it("cannot be updated", async () => {
      const { patch } = await left();
      const message = /update of resource .* failed: jobs\.batch "job" not found\nunable to get cluster state: jobs/;
      await assert.rejects(engine.update(patch, jobPatch(namespace, 2)), message);
    });

    it("cannot be deleted, while the Job can", async () => {
      const { known, patch } = await left();
      await assert.rejects(engine.delete(patch), /Patch resource is currently managing a required field/);
      await engine.delete(known);
    });
  });

  it("makes an empty object of a Patch resource whose object needs no field, when that is deleted", async () => {
    const known = await engine.create(configMapType, "c", configMap(namespace, {}));
    const patch = await engine.create(configMapPatchType, "p", configMap(namespace, { size: "6" }, forced));
    await engine.delete(known);
    await isGone(configMapPath(namespace));
    await engine.delete(patch);
    assert.equal((await live(configMapPath(namespace))).data, undefined);
  });
});
