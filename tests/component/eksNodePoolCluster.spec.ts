import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, type EksNodePoolArgs, MiniCluster, type MiniClusterArgs } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type MockOptions, valueOf } from "../support/mocks";

const answers: MockOptions["answers"] = {
  "aws:eks/getCluster:getCluster": () => ({ vpcConfig: { clusterSecurityGroupId: "sg-cluster", vpcId: "vpc-1" } }),
  "aws:ec2/getSubnet:getSubnet": ({ id }) => ({ id, availabilityZone: "us-east-1a" }),
};

const efa: EksNodePoolArgs = {
  ...{ clusterName: "flux", nodeRoleArn: "arn:aws:iam::1:role/nodes", subnetIds: ["subnet-a"], zones: ["us-east-1a"] },
  ...{ machineTypes: ["p5.48xlarge"], fabric: "efa", pairedWith: { size: 2, maxSize: 4 } },
};
const nodes = "NodeGroup hpc";
const plugins = ["DaemonSet hpc-nvidia-device-plugin", "DaemonSet hpc-efa-device-plugin"];

interface JobInputs {
  spec: {
    template: {
      spec: {
        nodeSelector: object;
        tolerations: object[];
        containers: { resources: { limits: object; requests: object }; env: { name: string; value: string }[] }[];
      };
    };
  };
}

describe("a MiniCluster on an EksNodePool", function () {
  this.timeout(30_000);

  const taints = [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }] as const;

  async function bind(preview: boolean, pool: Partial<EksNodePoolArgs> = {}, args: Partial<MiniClusterArgs> = {}) {
    const seen = await mockEngine({ answers, preview });
    const { scheduling } = new EksNodePool("hpc", { ...efa, taints: [...taints], ...pool });
    const sizes = { size: 2, maxSize: 4 };
    const cluster = new MiniCluster("demo", aMiniClusterArgs({ ...sizes, pool: scheduling, ...args }));
    await valueOf(pulumi.all([cluster.jobName, cluster.urn]));
    const job = seen.find(({ id }) => id === "Job demo") ?? assert.fail("there is no Job");
    return { seen, job, pod: (job.inputs as JobInputs).spec.template.spec };
  }

  for (const preview of [false, true]) {
    const when = preview ? ", in a preview too" : "";

    it(`waits for the nodes and their plugins, lands there and uses what they have${when}`, async () => {
      const { job, pod } = await bind(preview);
      for (const id of [nodes, ...plugins]) assert.ok(job.dependsOn.includes(id), id);
      assert.deepEqual(pod.nodeSelector, { "minicluster/pool": "hpc", "kubernetes.io/arch": "amd64" });
      assert.deepEqual(pod.tolerations, [
        { key: "nvidia.com/gpu", operator: "Equal", value: "present", effect: "NoSchedule" },
      ]);
      const [container] = pod.containers;
      assert.deepEqual(container?.resources, {
        limits: { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "5120Mi" },
        // Nine tenths of 192, so that nothing else comes beside it.
        requests: { cpu: "172" },
      });
      const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
      assert.deepEqual([env["FI_PROVIDER"], env["FI_EFA_FORK_SAFE"]], ["efa", "1"]);
    });
  }

  it("is refused in the constructor where it may grow above the pool", async () => {
    await mockEngine({ answers, preview: true });
    const { scheduling: pool } = new EksNodePool("hpc", efa);
    assert.throws(
      () => new MiniCluster("demo", aMiniClusterArgs({ size: 2, maxSize: 5, pool })),
      (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors[0]?.propertyPath === "maxSize",
    );
    await valueOf(pool);
  });
});
