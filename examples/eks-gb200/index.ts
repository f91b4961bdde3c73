import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster and the pool have the same sizes. An UltraServer has 9 or 18 nodes, which are one NVLink domain.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: 18 };

// Four GB200 GPUs and eight EFA interfaces in each node, counted by device plugins. The machines are available only in
// capacity blocks.
const pool = new EksNodePool("gb200", {
  clusterName: config.require("clusterName"),
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
  zones: [config.require("zone")],
  machineTypes: ["p6e-gb200.36xlarge"],
  capacityType: "capacityBlock",
  reservationId: config.require("reservationId"),
  fabric: "efa",
  ...sizes,
});

// The cluster creates a ComputeDomain, and each pod claims its channel, through which the GPUs of all nodes access each
// other. NVIDIA's DRA driver must run first; the README describes how to install it.
const training = new MiniCluster("training", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // One process on every node.
  container: { image: "docker.io/nvidia/cuda:12.9.1-base-ubuntu24.04", command: "nvidia-smi -q" },
});

export const capacity = pool.capacity;
export const size = training.size;
export const logs = training.logsCommand;
export const connect = training.connectCommand;
export const diagnose = training.diagnoseCommand;
