import * as assert from "node:assert/strict";
import { explainGangRefusal, gangRemarks } from "../../../../provider/brokers/register/nativeGang";
import { aMiniCluster } from "../../../support/fixtures";

const spec = aMiniCluster();
const theJob = { kind: "Job", name: "demo", controller: true };

/** A PodGroup of the namespace, as the API server has it. */
const aGroup = (owner: object, schedulingPolicy: object = { gang: { minCount: 2 } }) => ({
  metadata: { ownerReferences: [owner] },
  spec: { schedulingPolicy },
});

/** Remarks on a resize where the API server has these PodGroups, and what was asked of it. */
async function remarksOn(items: object[] | Error, sizes: (number | string | undefined)[] = [2, 3]) {
  const asked: string[] = [];
  const read = (path: string) => {
    asked.push(path);
    return items instanceof Error ? Promise.reject(items) : Promise.resolve({ items });
  };
  const gang = gangRemarks(spec, () => Promise.resolve(read));
  const remarks = await gang(sizes);
  // For the ConfigMap and for the Job.
  assert.deepEqual(await gang(sizes), remarks);
  return { remarks, asked };
}

describe("a gang that Kubernetes has made by itself", () => {
  it("is found by its owner, and a resize of it is an error that says what to do", async () => {
    const { asked, remarks } = await remarksOn([aGroup({ ...theJob, name: "other" }), aGroup(theJob)]);
    assert.deepEqual(asked, ["/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups"]);
    const texts = remarks.map(({ severity, text }) => `${severity}: ${text}`);
    assert.match(texts.join(), /^error: Kubernetes runs the Job default\/demo as a gang .*refuses another size/);
    assert.match(texts.join(), /resize: "manifest".*podTemplate\.spec\.schedulingGroup.*gate turned off$/);
  });

  const none: Record<string, object[] | Error> = {
    "a server that knows no PodGroups": new Error("404"),
    "the gang of another Job": [aGroup({ ...theJob, name: "other" })],
    "a PodGroup that only mentions the Job": [aGroup({ kind: "Job", name: "demo" })],
    "a PodGroup that is no gang": [aGroup(theJob, { basic: {} })],
  };
  for (const [name, items] of Object.entries(none))
    it(`is none with ${name}`, async () => assert.deepEqual((await remarksOn(items)).remarks, []));

  it("is not looked for where the size stays, or was not known", async () => {
    for (const after of [2, "2", undefined])
      assert.deepEqual(await remarksOn([aGroup(theJob)], [after, after ?? 2]), { asked: [], remarks: [] });
  });

  it("explains the API server's own words, and no others", () => {
    const refused =
      'jobs.batch "demo" is forbidden: cannot change parallelism for a Job referencing gang-scheduled PodGroup "x"';
    assert.match(explainGangRefusal(spec, ["first", refused]) ?? "", /as a gang/);
    assert.equal(explainGangRefusal(spec, ['jobs.batch "demo" is forbidden: exceeded quota']), undefined);
  });
});
