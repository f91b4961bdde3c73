import * as assert from "node:assert/strict";
import { sharedCluster } from "../../../support/sandboxHooks";
import type { Obj } from "../rpc/values";
import { failure, isGone, live, newEngine } from "./clusterFixture";
import { changedPaths, type EngineDouble } from "./engineDouble";
import { stringAt } from "./objects";
import { podReadiness } from "./podReadiness";

const podType = "kubernetes:core/v1:Pod";
const never = { "sandbox.minicluster/ready": "never" };

describe("the kubernetes stand-in, with Pods,", () => {
  let engine: EngineDouble;
  let namespace: string;

  beforeEach(async () => {
    namespace = await sharedCluster().newNamespace();
    engine = await newEngine();
  });

  const pod = (labels: Obj = {}, container: Obj = {}, spec: Obj = {}): Obj => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "services", namespace, labels },
    spec: { containers: [{ name: "main", image: "services:1", ...container }], ...spec },
  });
  const path = () => `/api/v1/namespaces/${namespace}/pods/services`;

  it("waits until one is ready, and deletes it", async () => {
    const known = await engine.create(podType, "services", pod());
    assert.ok(podReadiness(known.state).ready);
    await engine.delete(known);
    await isGone(path());
  });

  it("takes one that has succeeded for ready", async () => {
    const complete = { "sandbox.minicluster/complete": "true" };
    await engine.create(podType, "services", pod({ ...never, ...complete }, {}, { restartPolicy: "Never" }));
  });

  it("tells, when the time is over, which container is not ready", async () => {
    const error = await failure(engine.create(podType, "services", pod(never), { timeoutSeconds: 1 }));
    assert.match(error.message, /'services' timed out waiting to be Ready$/);
    assert.deepEqual(error.reasons.slice(1), [`[Pod ${namespace}/services]: containers with unready status: [main]`]);
    assert.equal(error.state.id, `${namespace}/services`);
  });

  it("goes on waiting for one that has failed", async () => {
    const failed = pod({ ...never, "sandbox.minicluster/complete": "failed" }, {}, { restartPolicy: "Never" });
    const error = await failure(engine.create(podType, "services", failed, { timeoutSeconds: 1 }));
    assert.match(error.message, /timed out waiting to be Ready$/);
    assert.match(error.reasons[1] ?? "", /completed with exit code 1$/);
  });

  it("does not tell why one is not scheduled", async () => {
    const unschedulable = pod({}, {}, { nodeSelector: { nowhere: "true" } });
    const error = await failure(engine.create(podType, "services", unschedulable, { timeoutSeconds: 1 }));
    assert.equal(error.reasons.length, 1);
  });

  it("calls one that is not ready unhealthy on a refresh", async () => {
    const annotated = pod(never);
    (annotated.metadata as Obj).annotations = { "pulumi.com/waitFor": "jsonpath={.status.phase}=Running" };
    const { urn, id, inputs, state: properties } = await engine.create(podType, "services", annotated);
    const error = await failure(engine.backend.read({ urn, id, inputs, properties }));
    assert.match(error.reasons.join(), /was created but failed to initialize,\[Pod .*unready status: \[main\]$/);
  });

  it("changes labels in place, without a word about what the API server added", async () => {
    const claims = { volumes: [{ name: "view", emptyDir: {} }] };
    const known = await engine.create(podType, "services", pod({}, {}, claims));
    const news = pod({ role: "services" }, {}, claims);
    assert.deepEqual(changedPaths(await engine.diff(known, news)), ["metadata.labels.role: add"]);
    await engine.update(known, news);
    assert.equal(stringAt(await live(path()), "metadata", "labels", "role"), "services");
  });

  it("replaces for an image, and leaves to the API server to refuse what the table lacks", async () => {
    const known = await engine.create(podType, "services", pod());
    const image = await engine.diff(known, pod({}, { image: "services:2" }));
    assert.deepEqual([image.replaces, image.deleteBeforeReplace], [["spec.containers[0].image"], true]);
    const news = pod({}, { envFrom: [{ configMapRef: { name: "settings", optional: true } }] });
    assert.deepEqual((await engine.diff(known, news)).replaces, []);
    await assert.rejects(engine.update(known, news), /pod updates may not change fields other than/);
  });

  it("is created with a volume that is an image", async () => {
    const volumes = [{ name: "flux", image: { reference: "flux-view:1", pullPolicy: "IfNotPresent" } }];
    const mounts = { volumeMounts: [{ name: "flux", mountPath: "/mnt/flux", readOnly: true }] };
    const known = await engine.create(podType, "services", pod({}, mounts, { volumes }));
    const diff = await engine.diff(known, pod({}, mounts, { volumes }));
    assert.deepEqual(changedPaths(diff), []);
  });
});

describe("a pod's readiness", () => {
  const condition = (type: string, rest: Obj = {}) => ({ type, status: "True", ...rest });
  const begun = [condition("PodScheduled"), condition("Initialized")];
  const unready = condition("Ready", { status: "False", reason: "ContainersNotReady", message: "not ready: [a]" });
  const withStatus = (status: Obj): Obj => ({ metadata: { name: "p", namespace: "ns" }, status });
  const cases: { name: string; status: Obj; want: ReturnType<typeof podReadiness> }[] = [
    { name: "needs all three conditions", status: { conditions: [condition("Ready")] }, want: { ready: false } },
    {
      name: "names a container that cannot pull its image",
      status: {
        conditions: [...begun, unready],
        containerStatuses: [{ name: "a", state: { waiting: { reason: "ErrImagePull", message: "no such image" } } }],
      },
      want: { ready: false, missing: ["[Pod ns/p]: not ready: [a][ErrImagePull] no such image"] },
    },
    {
      name: "says nothing of a container that is being made",
      status: {
        conditions: [...begun, { type: "Ready", status: "False" }],
        containerStatuses: [{ name: "a", state: { waiting: { reason: "ContainerCreating" } } }],
      },
      want: { ready: false, missing: [] },
    },
    {
      name: "tells how a container ended before it was started again",
      status: {
        conditions: [...begun, { type: "Ready", status: "False" }],
        containerStatuses: [
          {
            name: "a",
            lastState: { terminated: { exitCode: 2, reason: "Error", finishedAt: "2024-01-01T00:00:00Z" } },
          },
        ],
      },
      want: {
        ready: false,
        missing: ['[Pod ns/p]: container "a" terminated at 2024-01-01T00:00:00Z (Error: exit code 2)'],
      },
    },
  ];
  for (const { name, status, want } of cases) it(name, () => assert.deepEqual(podReadiness(withStatus(status)), want));
});
