import type { MiniClusterArgs } from "../../provider";
import type { KubeObject } from "../sandbox/kube";
import { startKueue } from "../sandbox/kueue";
import { type ClusterUnderTest, withCluster } from "./clusters";
import { aContainer } from "./fixtures";
import { startCluster } from "../sandbox/cluster";
import { ownCluster, type SharedCluster } from "./sandboxHooks";

/** Version of Kueue's API. */
export const apiVersion = "kueue.x-k8s.io/v1beta2";

/** Label of the nodes with their rack. */
export const rack = "example.com/rack";
const racks = ["rack-a", "rack-b"];

/** A Kubernetes cluster of two racks with Kueue. */
export interface QueueLab {
  cluster: SharedCluster;
  create: (kind: string, name: string, spec: object, namespace?: string) => Promise<KubeObject>;
  /** Gives the queue of a namespace another quota. */
  setQuota: (namespace: string, cpu: number) => Promise<KubeObject>;
  /** What Kueue has noted of the Jobs of a namespace. */
  workloads: (namespace: string) => Promise<KubeObject[]>;
  /** Runs a test with a cluster in a namespace whose queue, "users", has a separate quota. */
  withQueue: (
    quota: { cpu: number; flavor?: string },
    args: Partial<MiniClusterArgs>,
    body: (it: ClusterUnderTest) => Promise<void>,
  ) => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts such a cluster, with a flavor "plain" and a flavor "racked", which has a Topology. */
export async function startQueueLab(): Promise<QueueLab> {
  const own = await startCluster({ nodes: 0 });
  try {
    for (const name of racks) await own.addNodes(4, { namePrefix: name, labels: { [rack]: name } });
    await startKueue(own);
    const lab = { ...labOf(ownCluster(own)), stop: own.stop };
    await lab.create("Topology", "racks", { levels: [{ nodeLabel: rack }, { nodeLabel: "kubernetes.io/hostname" }] });
    await lab.create("ResourceFlavor", "plain", {});
    const everyNode = { "kubernetes.io/os": "linux" };
    await lab.create("ResourceFlavor", "racked", { nodeLabels: everyNode, topologyName: "racks" });
    return lab;
  } catch (error) {
    await own.stop();
    throw error;
  }
}

function labOf(cluster: SharedCluster): Omit<QueueLab, "stop"> {
  const { kube } = cluster;
  const create: QueueLab["create"] = (kind, name, spec, namespace) =>
    kube.create({ apiVersion, kind, metadata: { name, namespace }, spec });
  return {
    cluster,
    create,
    setQuota: (name, cpu) => kube.patch({ apiVersion, kind: "ClusterQueue", name }, { spec: quotaOf(cpu, "plain") }),
    workloads: (namespace) => kube.list({ apiVersion, kind: "Workload", namespace }),
    withQueue: ({ cpu, flavor = "plain" }, args, body) =>
      withCluster(
        args,
        async (it) => {
          await create("ClusterQueue", it.namespace, quotaOf(cpu, flavor));
          await create("LocalQueue", "users", { clusterQueue: it.namespace }, it.namespace);
          await body(it);
        },
        { cluster, reads: true },
      ),
  };
}

const quotaOf = (cpu: number, flavor: string) => ({
  namespaceSelector: {},
  resourceGroups: [
    { coveredResources: ["cpu"], flavors: [{ name: flavor, resources: [{ name: "cpu", nominalQuota: String(cpu) }] }] },
  ],
});

/** Arguments of a cluster whose pods request some CPUs each, in the queue of its namespace. */
export const queued = (
  size: number,
  { gang, cpu = "1", ...args }: Partial<MiniClusterArgs> & { cpu?: string } = {},
) => ({
  size,
  maxSize: 8,
  waitTimeoutSeconds: 90,
  gang: { queueName: "users", ...gang },
  containers: [aContainer({ resources: { requests: { cpu } } })],
  ...args,
});
