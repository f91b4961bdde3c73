import * as assert from "node:assert/strict";
import {
  type Pod,
  podProblems,
  readLastLogLines,
  readLostPods,
  readPodProblems,
  readProgress,
} from "../../../../provider/core/diagnostics/pods";
import { readQueueProblems } from "../../../../provider/gang/diagnostics";
import { pauseAfter } from "../../../../provider/core/diagnostics/waiting";
import { rankLabel } from "../../../../provider/core/parse/names";
import type { MiniClusterSpec } from "../../../../provider/core/parse/spec";
import { aMiniCluster } from "../../../support/fixtures";

const unscheduled = (message: string) => ({
  conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }],
});
const waiting = (state: { reason: string; message?: string }) => ({
  containerStatuses: [{ name: "flux", state: { waiting: state } }],
});
const ended = (terminated: { exitCode: number; reason?: string }) => ({
  initContainerStatuses: [{ name: "view", state: { terminated } }],
});

describe("a pod that a lost node keeps", () => {
  const spec = aMiniCluster({ size: 4 });
  const since = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000).toISOString();
  const terminating = (name: string, secondsAgo: number, rest: Partial<Pod> = {}): Pod => ({
    metadata: { name, deletionTimestamp: since(secondsAgo) },
    spec: { nodeName: "node-7" },
    ...rest,
  });
  const lost = terminating("demo-1-x", 3_600);
  const pods = [
    lost,
    terminating("still-ends", 10),
    terminating("was-never-placed", 3_600, { spec: {} }),
    terminating("has-ended", 3_600, { status: { phase: "Failed" } }),
    { metadata: { name: "runs" }, spec: { nodeName: "node-7" } },
  ];
  const sentence =
    `has been terminating since ${lost.metadata.deletionTimestamp} on node node-7, and its rank is not replaced ` +
    "until it has gone; if the machine is lost, delete its Node: kubectl delete node node-7";

  it("is named with its node, and a pod that may still end is not", async () => {
    const read = () => Promise.resolve({ items: [...pods] });
    assert.deepEqual(await readLostPods({ read, uid: "a" }, spec), [`pod demo-1-x ${sentence}`]);
  });

  it("is a reason of a wait", () => assert.deepEqual(podProblems(pods), [`pod demo-1-x: ${sentence}`]));
});

describe("what keeps pods from being Ready", () => {
  const crash = waiting({ reason: "CrashLoopBackOff" });
  const nodeless = unscheduled("x");
  const table: [name: string, pods: Record<string, Pod["status"]>, ...want: string[]][] = [
    ["is nothing while they start", { a: waiting({ reason: "ContainerCreating" }), b: {} }],
    ["is a missing node", { a: unscheduled("0/4 nodes") }, "pod a: Unschedulable: 0/4 nodes"],
    [
      "is an image",
      ...([
        { a: waiting({ reason: "ErrImagePull", message: "x" }) },
        "pod a: container flux: ErrImagePull: x",
      ] as const),
    ],
    [
      "is a container that failed",
      { a: ended({ exitCode: 137, reason: "OOMKilled" }) },
      "pod a: container view ended with status 137 (OOMKilled)",
    ],
    ["is no container that succeeded", { a: ended({ exitCode: 0, reason: "Completed" }) }],
    ["is nothing for a pod that is deleted or done", { going: nodeless, b: { phase: "Succeeded" } }],
    [
      "is at most three reasons, the most frequent first",
      {
        a: crash,
        b: crash,
        c: nodeless,
        d: nodeless,
        e: nodeless,
        f: ended({ exitCode: 1 }),
        g: ended({ exitCode: 2 }),
      },
      "pod c and 2 more: Unschedulable: x",
      "pod a and 1 more: container flux: CrashLoopBackOff",
      "pod f: container view ended with status 1",
    ],
  ];
  for (const [title, statuses, ...want] of table)
    it(title, () => {
      const pods = Object.entries(statuses).map(([name, status]): Pod => ({
        metadata: { name, ...(name === "going" && { deletionTimestamp: "now" }) },
        status,
      }));
      assert.deepEqual(podProblems(pods), want);
    });
});

describe("followers that have not joined", () => {
  const follower = (name: string, more: Partial<Pod> = {}, state: object = { running: {} }, ready = false): Pod => ({
    metadata: { name },
    status: { phase: "Running", containerStatuses: [{ name: "demo", ready, state }] },
    ...more,
  });
  const problemsOf = (items: Pod[], spec = aMiniCluster({ size: 4 })) =>
    readPodProblems({ read: () => Promise.resolve({ items }), uid: "a" }, spec);
  const address = "demo-0.demo.default.svc.cluster.local.:8050";
  const lead = follower("demo-0-a", { metadata: { name: "demo-0-a", labels: { [rankLabel]: "0" } } });

  it("are named with the address of their lead broker, which is in the arguments", async () => {
    const found = await problemsOf([lead, follower("demo-1-b"), follower("demo-2-c")]);
    assert.deepEqual(found, [`pod demo-1-b and 1 more: has not joined the lead broker at ${address}`]);
  });

  it("are named with the address in their variable where it is known only later", async () => {
    const env = [{ name: "MINICLUSTER_LEAD", value: "192.0.2.1:30850" }];
    const spec = { containers: [{ name: "demo", env }] };
    const late = { ...aMiniCluster(), role: "follower", lead: { isLate: true } } as unknown as MiniClusterSpec;
    const found = await problemsOf([follower("demo-0-a", { spec })], late);
    assert.deepEqual(found, ["pod demo-0-a: has not joined the lead broker at 192.0.2.1:30850"]);
    assert.deepEqual(await problemsOf([follower("demo-0-a")], late), []);
  });

  it("are no reason beside another, if they are ready or do not run, or with the user's configuration", async () => {
    const unplaced = { metadata: { name: "demo-1-b" }, status: unscheduled("0/4 nodes") };
    assert.deepEqual(await problemsOf([unplaced, follower("c")]), ["pod demo-1-b: Unschedulable: 0/4 nodes"]);
    assert.deepEqual(await problemsOf([lead, follower("b", {}, undefined, true), follower("c", {}, {})]), []);
    const own = aMiniCluster({ size: 4, flux: { brokerConfig: "[bootstrap]\n" } });
    assert.deepEqual(await problemsOf([follower("b")], own), []);
  });
});

describe("reading a cluster", () => {
  const spec = aMiniCluster();
  const answers = (all: Record<string, unknown>) => (path: string) => {
    const found = Object.entries(all).find(([start]) => path.startsWith(start));
    return found ? Promise.resolve(found[1]) : Promise.reject(new Error(path));
  };

  it("counts what the Job counts, and rejects another Job of its name", async () => {
    const read = answers({ "/apis/batch": { metadata: { uid: "1" }, spec: { parallelism: 4 }, status: { ready: 3 } } });
    assert.deepEqual(await readProgress({ read, uid: "1" }, spec), { joined: 3, wanted: 4, terminating: 0 });
    await assert.rejects(readProgress({ read, uid: "2" }, spec), /another Job/);
  });

  it("finds the last lines of the lead's last pod that has failed", async () => {
    const pod = (name: string, creationTimestamp: string, phase: string) => ({
      metadata: { name, creationTimestamp },
      status: { phase },
    });
    const items = [pod("new", "3", "Running"), pod("old", "1", "Failed"), pod("last", "2", "Failed")];
    const read = answers({
      "/api/v1/namespaces/default/pods/last/log": "one\ntwo\n",
      "/api/v1/namespaces/default/pods?": { items },
    });
    assert.deepEqual(await readLastLogLines({ read, uid: "1" }, spec), ["one", "two"]);
  });

  it("removes the control sequences of terminals from these lines", async () => {
    const item = { metadata: { name: "last" }, status: { phase: "Failed" } };
    const lines = [
      "\u001b[2J\u001b[31mred\u001b[0m",
      "\u001b]52;c;cm0gLXJm\u0007clipboard",
      "50 %\r100 %\ttab",
      "\u202eback",
    ];
    const read = answers({
      "/api/v1/namespaces/default/pods/last/log": `${lines.join("\n")}\n`,
      "/api/v1/namespaces/default/pods?": { items: [item] },
    });
    const want = ["red", "clipboard", "50 %100 %\ttab", "back"];
    assert.deepEqual(await readLastLogLines({ read, uid: "1" }, spec), want);
  });
});

const queued = aMiniCluster({ gang: { queueName: "hpc" } });
const aWorkload = (...conditions: [type: string, status: string, message?: string][]) => ({
  status: { conditions: conditions.map(([type, status, message]) => ({ type, status, message })) },
});

/** The reasons in these Workloads of Kueue, and the paths that were read for them. */
async function reasonsIn(items: object[] | undefined, spec = queued) {
  const paths: string[] = [];
  const read = (path: string) => {
    paths.push(path);
    if (!items) return Promise.reject(new Error("404"));
    return Promise.resolve(path.endsWith(".io") ? { preferredVersion: { version: "v1beta2" } } : { items });
  };
  return { reasons: await readQueueProblems({ read, uid: "1" }, spec), paths };
}

describe("the reasons of Kueue", () => {
  const full = "couldn't assign flavors to pod set main: insufficient unused quota for cpu";

  it("are those why it has reserved no quota yet, in the version of its API that the server prefers", async () => {
    const { reasons, paths } = await reasonsIn([aWorkload(["QuotaReserved", "False", full])]);
    assert.deepEqual(reasons, [`Kueue has not admitted it: ${full}`]);
    const notes =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads?labelSelector=kueue.x-k8s.io%2Fjob-uid%3D1";
    assert.deepEqual(paths, ["/apis/kueue.x-k8s.io", notes]);
  });

  it("are those of a new size beside the admitted size, and none once all are admitted, over or new", async () => {
    const admitted = aWorkload(["QuotaReserved", "True"]);
    const over = aWorkload(["QuotaReserved", "False", full], ["Finished", "True"]);
    assert.equal((await reasonsIn([admitted, aWorkload(["QuotaReserved", "False", full])])).reasons.length, 1);
    assert.deepEqual((await reasonsIn([admitted, {}, over])).reasons, []);
  });

  it("are empty without Kueue or without a queue", async () => {
    assert.deepEqual((await reasonsIn(undefined)).reasons, []);
    assert.deepEqual(await reasonsIn([], aMiniCluster()), { reasons: [], paths: [] });
  });
});

it("a Job that is waited for long is read less often: after 2 s, a tenth of the time, at last after 30 s", () => {
  const seconds = [0, 20, 60, 600].map((waited) => pauseAfter(waited * 1000) / 1000);
  assert.deepEqual(seconds, [2, 2, 6, 30]);
});
