import assert from "node:assert/strict";

import { type Cluster, startCluster } from "../sandbox/cluster";
import { viewVariable } from "../sandbox/real";

const variable = "MINICLUSTER_SANDBOX_KUBECONFIG";

let cluster: Cluster | undefined;
let formerly: string | undefined;

/** Starts the cluster with real nodes, which the tests of this process then find as the shared one. */
export async function startLab(): Promise<void> {
  formerly = process.env[variable];
  cluster = await startCluster({ real: { count: 4, lostAfter: 20 } });
  process.env[variable] = cluster.kubeconfigPath;
}

/** Stops it, and leads back to what was the shared cluster before. */
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

/** How long a test waits for what the kubelet, the Job controller or the DNS takes its time for. */
export const patience = process.env[viewVariable] ? 240_000 : 90_000;
