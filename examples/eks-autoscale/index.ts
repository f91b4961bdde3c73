import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, type EksNodePoolArgs, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const max = config.getNumber("max") ?? 16;
// Up to this size, `max` can be changed in place; without maxSize, a change restarts the brokers.
const maxSize = 64;
const maxGpuNodes = 4;

const shared = {
  clusterName: config.require("clusterName"),
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
};

// The Cluster Autoscaler adds nodes for pending pods, and removes empty nodes. The taint keeps all other pods off the
// nodes, including the pod of the lead broker; the workers tolerate it.
const poolOf = (name: string, machineType: string, maxSize: number) => {
  const taints: EksNodePoolArgs["taints"] = [{ key: "workers", value: name, effect: "NoSchedule" }];
  return new EksNodePool(name, { ...shared, machineTypes: [machineType], maxSize, taints });
};
const cores = poolOf("cpu", "c7i.8xlarge", maxSize);
const gpus = poolOf("gpu", "g6.12xlarge", maxGpuNodes);

// The queue determines the pods of each group, and the pods determine the nodes. The lead broker runs on a node outside
// of the pools, so that no machine of a pool runs while the queue is empty.
const elastic = new MiniCluster("elastic", {
  namespace: config.get("namespace"),
  lead: { resources: { requests: { cpu: "1", memory: "2Gi" } } },
  groups: {
    cpu: { pool: cores.scheduling, autoscale: { max, idleSeconds: 600 }, maxSize },
    gpu: { pool: gpus.scheduling, autoscale: { max: maxGpuNodes, idleSeconds: 600 } },
  },
  // A terminating pod waits for its jobs to end, for at most an hour. Its node is removed after the pod.
  drainTimeoutSeconds: 3600,
  container: { image: "ubuntu:noble" },
});

export const hosts = elastic.hostlist;
export const connect = elastic.connectCommand;
export const diagnose = elastic.diagnoseCommand;
