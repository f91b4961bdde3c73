import * as pulumi from "@pulumi/pulumi";
import { GkeNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster and the pool have the same sizes: the pool starts with `size` nodes and may grow to `maxSize`.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: config.getNumber("maxSize") ?? 8 };

// Google's Axion processor, 72 cores in each node. GKE itself taints ARM nodes.
const pool = new GkeNodePool("axion", {
  clusterName: config.require("clusterName"),
  location: config.require("location"),
  zones: [config.require("zone")],
  machineType: config.get("machineType") ?? "c4a-standard-72",
  arch: "arm64",
  ...sizes,
});

// The pool provides the node selector, the toleration of GKE's taint and the Flux view for ARM.
const cores = new MiniCluster("cores", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // One process on every node.
  // The image must support ARM: this image supports both architectures.
  container: { image: "ubuntu:noble", command: 'echo "$(hostname) has $(nproc) cores of $(uname -m)"' },
});

export const capacity = pool.capacity;
export const size = cores.size;
export const logs = cores.logsCommand;
export const connect = cores.connectCommand;
export const diagnose = cores.diagnoseCommand;
