import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
const max = config.getNumber("max") ?? 16;
// As far as max may ever go: up to this another max is set in place, and without it the brokers would restart.
const maxSize = 64;

// No node but that of the lead broker while the queue is empty: the Cluster Autoscaler brings nodes for pods that wait for one, and
// takes nodes away that are empty.
const pool = new EksNodePool("queue", {
  clusterName: config.require("clusterName"),
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
  machineTypes: ["c7i.8xlarge"],
  autoscale: { min: 1, max: maxSize },
});

// The queue decides on the pods, and the pods on the nodes.
const elastic = new MiniCluster("elastic", {
  namespace: config.get("namespace"),
  interactive: true,
  autoscale: { min: 1, max, idleSeconds: 600 },
  maxSize,
  // A pod that leaves lets its jobs end, for at most an hour. Its node waits for it.
  drainTimeoutSeconds: 3600,
  pool: pool.scheduling,
  // A machine has to start first.
  waitTimeoutSeconds: 1800,
  containers: [{ image: "ubuntu:noble" }],
});

export const capacity = pool.capacity;
export const size = elastic.size;
export const connect = elastic.connectCommand;
export const diagnose = elastic.diagnoseCommand;
