import * as assert from "node:assert/strict";
import { waitFor } from "../../waiting";
import { sharedCluster } from "../../../support/sandboxHooks";
import type { Obj } from "../rpc/values";
import { failure, isGone, newEngine } from "./clusterFixture";
import { changedPaths, EngineDouble } from "./engineDouble";
import { getPath, stringAt } from "./objects";
import { Settling, waitsForEndpoints } from "./services";

const serviceType = "kubernetes:core/v1:Service";
const policyType = "kubernetes:networking.k8s.io/v1:NetworkPolicy";

describe("the kubernetes stand-in, with Services,", () => {
  let engine: EngineDouble;
  let namespace: string;

  beforeEach(async () => {
    namespace = await sharedCluster().newNamespace();
    engine = await newEngine();
  });

  const service = (spec: Obj = {}, annotations: Obj = {}): Obj => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "services", namespace, annotations },
    spec: { selector: { role: "services" }, ports: [{ name: "http", port: 80 }], ...spec },
  });
  const pod = (labels: Obj) =>
    sharedCluster().kube.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "pod", namespace, labels: { role: "services", ...labels } },
      spec: { containers: [{ name: "main", image: "services:1" }] },
    });
  const skipAwait = { "pulumi.com/skipAwait": "true" };

  it("takes ten seconds for one whose selector matches no pod, and is then content", async () => {
    const begin = Date.now();
    const known = await engine.create(serviceType, "services", service());
    assert.ok(Date.now() - begin >= 10_000);
    assert.ok(stringAt(known.state, "spec", "clusterIP"));
  });

  it("is content sooner when the time is over and no pod is unready", async () => {
    await engine.create(serviceType, "services", service(), { timeoutSeconds: 1 });
  });

  it("fails when the time is over and a pod is not ready, and then on a refresh, until it is", async () => {
    await pod({ "sandbox.minicluster/ready": "never" });
    const error = await failure(engine.create(serviceType, "services", service(), { timeoutSeconds: 2 }));
    assert.match(error.message, /'services' timed out waiting to be Ready$/);
    assert.match(error.reasons[1] ?? "", /^Service does not target any Pods\. Selected Pods may not be ready/);
    const request = {
      urn: EngineDouble.urn(serviceType, "services"),
      id: error.state.id,
      inputs: service(),
      properties: error.state.properties,
    };
    const { reasons } = await failure(engine.backend.read(request));
    assert.match(reasons.join(), /failed to initialize,Service does not target any Pods/);
    await sharedCluster().kube.delete({ apiVersion: "v1", kind: "Pod", name: "pod", namespace });
    await waitFor("the refresh to find it healthy", () => engine.backend.read(request).then(() => true));
  });

  it("does not wait where it is told so, has no selector, or is headless", async () => {
    await pod({ "sandbox.minicluster/ready": "never" });
    const begin = Date.now();
    for (const inputs of [service({}, skipAwait), service({ selector: {} }), service({ clusterIP: "None" })]) {
      const known = await engine.create(serviceType, "services", inputs);
      assert.ok(await engine.refresh(known));
      await engine.delete(known);
      await isGone(`/api/v1/namespaces/${namespace}/services/services`);
    }
    assert.ok(Date.now() - begin < 9_000);
  });

  it("replaces for another clusterIP, and changes the type and the selector in place", async () => {
    const known = await engine.create(serviceType, "services", service({}, skipAwait));
    assert.deepEqual((await engine.diff(known, service({ clusterIP: "None" }, skipAwait))).replaces, [
      "spec.clusterIP",
    ]);
    const news = service({ type: "NodePort", selector: { role: "other" } }, skipAwait);
    const diff = await engine.diff(known, news);
    assert.deepEqual(changedPaths(diff), ["spec.selector.role: update", "spec.type: add"]);
    const { state } = await engine.update(known, news);
    assert.equal(getPath(state, ["spec", "type"]), "NodePort");
  });

  it("creates and changes a NetworkPolicy without waiting", async () => {
    const policy = (ingress: Obj[]): Obj => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "policy", namespace },
      spec: { podSelector: { matchLabels: { role: "services" } }, policyTypes: ["Ingress"], ingress },
    });
    const known = await engine.create(policyType, "policy", policy([{ from: [{ podSelector: {} }] }]));
    const news = policy([{ from: [{ podSelector: { matchLabels: { a: "b" } } }], ports: [{ port: 8050 }] }]);
    const diff = await engine.diff(known, news);
    assert.deepEqual([diff.changed, diff.replaces], [true, []]);
    const updated = await engine.update(known, news);
    assert.deepEqual(changedPaths(await engine.diff(updated, news)), []);
    await engine.delete(updated);
    await isGone(`/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/policy`);
  });
});

describe("a Service", () => {
  const cases: [name: string, spec: Obj, waits: boolean][] = [
    ["with a selector waits for endpoints", { selector: { a: "b" } }, true],
    ["for a load balancer does too", { type: "LoadBalancer", selector: { a: "b" } }, true],
    ["without a selector does not", { selector: {} }, false],
    ["that is headless does not", { clusterIP: "None", selector: { a: "b" } }, false],
    ["that is a name elsewhere does not", { type: "ExternalName", selector: { a: "b" } }, false],
  ];
  for (const [name, spec, waits] of cases) it(name, () => assert.equal(waitsForEndpoints({ spec }), waits));

  it("has settled ten seconds after a change, if nothing changed since", () => {
    const settling = new Settling();
    assert.equal(settling.see(undefined, 0), false);
    assert.equal(settling.see("1", 1_000), false);
    assert.equal(settling.see("1", 10_999), false);
    assert.equal(settling.see("1", 11_000), true);
    assert.equal(settling.see("2", 12_000), false);
    assert.equal(settling.see("2", 22_000), true);
  });
});
