import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster and the pool have the same sizes: the pool starts with `size` nodes and may grow to `maxSize`.
const sizes = { size: config.getNumber("size") ?? 4, maxSize: 16 };

// Graviton3E, 64 cores in each node. With EFA, the pool creates a placement group, a security group that allows all
// traffic within itself, and the device plugin. EFA works only within a zone.
const pool = new EksNodePool("hpc7g", {
  clusterName: config.require("clusterName"),
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
  zones: [config.require("zone")],
  machineTypes: ["hpc7g.16xlarge"],
  fabric: "efa",
  ...sizes,
});

// The pool provides the EFA interface, huge pages, FI_PROVIDER and the Flux view for ARM.
const fabric = new MiniCluster("fabric", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // One process on every node.
  container: {
    // Use an image with your application and a libfabric with EFA; this image prints what libfabric finds.
    image: "ubuntu:noble",
    commands: { init: "apt-get update -qq && apt-get install -qq --yes libfabric-bin >/dev/null" },
    command: "fi_info --provider=efa",
  },
});

export const capacity = pool.capacity;
export const size = fabric.size;
export const logs = fabric.logsCommand;
export const connect = fabric.connectCommand;
export const diagnose = fabric.diagnoseCommand;
