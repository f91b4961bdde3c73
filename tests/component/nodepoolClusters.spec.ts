import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "../../provider";
import { casesOf, valueIn } from "../support/cases";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf } from "../support/mocks";
import { valueAt } from "../support/propertyPaths";
import { answers, poolIn, register } from "../support/pools";

describe("a MiniCluster on a pool", function () {
  this.timeout(60_000);

  const plugins = "DaemonSet hpc-efa-device-plugin, DaemonSet hpc-nvidia-device-plugin";
  const table = `
!efa {taints: [{key: gpu, value: here, effect: NoSchedule}]}
  NodeGroup hpc, ${plugins}
  [{key: gpu, operator: Equal, value: here, effect: NoSchedule}]
  {nvidia.com/gpu: "8", vpc.amazonaws.com/efa: "32", hugepages-2Mi: 42240Mi}
!gke {machineType: c4a-standard-72}
  NodePool hpc
  [{key: kubernetes.io/arch, operator: Equal, value: arm64, effect: NoSchedule}]
!hb {capacity: spot}
  AgentPool hpc
  [{key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: spot, effect: NoSchedule}]
  {rdma/shared_ib: "1"}
`;
  for (const { title, given, want } of casesOf(table))
    for (const preview of [false, true])
      it(`waits for its nodes and lands on them${preview ? " in a preview, too" : ""}: ${title}`, async () => {
        const { find } = await register(poolIn(given), { preview }, true);
        const { dependsOn, inputs } = find("Job demo");
        const [after = "", tolerations = "", limits] = want;
        for (const id of after.split(", ")) assert.ok(dependsOn.includes(id), `${id}: ${dependsOn.join()}`);
        const pod = "spec.template.spec";
        assert.equal(valueAt(inputs, `${pod}.nodeSelector["minicluster/pool"]`), "hpc");
        assert.deepEqual(valueAt(inputs, `${pod}.tolerations`), valueIn(tolerations));
        assert.deepEqual(valueAt(inputs, `${pod}.containers[0].resources.limits`), limits && valueIn(limits));
      });

  it("is refused in the constructor where it may grow above the pool", async () => {
    await mockEngine({ answers, preview: true });
    const { scheduling: pool } = poolIn("!efa {pairedWith: {size: 2, maxSize: 4}}")();
    assert.throws(
      () => new MiniCluster("demo", aMiniClusterArgs({ size: 2, maxSize: 5, pool })),
      (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors[0]?.propertyPath === "maxSize",
    );
    await valueOf(pool);
  });
});
