import assert from "node:assert/strict";

import { MiniClusterAffinity, type MiniClusterArgs, MiniClusterTolerationOperator } from "../../provider";
import { type Cluster, startCluster } from "../sandbox/cluster";
import { patchTypes } from "../sandbox/kube";
import { viewVariable } from "../sandbox/real";

const variable = "MINICLUSTER_SANDBOX_KUBECONFIG";

let cluster: Cluster | undefined;
let formerly: string | undefined;

/** Nodes beside the spare ones: the clusters on pages have eight pods. */
const plainNodes = 8;

const spare = "sandbox.local/spare";

/** Arguments of a cluster whose pods run on the spare nodes, and there alone. */
export const onSpareNodes = {
  network: { affinity: MiniClusterAffinity.Preferred },
  pod: {
    nodeSelector: { [spare]: "yes" },
    tolerations: [{ key: spare, operator: MiniClusterTolerationOperator.Exists }],
  },
} satisfies Partial<MiniClusterArgs>;

/**
 * Starts the cluster with real nodes, which the tests of this process then find as the shared one. Spare nodes come in
 * addition: only the pods that request them are affected.
 */
export async function startLab({ spares = 0 } = {}): Promise<void> {
  formerly = process.env[variable];
  cluster = await startCluster({ real: { count: plainNodes + spares, lostAfter: 20 } });
  process.env[variable] = cluster.kubeconfigPath;
  for (const { name } of cluster.realNodes.slice(plainNodes)) await makeSpare(name);
}

/** Makes a node a spare one, also again after its object was deleted. */
export async function makeSpare(name: string): Promise<void> {
  const labels = { [spare]: "yes", "topology.kubernetes.io/zone": "zone-c" };
  const spec = { taints: [{ key: spare, effect: "NoSchedule" }] };
  await lab().api.request("PATCH", `/api/v1/nodes/${name}`, { metadata: { labels }, spec }, patchTypes.strategic);
}

/** Stops it, and restores the former shared cluster. */
export async function stopLab(): Promise<void> {
  if (formerly === undefined) Reflect.deleteProperty(process.env, variable);
  else process.env[variable] = formerly;
  await cluster?.stop();
  cluster = undefined;
}

/** The running cluster. */
export function lab(): Cluster {
  assert.ok(cluster, "the cluster with real nodes is not running");
  return cluster;
}

/** Number of parallel rows: a real Flux takes seconds of a processor for each broker and each probe. */
export const atOnce = process.env[viewVariable] ? 3 : 5;

/** Limit of a test's wait for the kubelet, the Job controller or the DNS, also on a busy machine. */
export const patience = 240_000;
