import * as assert from "node:assert/strict";
import { sharedCluster } from "../../../support/sandboxHooks";
import type { Obj } from "../rpc/values";
import { configMap, configMapType, failure, job, jobType, newEngine, type Said } from "./clusterFixture";
import type { EngineDouble } from "./engineDouble";

const cleared: Said = { severity: "info", message: "", kind: "status" };

describe("the kubernetes stand-in, and the status of a resource,", () => {
  let engine: EngineDouble;
  let namespace: string;
  let said: Said[];

  beforeEach(async () => {
    namespace = await sharedCluster().newNamespace();
    engine = await newEngine({}, (said = []));
  });

  const saidBy = async (operation: Promise<unknown>) => {
    said.length = 0;
    await operation;
    return [...said];
  };

  it("clears it at the end of each step, in a preview of a create, too", async () => {
    assert.deepEqual(await saidBy(engine.previewCreate(configMapType, "c", configMap(namespace, {}))), [cleared]);
    const creating = engine.create(configMapType, "c", configMap(namespace, {}));
    assert.deepEqual(await saidBy(creating), [cleared, cleared]);
    const known = await creating;
    const changed = configMap(namespace, { a: "1" });
    assert.deepEqual(await saidBy(engine.update(known, changed, { preview: true })), []);
    assert.deepEqual(await saidBy(engine.update(known, changed)), [cleared]);
    assert.deepEqual(await saidBy(engine.refresh(known)), []);
    assert.deepEqual(await saidBy(engine.delete(known)), [cleared]);
  });

  it("shows what Kubernetes warns of while it waits", async () => {
    const late = job(namespace, 1, { "pulumi.com/waitFor": "condition=Never" });
    (late.spec as Obj).activeDeadlineSeconds = 1;
    // The Job fails before Kubernetes says so.
    await failure(engine.create(jobType, "job", late, { timeoutSeconds: 5 }));
    const message = "DeadlineExceeded: Job was active longer than specified deadline";
    assert.deepEqual(said, [cleared, { severity: "warning", message, kind: "status" }]);
  });
});
