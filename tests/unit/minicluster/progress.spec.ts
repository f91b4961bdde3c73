import * as assert from "node:assert/strict";
import { type Pod, podProblems, readLastWords, readProgress } from "../../../provider/minicluster/register/progress";
import { casesOf, type Tags, valueIn } from "../../support/cases";
import { aMiniCluster } from "../../support/fixtures";

const tags: Tags = {
  "!unscheduled": (message: string): Pod["status"] => ({
    conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }],
  }),
  "!waiting": (waiting: object) => ({ containerStatuses: [{ name: "flux", state: { waiting } }] }),
  "!ended": (terminated: object) => ({ initContainerStatuses: [{ name: "view", state: { terminated } }] }),
};

describe("what keeps pods from being Ready", () => {
  const table = `
# is nothing where they come up
{a: !waiting {reason: ContainerCreating}, b: {}}
# is no node
a: !unscheduled 0/4 nodes
  pod a: Unschedulable: 0/4 nodes
# is an image
a: !waiting {reason: ErrImagePull, message: not found}
  pod a: container flux: ErrImagePull: not found
# is a container that failed, and not one that is done
a: !ended {exitCode: 137, reason: OOMKilled}
  pod a: container view ended with status 137 (OOMKilled)
a: !ended {exitCode: 0, reason: Completed}
# is no matter for a pod that goes, or that is done
{going: !unscheduled x, b: {phase: Succeeded}}
# is told once for each reason, the most frequent first, and no more than three
{a: !waiting {reason: CrashLoopBackOff}, b: !waiting {reason: CrashLoopBackOff}, c: !unscheduled x, d: !unscheduled x, e: !unscheduled x, f: !ended {exitCode: 1}, g: !ended {exitCode: 2}}
  pod c and 2 more: Unschedulable: x
  pod a and 1 more: container flux: CrashLoopBackOff
  pod f: container view ended with status 1
`;
  for (const { title, given, want } of casesOf(table))
    it(title, () => {
      const pods = Object.entries(valueIn(given, tags) as Record<string, Pod["status"]>).map(([name, status]): Pod => ({
        metadata: { name, ...(name === "going" && { deletionTimestamp: "now" }) },
        status,
      }));
      assert.deepEqual(podProblems(pods), want);
    });
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
