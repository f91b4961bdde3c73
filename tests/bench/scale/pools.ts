import * as fs from "node:fs";
import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterWait, type NodePoolScheduling } from "../../../provider";
import { cloudPlugins } from "../../sandbox/standIns/cloud";
import { createStack } from "../../support/engine";
import { aMiniClusterArgs } from "../../support/fixtures";
import { remote, RemoteMiniCluster } from "../../support/remote";
import type { Ground } from "./ground";
import { type Memory, watchMemory } from "./memory";
import { countKinds } from "./ways";

/** A stack with pools of nodes and a cluster on each, made at once. Times are in milliseconds. */
export interface PoolStep {
  pools: number;
  run: number;
  /** Why it did not come to an end. */
  failure?: string;
  preview?: number;
  returned?: number;
  /** An `up` that has nothing to do. */
  unchanged?: number;
  memory?: Memory;
  /** Bytes of state. */
  state?: number;
  /** Pulumi resources by kind. */
  resources?: Record<string, number>;
}

export const poolsName = (pools: number, run: number) => `run ${run}: ${pools} pools`;

/** Makes so many pools, which a stand-in of the cloud takes for made, and clusters on them that wait for nodes. */
export async function measurePools(ground: Ground, pools: number, run: number): Promise<PoolStep> {
  ground.tell(poolsName(pools, run));
  try {
    await ground.ready("raised");
    return { pools, run, ...(await makePools(ground, pools)) };
  } catch (error) {
    return { pools, run, failure: await ground.failed(error) };
  }
}

async function makePools(ground: Ground, pools: number): Promise<Partial<PoolStep>> {
  const namespace = await ground.newNamespace();
  const stack = await createStack({
    program: () => Promise.resolve(program(namespace, pools)),
    kubeconfigPath: ground.cluster.kubeconfigPath,
    plugins: { ...(await cloudPlugins()), minicluster: ground.pluginDirectory },
  });
  const memory = watchMemory();
  try {
    const preview = await ground.operate(stack, "preview");
    const { durationMs: returned } = await ground.operate(stack, "up");
    const state = fs.statSync(stack.statePath).size;
    const { durationMs: unchanged } = await ground.operate(stack, "up");
    const resources = countKinds(preview.steps);
    return { preview: preview.durationMs, returned, unchanged, memory: memory(), state, resources };
  } finally {
    memory();
    stack.dispose();
  }
}

function program(namespace: string, pools: number): Record<string, unknown> {
  for (let i = 0; i < pools; i++) {
    const args = {
      ...{ clusterName: "research", nodeRoleArn: "arn:aws:iam::123456789012:role/nodes", subnetIds: ["subnet-a1"] },
      ...{ zones: ["us-east-1a"], machineTypes: ["hpc7a.96xlarge"], pairedWith: { size: 8 } },
    };
    const { scheduling } = remote("EksNodePool", `pool${i}`, args, ["scheduling"]);
    const cluster = aMiniClusterArgs({
      name: `demo${i}`,
      namespace,
      size: 8,
      suspend: true,
      wait: MiniClusterWait.None,
    });
    new RemoteMiniCluster(`demo${i}`, { ...cluster, pool: scheduling as pulumi.Output<NodePoolScheduling> });
  }
  return {};
}
