import * as pulumi from "@pulumi/pulumi";
import { GkeNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// One pair of numbers: the pool starts with as many nodes as the cluster has pods, and may grow as far.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: config.getNumber("maxSize") ?? 8 };

// Google's own Axion, 72 cores in each node. GKE taints ARM nodes by itself.
const pool = new GkeNodePool("axion", {
  clusterName: config.require("clusterName"),
  location: config.require("location"),
  zones: [config.require("zone")],
  machineType: config.get("machineType") ?? "c4a-standard-72",
  arch: "arm64",
  pairedWith: sizes,
});

// The selector, the toleration of GKE's taint and the Flux view for ARM all come from the pool.
const cores = new MiniCluster("cores", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // Once on every node.
  tasks: 0,
  // An image with ARM: this one is for both architectures.
  containers: [{ image: "ubuntu:noble", command: 'echo "$(hostname) has $(nproc) cores of $(uname -m)"' }],
});

export const capacity = pool.capacity;
export const size = cores.size;
export const logs = cores.logsCommand;
export const connect = cores.connectCommand;
export const diagnose = cores.diagnoseCommand;
