import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, type EksNodePoolArgs, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const max = config.getNumber("max") ?? 16;
// Another max is set in place up to this size. Without it the brokers would restart.
const maxSize = 64;
const maxGpuNodes = 4;

const shared = {
  clusterName: config.require("clusterName"),
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
};

// The Cluster Autoscaler adds nodes for pods that wait for one, and removes nodes that are empty. The taint keeps all other pods away,
// that of the lead broker included; the workers tolerate it.
const poolOf = (name: string, machineType: string, most: number) => {
  const taints: EksNodePoolArgs["taints"] = [{ key: "workers", value: name, effect: "NoSchedule" }];
  return new EksNodePool(name, { ...shared, machineTypes: [machineType], autoscale: { min: 0, max: most }, taints });
};
const cores = poolOf("cpu", "c7i.8xlarge", maxSize);
const gpus = poolOf("gpu", "g6.12xlarge", maxGpuNodes);

// The queue decides on the pods of each group, and the pods on the nodes. The lead broker keeps the queue on a node outside of the
// pools, so that no machine of a pool runs while the queue is empty.
const elastic = new MiniCluster("elastic", {
  namespace: config.get("namespace"),
  interactive: true,
  lead: { resources: { requests: { cpu: "1", memory: "2Gi" } } },
  groups: {
    cpu: { pool: cores.scheduling, autoscale: { max, idleSeconds: 600 }, maxSize },
    gpu: { pool: gpus.scheduling, autoscale: { max: maxGpuNodes, idleSeconds: 600 } },
  },
  // A pod that is removed lets its jobs end, for at most an hour. Its node waits for it.
  drainTimeoutSeconds: 3600,
  containers: [{ image: "ubuntu:noble" }],
});

export const hosts = elastic.hostlist;
export const connect = elastic.connectCommand;
export const diagnose = elastic.diagnoseCommand;
