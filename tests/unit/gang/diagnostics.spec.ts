import * as assert from "node:assert/strict";
import { explainGangRejection, gangDiagnostics } from "../../../provider/gang/diagnostics";
import { aMiniCluster } from "../../support/fixtures";

const spec = aMiniCluster();
const theJob = { kind: "Job", name: "demo", controller: true };

/** A PodGroup of the namespace, as the API server has it. */
const aGroup = (owner: object, schedulingPolicy: object = { gang: { minCount: 2 } }) => ({
  metadata: { ownerReferences: [owner] },
  spec: { schedulingPolicy },
});

/** Diagnostics on a resize where the API server has these PodGroups, and the paths that were read. */
async function diagnosticsOn(items: object[] | Error, sizes: (number | string | undefined)[] = [2, 3]) {
  const paths: string[] = [];
  const read = (path: string) => {
    paths.push(path);
    return items instanceof Error ? Promise.reject(items) : Promise.resolve({ items });
  };
  const gang = gangDiagnostics(spec, () => Promise.resolve(read));
  const diagnostics = await gang(sizes);
  // For the ConfigMap and for the Job.
  assert.deepEqual(await gang(sizes), diagnostics);
  return { diagnostics, paths };
}

describe("a gang that Kubernetes has created", () => {
  it("is found by its owner, and a resize of it is an error with the remedies", async () => {
    const { paths, diagnostics } = await diagnosticsOn([aGroup({ ...theJob, name: "other" }), aGroup(theJob)]);
    assert.deepEqual(paths, ["/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups"]);
    const texts = diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
    assert.match(texts.join(), /^error: Kubernetes runs the Job default\/demo as a gang .*rejects another size/);
    assert.match(texts.join(), /resize: "manifest".*podTemplate\.spec\.schedulingGroup.*disable the gate$/);
  });

  const none: Record<string, object[] | Error> = {
    "a server without PodGroups": new Error("404"),
    "the gang of another Job": [aGroup({ ...theJob, name: "other" })],
    "a PodGroup that only mentions the Job": [aGroup({ kind: "Job", name: "demo" })],
    "a PodGroup that is no gang": [aGroup(theJob, { basic: {} })],
  };
  for (const [name, items] of Object.entries(none))
    it(`is missing with ${name}`, async () => assert.deepEqual((await diagnosticsOn(items)).diagnostics, []));

  it("is not read if the size does not change or was unknown", async () => {
    for (const after of [2, "2", undefined])
      assert.deepEqual(await diagnosticsOn([aGroup(theJob)], [after, after ?? 2]), { paths: [], diagnostics: [] });
  });

  it("is the cause of one error of the API server alone", () => {
    const refused =
      'jobs.batch "demo" is forbidden: cannot change parallelism for a Job referencing gang-scheduled PodGroup "x"';
    assert.match(explainGangRejection(spec, ["first", refused]) ?? "", /as a gang/);
    assert.equal(explainGangRejection(spec, ['jobs.batch "demo" is forbidden: exceeded quota']), undefined);
  });
});
