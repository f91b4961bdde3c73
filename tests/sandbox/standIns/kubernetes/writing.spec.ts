import * as assert from "node:assert/strict";
import { sharedCluster } from "../../../support/sandboxHooks";
import { isSecret, type Obj, unknown } from "../rpc/values";
import {
  configMap,
  configMapPatchType,
  configMapPath,
  configMapType,
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
import { type EngineDouble, managersOf } from "./engineDouble";
import { getPath, stringAt } from "./objects";

describe("the kubernetes stand-in, writing objects,", () => {
  let engine: EngineDouble;
  let namespace: string;

  beforeEach(async () => {
    namespace = await sharedCluster().newNamespace();
    engine = await newEngine();
  });

  describe("creating", () => {
    it("records the live object, the inputs and a field manager of the resource's own", async () => {
      const { id, state } = await engine.create(configMapType, "c", configMap(namespace, { a: "1" }));
      assert.equal(id, `${namespace}/config`);
      assert.match(stringAt(state, "__fieldManager"), /^pulumi-kubernetes-[0-9a-f]{8}$/);
      assert.equal(state.__initialApiVersion, "v1");
      assert.deepEqual(state.__inputs, configMap(namespace, { a: "1" }));
      assert.ok(getPath(state, ["metadata", "uid"]));
    });

    it("makes up a name and uses the provider's namespace when the program gives none", async () => {
      const made = { apiVersion: "v1", kind: "ConfigMap", metadata: {}, data: {} };
      const { state } = await (
        await newEngine({ "kubernetes:config:namespace": namespace })
      ).create(configMapType, "auto", made);
      assert.match(getPath(state, ["metadata", "name"]) as string, /^auto-[0-9a-f]{8}$/);
      assert.equal(getPath(state, ["metadata", "namespace"]), namespace);
      assert.equal(getPath(state, ["metadata", "annotations", "pulumi.com/autonamed"]), "true");
    });

    it("fails for an object that exists, and tells what can be done", async () => {
      await engine.create(configMapType, "c", configMap(namespace, { a: "1" }));
      const again = engine.create(configMapType, "again", configMap(namespace, { a: "2" }));
      await assert.rejects(again, /configmaps "config" already exists\n\nThe resource already exists in the cluster/);
      assert.deepEqual((await live(configMapPath(namespace))).data, { a: "1" });
    });

    it("keeps what is in a Secret secret", async () => {
      const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace }, stringData: { a: "b" } };
      const { state, inputs } = await engine.create("kubernetes:core/v1:Secret", "s", secret);
      assert.ok(isSecret(state.data) && isSecret(inputs.data));
    });
  });

  describe("previewing", () => {
    it("asks the API server what an object would become, and leaves no trace", async () => {
      const preview = await engine.previewCreate(jobType, "job", job(namespace, 2));
      assert.equal(getPath(preview, ["spec", "backoffLimit"]), 6);
      await isGone(jobPath(namespace));
    });

    it("shows the inputs when some are not known yet", async () => {
      const preview = await engine.previewCreate(configMapType, "c", configMap(namespace, { a: unknown }));
      assert.deepEqual(preview, configMap(namespace, { a: unknown }));
    });

    it("finds a mistake that only the API server can see", async () => {
      const wrong = job(namespace, 2);
      (wrong.spec as Obj).completionMode = "Sorted";
      await assert.rejects(engine.previewCreate(jobType, "job", wrong), /spec.completionMode/);
    });

    it("shows an update as the API server would do it, and leaves no trace", async () => {
      const known = await engine.create(configMapType, "c", configMap(namespace, { a: "1" }));
      const { state } = await engine.update(known, configMap(namespace, { a: "2" }), { preview: true });
      assert.deepEqual(state.data, { a: "2" });
      assert.deepEqual((await live(configMapPath(namespace))).data, { a: "1" });
    });

    it("shows a Patch resource as it is, and one whose name is not known yet not at all", async () => {
      const patch = jobPatch(namespace, 3);
      assert.deepEqual(await engine.previewCreate(jobPatchType, "scale", patch), patch);
      const nameless = { ...patch, metadata: { name: unknown, namespace } };
      await assert.rejects(engine.previewCreate(jobPatchType, "scale", nameless), /require the `.metadata.name` field/);
    });

    it("goes on without an API server", async () => {
      const server = "https://127.0.0.1:1";
      const kubeconfig = `{ clusters: [{ name: a, cluster: { server: "${server}" } }], contexts: [{ name: a, context: { cluster: a } }], current-context: a }`;
      const offline = await newEngine({ "kubernetes:config:kubeconfig": kubeconfig });
      const map = configMap(namespace, { a: "1" });
      assert.deepEqual(await offline.previewCreate(configMapType, "c", map), map);
      await assert.rejects(offline.create(configMapType, "c", map), /configured Kubernetes cluster is unreachable/);
    });
  });

  describe("patching", () => {
    it("needs force to take a field from another manager", async () => {
      await engine.create(configMapType, "c", configMap(namespace, { size: "4" }));
      const patch = configMap(namespace, { size: "6" });
      await assert.rejects(engine.create(configMapPatchType, "p", patch), (error: Error) => {
        assert.match(error.message, /server-side apply field conflict detected/);
        assert.match(error.message, /had an apply conflict: Apply failed with 1 conflict.*\.data\.size/);
        return true;
      });
      const { state } = await engine.create(configMapPatchType, "p", configMap(namespace, { size: "6" }, forced));
      const object = await live(configMapPath(namespace));
      assert.deepEqual(object.data, { size: "6" });
      assert.deepEqual(managersOf(object, "data", "size"), [`${stringAt(state, "__fieldManager")}/Apply`]);
    });

    it("gives its fields back when it is deleted", async () => {
      await engine.create(configMapType, "c", configMap(namespace, { script: "echo" }));
      const patch = await engine.create(configMapPatchType, "p", configMap(namespace, { size: "6" }, forced));
      await engine.delete(patch);
      assert.deepEqual((await live(configMapPath(namespace))).data, { script: "echo" });
    });

    it("leaves a Job at the default size when it is deleted alone", async () => {
      await engine.create(jobType, "job", job(namespace, 2));
      const patch = await engine.create(jobPatchType, "scale", jobPatch(namespace, 3));
      await engine.delete(patch);
      assert.equal(getPath(await live(jobPath(namespace)), ["spec", "completions"]), 1);
    });

    it("makes the object when there is none, and cannot be deleted while nobody else has a field it needs", async () => {
      const patch = await engine.create(jobPatchType, "whole", job(namespace, 1));
      await assert.rejects(
        engine.delete(patch),
        /Patch resource is currently managing a required field.*: spec\.template\.spec\.containers$/,
      );
    });

    it("is gone for a refresh when the object is", async () => {
      const known = await engine.create(configMapType, "c", configMap(namespace, {}));
      const patch = await engine.create(configMapPatchType, "p", configMap(namespace, { size: "6" }, forced));
      await engine.delete(known);
      assert.equal(await engine.refresh(patch), undefined);
    });
  });
});
