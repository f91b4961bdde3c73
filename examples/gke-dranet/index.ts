import * as pulumi from "@pulumi/pulumi";
import { GkeNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster and the pool have the same sizes: the pool starts with `size` nodes and may grow to `maxSize`.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: 8 };

// Eight H200 GPUs and eight RDMA interfaces in each node. With claims, GKE creates the networks and runs the driver
// (DRANET): no VPC network, Network object or annotation is needed.
const pool = new GkeNodePool("h200", {
  clusterName: config.require("clusterName"),
  location: config.require("location"),
  zones: [config.require("zone")],
  machineType: "a3-ultragpu-8g",
  capacityType: "reservation",
  reservationName: config.require("reservationName"),
  fabric: "rdma",
  fabricBy: "claim",
  ...sizes,
});

// The cluster has a ResourceClaimTemplate, and each pod a claim of all interfaces of its node. The GPUs are counted by GKE's plugin.
const training = new MiniCluster("training", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // One process on every node.
  container: { image: "docker.io/nvidia/cuda:12.8.1-base-ubuntu24.04", command: "ls /sys/class/infiniband" },
});

export const capacity = pool.capacity;
export const size = training.size;
export const logs = training.logsCommand;
export const connect = training.connectCommand;
export const diagnose = training.diagnoseCommand;
