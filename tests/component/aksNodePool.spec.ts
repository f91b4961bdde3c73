import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AksNodePool, type AksNodePoolArgs, MiniCluster, type MiniClusterArgs } from "../../provider";
import { settledAtCreation } from "../../provider/nodepools/aks/pool";
import { parseAksNodePoolArgs } from "../../provider/nodepools/aks/parse";
import { knownValue } from "../../provider/shared/plain";
import { aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type Registration, valueOf } from "../support/mocks";

const args = (more: Partial<AksNodePoolArgs> = {}): AksNodePoolArgs => ({
  resourceGroupName: "group",
  clusterName: "cluster",
  machineType: "Standard_HB120rs_v3",
  fabric: "infiniband",
  ...(more.pairedWith ? {} : { size: 4 }),
  ...more,
});

const groupId = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/proximityPlacementGroups/p";

const engine = (preview = false) =>
  mockEngine({ preview, state: ({ type }) => (!preview && type.endsWith(":AgentPool") ? { name: "hpc" } : {}) });

async function register(more: Partial<AksNodePoolArgs> = {}, preview = false): Promise<Registration[]> {
  const seen = await engine(preview);
  const pool = new AksNodePool("hpc", args(more));
  await valueOf(pulumi.all([pool.urn, pool.scheduling, pool.agentPoolName, pool.proximityPlacementGroupId]));
  return seen;
}

const find = (seen: Registration[], id: string) => {
  const found = seen.find((each) => each.id === id);
  assert.ok(found, `${id} is not registered among ${seen.map((each) => each.id).join(", ")}`);
  return found;
};

const component = "AksNodePool hpc";
const agentPool = "AgentPool hpc";
const group = "ProximityPlacementGroup hpc";
const rdmaPlugin = "DaemonSet hpc-rdma-device-plugin";
const nvidiaPlugin = "DaemonSet hpc-nvidia-device-plugin";

describe("what an AKS node pool registers", function () {
  this.timeout(60_000);

  const sets: [name: string, more: Partial<AksNodePoolArgs>, want: string[]][] = [
    ["the pool alone", { fabric: "none" }, [agentPool]],
    ["a placement group and a plugin", { placement: "proximity" }, [agentPool, rdmaPlugin, group]],
    ["both plugins", { machineType: "Standard_ND96isr_H100_v5" }, [agentPool, nvidiaPlugin, rdmaPlugin]],
  ];
  for (const [name, more, want] of sets)
    for (const preview of [false, true])
      it(`is ${name}${preview ? ", in a preview, too" : ""}`, async () => {
        const seen = await register(more, preview);
        assert.deepEqual(seen.map(({ id }) => id).sort(), [component, ...want].sort());
        for (const { id, parent } of seen) assert.equal(parent, id === component ? "" : component, id);
      });

  it("is of the types that the SDK of Azure gives them", async () => {
    const types: string[] = [];
    await mockEngine({ state: ({ type }) => (types.push(type), {}) });
    const pool = new AksNodePool("hpc", args({ placement: "proximity" }));
    await valueOf(pulumi.all([pool.urn, pool.scheduling]));
    assert.deepEqual(types.sort(), [
      "azure-native:compute:ProximityPlacementGroup",
      "azure-native:containerservice:AgentPool",
      "kubernetes:apps/v1:DaemonSet",
      "minicluster:index:AksNodePool",
    ]);
  });

  it("puts the pool into the placement group, which comes first", async () => {
    const seen = await register({ placement: "proximity" });
    assert.deepEqual((find(seen, group).inputs as { intent: object }).intent, { vmSizes: ["Standard_HB120rs_v3"] });
    const { inputs, dependsOn } = find(seen, agentPool);
    assert.equal((inputs as Record<string, unknown>)["proximityPlacementGroupID"], "hpc-id");
    assert.deepEqual(dependsOn, [group]);
  });

  it("replaces what Azure does not change, the old pool first, for its name is fixed", async () => {
    const seen = await register({ placement: "proximity" });
    const pool = find(seen, agentPool);
    assert.deepEqual(pool.replaceOnChanges, settledAtCreation);
    assert.equal(pool.deleteBeforeReplace, true);
    assert.deepEqual(find(seen, group).replaceOnChanges, ["intent", "zones"]);
    assert.equal(find(seen, group).deleteBeforeReplace, false);
  });

  it("leaves the number of nodes to the autoscaler, where there is one", async () => {
    assert.deepEqual(find(await register(), agentPool).ignoreChanges, []);
    const seen = await register({ pairedWith: { size: 2, maxSize: 8 } });
    assert.deepEqual(find(seen, agentPool).ignoreChanges, ["count"]);
  });

  it("is spoken of before it is made, and before it gets another size", async () => {
    await engine();
    const monitor = pulumi.runtime.getMonitor() as { registerResourceHook?: unknown };
    const names: string[] = [];
    monitor.registerResourceHook = (hook: { getName(): string }, done: (error: null, reply: object) => void) => {
      names.push(hook.getName());
      done(null, {});
    };
    const pools = [
      new AksNodePool("spoken", args()),
      new AksNodePool("silent", args({ fabric: "none" })),
      new AksNodePool("scaled", args({ fabric: "none", pairedWith: { size: 2 } })),
    ];
    await valueOf(pulumi.output(pools.map(({ urn, scheduling }) => ({ urn, scheduling }))));
    assert.deepEqual(names.sort(), [
      "minicluster:scaled:count",
      "minicluster:scaled:nodes",
      "minicluster:silent:nodes",
      "minicluster:spoken:create",
      "minicluster:spoken:nodes",
    ]);
  });

  it("is refused as a whole, before anything is registered", async () => {
    const seen = await engine();
    assert.throws(
      () => new AksNodePool("hpc", args({ machineType: "Standard_D8ds_v5" })),
      /AksNodePool hpc: invalid arguments, nothing was created\n {2}fabric: Standard_D8ds_v5 has no InfiniBand/,
    );
    assert.deepEqual(seen, []);
  });
});

describe("the outputs of an AKS node pool", function () {
  this.timeout(60_000);

  const { scheduling } = parseAksNodePoolArgs("hpc", args());

  for (const preview of [false, true])
    it(`are known${preview ? " in a preview, but for what Azure says" : ""}`, async () => {
      await engine(preview);
      const pool = new AksNodePool("hpc", args({ placement: "proximity" }));
      const known = { scheduling: pool.scheduling, capacity: pool.capacity };
      assert.deepEqual(await valueOf(pulumi.output(known)), {
        scheduling,
        capacity: { nodes: 4, vcpus: 480, cores: 480, gpus: 0, fabricInterfaces: 4 },
      });
      assert.equal(await valueOf(pool.agentPoolName), preview ? undefined : "hpc");
      // The mocks know the id of everything, in a preview, too.
      assert.equal(await valueOf(pool.proximityPlacementGroupId), "hpc-id");
    });

  it("can be read by a constructor", async () => {
    await engine(true);
    assert.deepEqual(knownValue(new AksNodePool("hpc", args()).scheduling), scheduling);
  });

  it("have the id of the placement group that exists, or an empty text", async () => {
    const idOf = async (more: Partial<AksNodePoolArgs>) => {
      const seen = await engine();
      const pool = new AksNodePool("hpc", args(more));
      const [id] = await valueOf(pulumi.all([pool.proximityPlacementGroupId, pool.agentPoolName]));
      const inputs = find(seen, agentPool).inputs as Record<string, unknown>;
      return [id, inputs["proximityPlacementGroupID"] ?? ""];
    };
    assert.deepEqual(await idOf({}), ["", ""]);
    const existing = { placement: "proximity", proximityPlacementGroupId: pulumi.output(groupId) } as const;
    assert.deepEqual(await idOf(existing), [groupId, groupId]);
  });
});

interface Pod {
  nodeSelector: Record<string, string>;
  tolerations?: object[];
  containers: {
    resources: { limits: Record<string, string> };
    securityContext: { capabilities: { add: string[] } };
    env: { name: string; value: string }[];
  }[];
}

describe("a cluster on an AKS node pool", function () {
  this.timeout(60_000);

  /** A pool and a cluster on it: what is registered, and the pods of the cluster. */
  async function bind(more: Partial<AksNodePoolArgs>, cluster: Partial<MiniClusterArgs> = {}, preview = true) {
    const seen = await engine(preview);
    const pool = new AksNodePool("hpc", args(more));
    const bound = new MiniCluster("demo", aMiniClusterArgs({ pool: pool.scheduling, ...cluster }));
    await valueOf(pulumi.all([bound.jobName, bound.urn]));
    const { inputs, dependsOn } = find(seen, "Job demo");
    const { template } = (inputs as { spec: { template: { spec: Pod } } }).spec;
    return { dependsOn, pod: template.spec, container: template.spec.containers[0]! };
  }

  it("lands on InfiniBand, with all that its processes need, known in a preview", async () => {
    const { pod, container } = await bind({});
    assert.deepEqual(pod.nodeSelector, { "kubernetes.io/arch": "amd64", "minicluster/pool": "hpc" });
    assert.deepEqual(container.resources.limits, { "rdma/shared_ib": "1" });
    assert.deepEqual(container.securityContext.capabilities.add, ["IPC_LOCK"]);
    const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    assert.equal(environment["UCX_TLS"], "ib,sm,self");
    assert.equal(environment["UCX_NET_DEVICES"], "mlx5_0:1");
    assert.equal(environment["OMPI_MCA_btl"], "^openib");
  });

  it("tolerates the taint of spot machines", async () => {
    const { pod } = await bind({ capacity: "spot" });
    assert.deepEqual(pod.tolerations, [
      { key: "kubernetes.azure.com/scalesetpriority", operator: "Equal", value: "spot", effect: "NoSchedule" },
    ]);
  });

  it("waits for the nodes and the plugins", async () => {
    const { dependsOn } = await bind({ machineType: "Standard_ND96isr_H100_v5" }, {}, false);
    for (const id of [agentPool, nvidiaPlugin, rdmaPlugin])
      assert.ok(dependsOn.includes(id), `${id}: ${dependsOn.join()}`);
  });

  it("may not be larger than the pool", () =>
    assert.rejects(bind({}, { size: 5 }), /size 5 is above the 4 nodes of pool hpc/));
});
