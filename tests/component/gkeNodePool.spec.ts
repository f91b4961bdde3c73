import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { GkeNodePool, type GkeNodePoolArgs, MiniCluster, type MiniClusterArgs } from "../../provider";
import { aMiniClusterArgs } from "../support/fixtures";
import {
  isWireSecret,
  mockEngine,
  type Registration,
  unknownOnTheWire,
  unknownOutput,
  valueOf,
} from "../support/mocks";
import { aGkePoolArgs, aRocePoolArgs } from "../unit/nodepools/gke/fixtures";

/** What is registered for a pool, and for the cluster that runs on it where there is one. */
async function register(args: GkeNodePoolArgs, cluster?: Partial<MiniClusterArgs>, preview = false) {
  const seen = await mockEngine({ preview });
  const pool = new GkeNodePool("hpc", args);
  const all: pulumi.Output<unknown>[] = [pool.nodePoolName];
  if (cluster) all.push(new MiniCluster("demo", aMiniClusterArgs({ ...cluster, pool: pool.scheduling })).jobName);
  await valueOf(pulumi.all(all));
  return { seen, pool };
}

function find(seen: Registration[], id: string): Registration {
  const found = seen.find((each) => each.id === id);
  assert.ok(found, `${id} is not registered`);
  return found;
}

describe("a GKE node pool", function () {
  this.timeout(20_000);

  it("is a component with one node pool in it", async () => {
    const { seen } = await register(aGkePoolArgs({ machineType: "g2-standard-96" }));
    const all = seen.map(({ id, type, parent }) => ({ id, type, parent }));
    assert.deepEqual(all, [
      { id: "GkeNodePool hpc", type: "GkeNodePool", parent: "" },
      { id: "NodePool hpc", type: "NodePool", parent: "GkeNodePool hpc" },
    ]);
  });

  it("leaves the number of nodes to the autoscaler, and the disks to the machine type", async () => {
    const disks = ["nodeConfig.ephemeralStorageLocalSsdConfig", "nodeConfig.localNvmeSsdBlockConfig"];
    const fixed = await register(aGkePoolArgs());
    assert.deepEqual(find(fixed.seen, "NodePool hpc").ignoreChanges, disks);
    const byNeed = await register(aGkePoolArgs({ autoscale: { max: 4 } }));
    assert.deepEqual(find(byNeed.seen, "NodePool hpc").ignoreChanges, [...disks, "nodeCount"]);
  });

  it("registers nothing that is wrong", async () => {
    const seen = await mockEngine();
    const args = aRocePoolArgs({ zones: ["us-central1-a", "us-central1-b"], arch: "arm64" });
    assert.throws(
      () => new GkeNodePool("hpc", args),
      (error: Error) => /GkeNodePool hpc: invalid/.test(error.message) && /zones: .*\n.*arch: /.test(error.message),
    );
    assert.deepEqual(seen, []);
  });

  it("hides and waits for no more than the one value that is secret or not known", async () => {
    const args = aGkePoolArgs({
      clusterName: unknownOutput(),
      serviceAccount: pulumi.secret("me@p.example"),
      capacity: "reservation",
      reservationName: unknownOutput(),
    });
    const { seen } = await register(args, undefined, true);
    const { cluster, nodeLocations, nodeConfig } = find(seen, "NodePool hpc").inputs as {
      cluster: string;
      nodeLocations: string[];
      nodeConfig: { machineType: string; serviceAccount: unknown; reservationAffinity: unknown };
    };
    assert.deepEqual([cluster, nodeLocations], [unknownOnTheWire, ["us-central1-a"]]);
    assert.equal(nodeConfig.machineType, "n4-standard-16");
    assert.ok(isWireSecret(nodeConfig.serviceAccount));
    assert.deepEqual(nodeConfig.reservationAffinity, {
      consumeReservationType: "SPECIFIC_RESERVATION",
      key: "compute.googleapis.com/reservation-name",
      values: [unknownOnTheWire],
    });
  });
});

describe("the outputs of a GKE node pool", function () {
  this.timeout(20_000);

  it("are known in a preview, but for the name that GKE gives it", async () => {
    const { pool } = await register(aRocePoolArgs({ pairedWith: { size: 2, maxSize: 4 } }), undefined, true);
    assert.deepEqual(await valueOf(pool.capacity), {
      nodes: 4,
      vcpus: 4 * 224,
      cores: 4 * 112,
      gpus: 32,
      fabricInterfaces: 32,
    });
    const { maxNodes, node } = await valueOf(pool.scheduling);
    assert.deepEqual([maxNodes, node.gpuModel], [4, "H200"]);
  });

  it("name the pool", async () => {
    const seen = await mockEngine({ state: () => ({ name: "hpc-1a2b3c4" }) });
    assert.equal(await valueOf(new GkeNodePool("hpc", aGkePoolArgs()).nodePoolName), "hpc-1a2b3c4");
    assert.equal(seen.length, 2);
  });
});

interface PodSpec {
  nodeSelector: Record<string, string>;
  tolerations: object[];
  containers: {
    resources: { limits: Record<string, string> };
    env: { name: string; value?: string }[];
    securityContext?: { capabilities?: { add?: string[] } };
    volumeMounts: { mountPath: string }[];
  }[];
  volumes: { hostPath?: { path: string } }[];
}

describe("a MiniCluster on a GKE node pool", function () {
  this.timeout(20_000);

  /** The pods of a cluster on such a pool. */
  async function podsOn(args: GkeNodePoolArgs, preview = false) {
    const { seen } = await register(args, { size: 2 }, preview);
    const job = find(seen, "Job demo");
    const { spec } = job.inputs as {
      spec: { template: { metadata: { annotations: Record<string, string> }; spec: PodSpec } };
    };
    const [container = assert.fail("no container")] = spec.template.spec.containers;
    return { job, pod: spec.template.spec, container, annotations: spec.template.metadata.annotations };
  }

  for (const preview of [true, false])
    it(`comes after the pool, and its pods find their nodes${preview ? ", in a preview, too" : ""}`, async () => {
      const { job, pod } = await podsOn(aGkePoolArgs({ machineType: "c4a-standard-72" }), preview);
      assert.ok(job.dependsOn.includes("NodePool hpc"), job.dependsOn.join());
      assert.deepEqual(pod.nodeSelector, { "minicluster/pool": "hpc", "kubernetes.io/arch": "arm64" });
      assert.deepEqual(pod.tolerations, [
        { key: "kubernetes.io/arch", operator: "Equal", value: "arm64", effect: "NoSchedule" },
      ]);
    });

  it("takes the GPUs of a node, and tolerates what keeps others from them", async () => {
    const { pod, container } = await podsOn(
      aGkePoolArgs({ machineType: "g2-standard-96", capacity: "queued", pairedWith: { size: 2 } }),
    );
    assert.deepEqual(container.resources.limits, { "nvidia.com/gpu": "8" });
    assert.deepEqual(pod.tolerations, [
      { key: "nvidia.com/gpu", operator: "Equal", value: "present", effect: "NoSchedule" },
      { key: "cloud.google.com/gke-queued", operator: "Equal", value: "true", effect: "NoSchedule" },
    ]);
  });

  it("takes the RDMA interfaces of a node, and the host's libraries", async () => {
    const { pod, container, annotations } = await podsOn(aRocePoolArgs());
    assert.equal(container.resources.limits["networking.gke.io.networks/rdma-7"], "1");
    assert.equal(annotations["networking.gke.io/default-interface"], "eth0");
    assert.deepEqual(container.securityContext?.capabilities?.add, ["IPC_LOCK"]);
    assert.ok(pod.volumes.some(({ hostPath }) => hostPath?.path === "/home/kubernetes/bin/gib"));
    assert.ok(container.volumeMounts.some(({ mountPath }) => mountPath === "/usr/local/gib"));
    assert.ok(container.env.some(({ name, value }) => name === "NCCL_NET" && value === "gIB"));
  });

  it("has as many pods as the pool has nodes for, or is refused", async () => {
    await mockEngine({ preview: true });
    const pool = new GkeNodePool("hpc", aGkePoolArgs({ pairedWith: { size: 2, maxSize: 4 } }));
    const args = aMiniClusterArgs({ size: 2, maxSize: 5, pool: pool.scheduling });
    assert.throws(() => new MiniCluster("demo", args), /maxSize 5 is above the 4 nodes/);
    await valueOf(pool.urn);
  });
});
