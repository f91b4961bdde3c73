import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// One pair of numbers: the pool starts with as many nodes as the cluster has pods, and may grow as far.
const sizes = { size: config.getNumber("size") ?? 4, maxSize: 16 };

// Graviton3E, 64 cores in each node. EFA brings a placement group, a security group that is open to itself, and the device
// plugin. It does not leave a zone.
const pool = new EksNodePool("hpc7g", {
  clusterName: config.require("clusterName"),
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
  zones: [config.require("zone")],
  machineTypes: ["hpc7g.16xlarge"],
  fabric: "efa",
  pairedWith: sizes,
});

// The EFA interface, huge pages, FI_PROVIDER and the Flux view for ARM all come from the pool.
const fabric = new MiniCluster("fabric", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // Once on every node.
  tasks: 0,
  containers: [
    {
      // Bring an image with your application and a libfabric that has EFA; this one says what libfabric finds.
      image: "ubuntu:noble",
      commands: { init: "apt-get update -qq && apt-get install -qq --yes libfabric-bin >/dev/null" },
      command: "fi_info --provider=efa",
    },
  ],
});

export const capacity = pool.capacity;
export const size = fabric.size;
export const logs = fabric.logsCommand;
export const connect = fabric.connectCommand;
export const diagnose = fabric.diagnoseCommand;
