import assert from "node:assert/strict";
import { nodeShapeOf } from "../../support/cloudNodes";
import type { Step } from "../../support/engine";

const node = { arch: "amd64", vcpus: 8, cores: 4, memoryMib: 1024, gpus: 2, fabricInterfaces: 9 };
const step = (type: string, inputs: object, outputs: object = {}) =>
  ({ type, new: { inputs, outputs } }) as unknown as Step;
// What the pool tells its clusters is wrong in everything that they look for.
const component = step(
  "minicluster:index:AnyNodePool",
  {},
  {
    scheduling: { pool: "hpc", node, nodeSelector: { wrong: "yes" }, taints: [], resources: { wrong: "1" } },
  },
);
const shapeOf = (...steps: Step[]) => nodeShapeOf({ steps: [component, ...steps] });

const labels = { "minicluster/pool": "hpc" };
const plugin = (name: string, annotations = {}, nodeSelector: object = labels) =>
  step("kubernetes:apps/v1:DaemonSet", {
    metadata: { labels: { "app.kubernetes.io/name": `${name}-device-plugin` } },
    spec: { template: { metadata: { annotations }, spec: { nodeSelector } } },
  });
const machine = { cpu: "8", memory: "1024Mi" };
const taint = { key: "dedicated", value: "hpc", effect: "NO_EXECUTE" };
const dedicated = { key: "dedicated", value: "hpc", effect: "NoExecute" };

describe("a simulated node of a pool", () => {
  it("of EKS has what the node group, its template and the plugins say, and the pages of EFA", () => {
    const interfaces = ["efa", "efa-only", undefined].map((interfaceType) => ({ interfaceType }));
    assert.deepEqual(
      shapeOf(
        step("aws:eks/nodeGroup:NodeGroup", {
          ...{ amiType: "BOTTLEROCKET_ARM_64", capacityType: "SPOT", labels, taints: [taint] },
        }),
        step("aws:ec2/launchTemplate:LaunchTemplate", { networkInterfaces: interfaces }),
        plugin("efa"),
        plugin("nvidia"),
      ),
      {
        namePrefix: "hpc",
        architecture: "arm64",
        labels: { "eks.amazonaws.com/capacityType": "SPOT", ...labels },
        taints: [dedicated],
        capacity: { ...machine, "hugepages-2Mi": "1762Mi", "vpc.amazonaws.com/efa": "2", "nvidia.com/gpu": "2" },
      },
    );
  });

  it("of GKE has the taints, the driver and the plugin that GKE sees to", () => {
    const nodeConfig = {
      machineType: "a4x-highgpu-4g",
      labels,
      taints: [taint],
      guestAccelerators: [{ type: "x", count: 4 }],
    };
    const { architecture, taints, capacity } = shapeOf(
      step("gcp:container/nodePool:NodePool", { nodeConfig, queuedProvisioning: { enabled: true } }),
    );
    const noSchedule = (key: string, value: string) => ({ key, value, effect: "NoSchedule" });
    assert.equal(architecture, "arm64");
    assert.deepEqual(taints, [
      noSchedule("kubernetes.io/arch", "arm64"),
      noSchedule("nvidia.com/gpu", "present"),
      noSchedule("cloud.google.com/gke-queued", "true"),
      dedicated,
    ]);
    assert.deepEqual(capacity, { ...machine, "nvidia.com/gpu": "4" });
  });

  it("of AKS has what the agent pool says, and InfiniBand as the plugin's own file counts it", () => {
    const configList = [{ resourceName: "shared_ib", rdmaHcaMax: 63 }];
    const {
      architecture,
      taints,
      capacity,
      labels: found,
    } = shapeOf(
      step("azure-native:containerservice:AgentPool", {
        ...{ agentPoolName: "hpc", vmSize: "Standard_HB120rs_v3", nodeLabels: labels },
        nodeTaints: ["sku=hpc:NoSchedule", "bare:NoExecute"],
      }),
      plugin("rdma", { config: JSON.stringify({ configList }) }),
    );
    assert.equal(architecture, "amd64");
    assert.equal(found?.["minicluster/pool"], "hpc");
    assert.deepEqual(taints, [
      { key: "sku", value: "hpc", effect: "NoSchedule" },
      { key: "bare", value: "", effect: "NoExecute" },
    ]);
    assert.deepEqual(capacity, { ...machine, "rdma/shared_ib": "63" });
  });

  it("has no devices of a plugin that does not run on it", () => {
    const group = step("aws:eks/nodeGroup:NodeGroup", {
      amiType: "AL2023_x86_64_NVIDIA",
      capacityType: "ON_DEMAND",
      labels,
    });
    const { architecture, capacity } = shapeOf(group, plugin("nvidia", {}, { "minicluster/pool": "other" }));
    assert.deepEqual([architecture, capacity], ["amd64", machine]);
  });

  const sizes = { Standard_D64ps_v5: "arm64", Standard_ND128isr_NDR_GB200_v6: "arm64", Standard_D8ds_v5: "amd64" };
  for (const [vmSize, want] of Object.entries(sizes))
    it(`is ${want} where it is ${vmSize}`, () =>
      assert.equal(shapeOf(step("azure-native:containerservice:AgentPool", { vmSize })).architecture, want));
});
