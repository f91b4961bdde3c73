import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf } from "../support/mocks";
import { valueAt } from "../support/propertyPaths";
import { answers, efa, gke, hb, type Make, register } from "../support/pools";

describe("a MiniCluster on a pool", function () {
  this.timeout(60_000);

  const plugins = "DaemonSet hpc-efa-device-plugin, DaemonSet hpc-nvidia-device-plugin";
  const table: { name: string; make: Make; after: string; tolerations: object[]; limits?: object }[] = [
    {
      name: "on EKS",
      make: efa({ taints: [{ key: "gpu", value: "here", effect: "NoSchedule" }] }),
      after: `NodeGroup hpc, ${plugins}`,
      tolerations: [{ key: "gpu", operator: "Equal", value: "here", effect: "NoSchedule" }],
      limits: { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "42240Mi" },
    },
    {
      name: "on GKE",
      make: gke({ machineType: "c4a-standard-72" }),
      after: "NodePool hpc",
      tolerations: [{ key: "kubernetes.io/arch", operator: "Equal", value: "arm64", effect: "NoSchedule" }],
    },
    {
      name: "on AKS",
      make: hb({ capacityType: "spot" }),
      after: "AgentPool hpc",
      tolerations: [
        { key: "kubernetes.azure.com/scalesetpriority", operator: "Equal", value: "spot", effect: "NoSchedule" },
      ],
      limits: { "rdma/shared_ib": "1" },
    },
  ];
  for (const { name, make, after, tolerations, limits } of table)
    for (const preview of [false, true])
      it(`${name} waits for its nodes and lands on them${preview ? ", in a preview too" : ""}`, async () => {
        const { find } = await register(make, { preview }, true);
        const { dependsOn, inputs } = find("Job demo");
        for (const id of after.split(", ")) assert.ok(dependsOn.includes(id), `${id}: ${dependsOn.join()}`);
        const pod = "spec.template.spec";
        assert.equal(valueAt(inputs, `${pod}.nodeSelector["minicluster/pool"]`), "hpc");
        assert.deepEqual(valueAt(inputs, `${pod}.tolerations`), tolerations);
        assert.deepEqual(valueAt(inputs, `${pod}.containers[0].resources.limits`), limits);
      });

  it("is refused in the constructor where it may grow above the pool", async () => {
    await mockEngine({ answers, preview: true });
    const { scheduling: pool } = efa({ size: 2, maxSize: 4 })();
    assert.throws(
      () => new MiniCluster("demo", aMiniClusterArgs({ size: 2, maxSize: 5, pool })),
      (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors[0]?.propertyPath === "maxSize",
    );
    await valueOf(pool);
  });
});
