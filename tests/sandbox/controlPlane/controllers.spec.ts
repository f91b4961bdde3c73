import * as assert from "node:assert/strict";
import { randomBytes } from "node:crypto";

import { waitFor } from "../waiting";
import { sharedCluster, type SharedCluster } from "../../support/sandboxHooks";
import { anIndexedJob } from "../fixtures";

const restricted = { "pod-security.kubernetes.io/enforce": "restricted" };

/** What a restricted namespace asks of a container. */
const modest = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

describe("the control plane of the sandbox", () => {
  let cluster: SharedCluster;
  let namespace: string;

  beforeEach(async () => {
    cluster = sharedCluster();
    namespace = await cluster.newNamespace();
  });

  const aPod = (name: string, container: object = {}, spec: object = {}, labels: Record<string, string> = {}) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels },
    spec: { containers: [{ name: "main", image: "main", ...container }], ...spec },
  });
  const find = (apiVersion: string, kind: string, name: string) =>
    cluster.kube.find({ apiVersion, kind, name, namespace });
  const isReady = async (name: string) => {
    const pod = await find("v1", "Pod", name);
    const { conditions } = (pod?.status ?? {}) as { conditions?: { type: string; status: string }[] };
    return conditions?.some(({ type, status }) => type === "Ready" && status === "True");
  };

  it("makes a bare pod Ready, with an image for a volume", async () => {
    const volume = { name: "view", image: { reference: "flux-view:1", pullPolicy: "IfNotPresent" } };
    const mount = { name: "view", mountPath: "/mnt/flux", subPath: "opt" };
    await cluster.kube.create(aPod("bare", { volumeMounts: [mount] }, { volumes: [volume] }));
    await waitFor("the pod to be Ready", () => isReady("bare"));
    const pod = await find("v1", "Pod", "bare");
    const { volumes } = pod?.spec as { volumes: object[] };
    assert.deepEqual(volumes[0], volume);
  });

  it("refuses pods that the namespace's Pod Security label forbids", async () => {
    namespace = await cluster.newNamespace(restricted);
    await assert.rejects(cluster.kube.create(aPod("root")), /violates PodSecurity "restricted:latest": .*runAsNonRoot/);
    await cluster.kube.create(aPod("modest", { securityContext: modest }));
    await waitFor("the pod to be Ready", () => isReady("modest"));
  });

  it("removes a Job and its pods when its time to live after the end is over", async () => {
    const complete = { "sandbox.minicluster/complete": "true" };
    const job = anIndexedJob("short", 2, complete, { ttlSecondsAfterFinished: 1 });
    await cluster.kube.create({ ...job, metadata: { name: "short", namespace } });
    await waitFor("the Job to end", async () => {
      const job = await find("batch/v1", "Job", "short");
      return (job?.status as { completionTime?: string } | undefined)?.completionTime;
    });
    await waitFor("the Job to go", async () => !(await find("batch/v1", "Job", "short")));
    assert.deepEqual(await cluster.kube.podsOfJob(namespace, "short"), []);
  });

  it("lists the pods of a Service, ready or not, in Endpoints and EndpointSlices", async () => {
    const spec = { selector: { role: "services" }, ports: [{ port: 80 }] };
    const { spec: made } = await cluster.kube.create({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace },
      spec,
    });
    assert.match((made as { clusterIP: string }).clusterIP, /^10\./);
    await cluster.kube.create(aPod("ready", {}, {}, spec.selector));
    await cluster.kube.create(aPod("unready", {}, {}, { ...spec.selector, "sandbox.minicluster/ready": "never" }));
    await waitFor("both pods in the Endpoints", async () => {
      const endpoints = await find("v1", "Endpoints", "web");
      const [subset] = (endpoints?.subsets ?? []) as { addresses?: object[]; notReadyAddresses?: object[] }[];
      return subset?.addresses?.length === 1 && subset.notReadyAddresses?.length === 1;
    });
    await waitFor("both pods in an EndpointSlice", async () => {
      const ref = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", namespace };
      const [slice] = await cluster.kube.list(ref, "kubernetes.io/service-name=web");
      const endpoints = (slice?.endpoints ?? []) as { conditions: { ready: boolean } }[];
      const ready = endpoints.map(({ conditions }) => conditions.ready).sort();
      return JSON.stringify(ready) === "[false,true]";
    });
  });

  it("binds a claim to a volume made by hand, runs a pod with it, and lets go of both", async () => {
    const name = `volume-${randomBytes(4).toString("hex")}`;
    const common = { accessModes: ["ReadWriteMany"], storageClassName: "" };
    const volume = { capacity: { storage: "1Gi" }, csi: { driver: "fuse.example.com", volumeHandle: name } };
    const ref = { apiVersion: "v1", kind: "PersistentVolume", name };
    const claim = { ...common, volumeName: name, resources: { requests: { storage: "1Gi" } } };
    const phase = async (kind: string, object: string) => {
      const found = kind === ref.kind ? await cluster.kube.find(ref) : await find("v1", kind, object);
      return (found?.status as { phase?: string } | undefined)?.phase;
    };
    // The claim first: without a quick look at unbound claims it would wait for fifteen seconds.
    await cluster.kube.create({
      ...ref,
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", namespace },
      spec: claim,
    });
    await cluster.kube.create({ ...ref, metadata: { name }, spec: { ...common, ...volume } });
    await waitFor("the claim to be bound", async () => (await phase("PersistentVolumeClaim", "data")) === "Bound");
    assert.equal(await phase("PersistentVolume", name), "Bound");
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    await cluster.kube.create(aPod("user", {}, { volumes }));
    await waitFor("the pod to be Ready", () => isReady("user"));
    await cluster.kube.delete({ apiVersion: "v1", kind: "Pod", name: "user", namespace });
    await cluster.kube.delete({ apiVersion: "v1", kind: "PersistentVolumeClaim", name: "data", namespace });
    await waitFor("the claim to go", async () => !(await find("v1", "PersistentVolumeClaim", "data")));
    await cluster.kube.delete(ref);
    await waitFor("the volume to go", async () => !(await cluster.kube.find(ref)));
  });
});
