import * as assert from "node:assert/strict";
import { type Pod, podProblems, readLastWords, readProgress } from "../../../provider/minicluster/register/progress";
import { aMiniCluster } from "../../support/fixtures";

const aPod = (name: string, status: Pod["status"], deletionTimestamp?: string): Pod => ({
  metadata: { name, ...(deletionTimestamp && { deletionTimestamp }) },
  status,
});
const unscheduled = (message: string): Pod["status"] => ({
  conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }],
});
const waiting = (reason: string, message?: string): Pod["status"] => ({
  containerStatuses: [{ name: "flux", state: { waiting: { reason, ...(message && { message }) } } }],
});
const ended = (exitCode: number, reason?: string): Pod["status"] => ({
  initContainerStatuses: [{ name: "view", state: { terminated: { exitCode, ...(reason && { reason }) } } }],
});

describe("what keeps pods from being Ready", () => {
  const cases: [name: string, pods: Pod[], told: string[]][] = [
    ["is nothing where they come up", [aPod("a", waiting("ContainerCreating")), aPod("b", {})], []],
    ["is no node", [aPod("a", unscheduled("0/4 nodes"))], ["pod a: Unschedulable: 0/4 nodes"]],
    [
      "is an image",
      [aPod("a", waiting("ErrImagePull", "not found"))],
      ["pod a: container flux: ErrImagePull: not found"],
    ],
    [
      "is a container that failed",
      [aPod("a", ended(137, "OOMKilled"))],
      ["pod a: container view ended with status 137 (OOMKilled)"],
    ],
    ["is not that a container is done", [aPod("a", ended(0, "Completed"))], []],
    [
      "is no matter for a pod that goes, or that is done",
      [aPod("a", unscheduled("x"), "now"), aPod("b", { phase: "Succeeded" })],
      [],
    ],
    [
      "is told once for each reason, the most frequent first, and no more than three",
      [
        ...["a", "b"].map((name) => aPod(name, waiting("CrashLoopBackOff"))),
        ...["c", "d", "e"].map((name) => aPod(name, unscheduled("x"))),
        ...["f", "g"].map((name, index) => aPod(name, ended(index + 1))),
      ],
      [
        "pod c and 2 more: Unschedulable: x",
        "pod a and 1 more: container flux: CrashLoopBackOff",
        "pod f: container view ended with status 1",
      ],
    ],
  ];
  for (const [name, pods, told] of cases) it(name, () => assert.deepEqual(podProblems(pods), told));
});

describe("a look at a cluster", () => {
  const spec = aMiniCluster();
  const answers = (all: Record<string, unknown>) => (path: string) => {
    const found = Object.entries(all).find(([start]) => path.startsWith(start));
    return found ? Promise.resolve(found[1]) : Promise.reject(new Error(path));
  };

  it("counts what the Job counts, and takes no other Job of its name for it", async () => {
    const read = answers({ "/apis/batch": { metadata: { uid: "1" }, spec: { parallelism: 4 }, status: { ready: 3 } } });
    assert.deepEqual(await readProgress({ read, uid: "1" }, spec), { joined: 3, wanted: 4, leaving: 0 });
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
    assert.deepEqual(await readLastWords({ read, uid: "1" }, spec), ["one", "two"]);
  });
});
