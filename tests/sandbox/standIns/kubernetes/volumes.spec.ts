import * as assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { sharedCluster } from "../../../support/sandboxHooks";
import type { Obj } from "../rpc/values";
import { failure, isGone, newEngine } from "./clusterFixture";
import { changedPaths, type EngineDouble } from "./engineDouble";
import { stringAt } from "./objects";
import { isClaimReady } from "./volumes";

const volumeType = "kubernetes:core/v1:PersistentVolume";
const claimType = "kubernetes:core/v1:PersistentVolumeClaim";
const classType = "kubernetes:storage.k8s.io/v1:StorageClass";

describe("the kubernetes stand-in, with volumes and claims,", () => {
  let engine: EngineDouble;
  let namespace: string;
  let name: string;

  beforeEach(async () => {
    namespace = await sharedCluster().newNamespace();
    engine = await newEngine();
    name = `volume-${randomBytes(4).toString("hex")}`;
  });

  const volume = (spec: Obj = {}): Obj => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "1024Mi" },
      accessModes: ["ReadWriteMany"],
      persistentVolumeReclaimPolicy: "Retain",
      storageClassName: "",
      claimRef: { name: "claim", namespace },
      csi: { driver: "fuse.example.com", volumeHandle: name },
      ...spec,
    },
  });
  const claim = (spec: Obj = {}): Obj => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "claim", namespace },
    spec: {
      accessModes: ["ReadWriteMany"],
      storageClassName: "",
      volumeName: name,
      resources: { requests: { storage: "1Gi" } },
      ...spec,
    },
  });

  it("waits until a volume is available and its claim is bound, and deletes both", async () => {
    const knownVolume = await engine.create(volumeType, "volume", volume());
    assert.match(stringAt(knownVolume.state, "status", "phase"), /^(Available|Bound)$/);
    const knownClaim = await engine.create(claimType, "claim", claim());
    assert.equal(stringAt(knownClaim.state, "status", "phase"), "Bound");
    assert.deepEqual(changedPaths(await engine.diff(knownVolume, volume())), []);
    assert.deepEqual(changedPaths(await engine.diff(knownClaim, claim())), []);
    await engine.delete(knownClaim);
    await isGone(`/api/v1/namespaces/${namespace}/persistentvolumeclaims/claim`);
    await engine.delete(knownVolume);
    await isGone(`/api/v1/persistentvolumes/${name}`);
  });

  it("waits for five minutes, whatever the resource says", async () => {
    const pending = failure(engine.create(claimType, "claim", claim(), { timeoutSeconds: 1 }));
    setTimeout(() => engine.backend.cancel(), 2_500);
    const begin = Date.now();
    // The second where a request was on its way.
    assert.match((await pending).message, /(Resource operation was cancelled for 'claim'|context canceled)$/);
    assert.ok(Date.now() - begin > 2_000);
  });

  it("takes a claim that waits for its first consumer for ready", async () => {
    const storageClass = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name } };
    const late = { provisioner: "example.com/none", volumeBindingMode: "WaitForFirstConsumer" };
    const known = await engine.create(classType, "class", { ...storageClass, ...late });
    const { state } = await engine.create(claimType, "claim", claim({ storageClassName: name, volumeName: undefined }));
    assert.equal(stringAt(state, "status", "phase"), "Pending");
    await engine.delete(known);
  });

  it("calls neither unhealthy on a refresh", async () => {
    const request = { urn: "urn:pulumi:dev::spec::x::y", properties: {}, inputs: claim(), id: `${namespace}/claim` };
    await sharedCluster().kube.create(claim() as never);
    assert.equal((await engine.backend.read(request)).id, `${namespace}/claim`);
  });

  it("replaces a volume for another source, and changes its capacity and reclaim policy in place", async () => {
    const known = await engine.create(volumeType, "volume", volume());
    const moved = await engine.diff(known, volume({ csi: { driver: "fuse.example.com", volumeHandle: "other" } }));
    assert.deepEqual([moved.replaces, moved.deleteBeforeReplace], [["spec.csi.volumeHandle"], true]);
    const news = volume({ capacity: { storage: "2Gi" }, persistentVolumeReclaimPolicy: "Delete" });
    assert.deepEqual((await engine.diff(known, news)).replaces, []);
    await engine.delete(await engine.update(known, news));
  });

  it("leaves to the API server to refuse a smaller claim", async () => {
    const knownVolume = await engine.create(volumeType, "volume", volume());
    const known = await engine.create(claimType, "claim", claim());
    const news = claim({ resources: { requests: { storage: "512Mi" } } });
    assert.deepEqual((await engine.diff(known, news)).replaces, []);
    await assert.rejects(engine.update(known, news), /spec\.resources\.requests\.storage: Forbidden|is forbidden/);
    await engine.delete(known);
    await engine.delete(knownVolume);
  });
});

describe("a claim", () => {
  const cases: [name: string, phase: string, mode: string, isUpdate: boolean, ready: boolean][] = [
    ["is ready when it is bound", "Bound", "Immediate", false, true],
    ["is not while it is pending", "Pending", "", false, false],
    ["is while it waits for its first consumer", "Pending", "WaitForFirstConsumer", false, true],
    ["is not when it was bound before it was looked at", "Bound", "WaitForFirstConsumer", false, false],
    ["is after an update when it is bound", "Bound", "WaitForFirstConsumer", true, true],
  ];
  for (const [name, phase, mode, isUpdate, ready] of cases)
    it(name, () => assert.equal(isClaimReady(phase, mode, isUpdate), ready));
});
