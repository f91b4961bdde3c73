import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, EksNodePoolCapacityType, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster and the pool have the same sizes: the pool starts with `size` nodes and may grow to `maxSize`.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: 4 };

// Eight H100 GPUs and 32 EFA interfaces in each node. Such machines are mostly reserved; for a capacity block:
//   pulumi config set capacityType capacityBlock
//   pulumi config set reservationId cr-0123456789abcdef0
const pool = new EksNodePool("p5", {
  clusterName: config.require("clusterName"),
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
  zones: [config.require("zone")],
  machineTypes: ["p5.48xlarge"],
  // 30 TB of NVMe on each node, for images and for volumes with localDisk: true.
  localDisks: "raid0",
  capacityType: config.get("capacityType", { allowedValues: Object.values(EksNodePoolCapacityType) }),
  reservationId: config.get("reservationId"),
  fabric: "efa",
  ...sizes,
});

// The pool provides GPUs, EFA interfaces, huge pages, shared memory and FI_PROVIDER.
const training = new MiniCluster("training", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // One process on every node.
  container: {
    // Use an image with your application, libfabric and NCCL's plugin for it; this image prints the topology.
    image: "docker.io/nvidia/cuda:12.8.1-base-ubuntu24.04",
    command: "nvidia-smi topo --matrix",
  },
});

export const capacity = pool.capacity;
export const size = training.size;
export const logs = training.logsCommand;
export const connect = training.connectCommand;
export const diagnose = training.diagnoseCommand;
