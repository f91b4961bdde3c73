import * as pulumi from "@pulumi/pulumi";
import { KarpenterNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster and the pool have the same sizes: Karpenter provisions a node for each pod, up to `maxSize`.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: 8 };

// Karpenter 1.11 or later runs in the cluster, which is the current context of the kubeconfig. 8 A100 and 4 EFA
// interfaces in each node. A node is removed when it has been empty for five minutes, and never while a broker runs on
// it.
const pool = new KarpenterNodePool("p4d", {
  nodeRoleName: config.require("nodeRoleName"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
  securityGroupIds: config.requireObject<string[]>("securityGroupIds"),
  zones: [config.require("zone")],
  machineTypes: ["p4d.24xlarge"],
  localDisks: "raid0",
  amiVersion: config.get("amiVersion"),
  fabric: "efa",
  ...sizes,
});

// The pool provides GPUs, EFA interfaces and the settings of libfabric.
const training = new MiniCluster("training", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // The first pods wait for their nodes.
  waitTimeoutSeconds: 1800,
  // One process on every node.
  container: { image: "nvidia/cuda:12.9.1-base-ubuntu24.04", command: "nvidia-smi -L" },
});

export const capacity = pool.capacity;
export const size = training.size;
export const logs = training.logsCommand;
export const connect = training.connectCommand;
export const diagnose = training.diagnoseCommand;
