import * as assert from "node:assert/strict";
import { readQueueProblems } from "../../../provider/minicluster/register/queue";
import { aMiniCluster } from "../../support/fixtures";

const queued = aMiniCluster({ gang: { queueName: "hpc" } });
const aWorkload = (...conditions: [type: string, status: string, message?: string][]) => ({
  status: { conditions: conditions.map(([type, status, message]) => ({ type, status, message })) },
});

/** What is told of these notes of Kueue, and what was asked for them. */
async function toldOf(items: object[] | undefined, spec = queued) {
  const asked: string[] = [];
  const read = (path: string) => {
    asked.push(path);
    if (!items) return Promise.reject(new Error("404"));
    return Promise.resolve(path.endsWith(".io") ? { preferredVersion: { version: "v1beta2" } } : { items });
  };
  return { told: await readQueueProblems({ read, uid: "1" }, spec), asked };
}

describe("the reasons of Kueue", () => {
  const full = "couldn't assign flavors to pod set main: insufficient unused quota for cpu";

  it("are those why it has reserved no quota yet, in the version of its API that the server prefers", async () => {
    const { told, asked } = await toldOf([aWorkload(["QuotaReserved", "False", full])]);
    assert.deepEqual(told, [`Kueue has not admitted it: ${full}`]);
    const notes =
      "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads?labelSelector=kueue.x-k8s.io%2Fjob-uid%3D1";
    assert.deepEqual(asked, ["/apis/kueue.x-k8s.io", notes]);
  });

  it("are told of a new size, beside the size that is admitted", async () => {
    const { told } = await toldOf([aWorkload(["QuotaReserved", "True"]), aWorkload(["QuotaReserved", "False", full])]);
    assert.equal(told.length, 1);
  });

  it("are none once it is admitted or over, or before Kueue has looked", async () => {
    const quiet = [
      aWorkload(["QuotaReserved", "True"]),
      {},
      aWorkload(["QuotaReserved", "False", full], ["Finished", "True"]),
    ];
    assert.deepEqual((await toldOf(quiet)).told, []);
  });

  it("are none where Kueue is not there, or nobody has asked for a queue", async () => {
    assert.deepEqual((await toldOf(undefined)).told, []);
    assert.deepEqual(await toldOf([], aMiniCluster()), { told: [], asked: [] });
  });
});
