import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// One pair of numbers: the pool starts with as many nodes as the cluster has pods. An UltraServer has 9 or 18 nodes, and the NVLink
// between them ends where it does.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: 18 };

// Four GB200 GPUs and eight EFA interfaces in each node, counted by device plugins. The machines come in capacity blocks alone.
const pool = new EksNodePool("gb200", {
  clusterName: config.require("clusterName"),
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
  zones: [config.require("zone")],
  machineTypes: ["p6e-gb200.36xlarge"],
  capacity: "capacityBlock",
  reservationId: config.require("reservationId"),
  fabric: "efa",
  pairedWith: sizes,
});

// The cluster makes a ComputeDomain, and each pod claims its channel: by that the GPUs of all nodes reach each other. NVIDIA's DRA
// driver, which the README says how to install, has to run before.
const training = new MiniCluster("training", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // Once on every node.
  tasks: 0,
  containers: [{ image: "docker.io/nvidia/cuda:12.9.1-base-ubuntu24.04", command: "nvidia-smi -q" }],
});

export const capacity = pool.capacity;
export const size = training.size;
export const logs = training.logsCommand;
export const connect = training.connectCommand;
export const diagnose = training.diagnoseCommand;
