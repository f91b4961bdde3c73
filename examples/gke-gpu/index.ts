import * as pulumi from "@pulumi/pulumi";
import { GkeNodePool, GkeNodePoolCapacityType, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster and the pool have the same sizes: the pool starts with `size` nodes and may grow to `maxSize`.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: config.getNumber("maxSize") ?? 4 };

// Eight L4 GPUs in each node. GKE installs the driver and runs NVIDIA's device plugin.
const pool = new GkeNodePool("l4", {
  clusterName: config.require("clusterName"),
  location: config.require("location"),
  zones: [config.require("zone")],
  machineType: "g2-standard-96",
  gpuDriver: "latest",
  capacityType: config.get<GkeNodePoolCapacityType>("capacityType") ?? GkeNodePoolCapacityType.OnDemand,
  ...sizes,
});

// The pool provides the GPUs, the node selector, the toleration of GKE's taint and Flux's list of GPUs.
const gpus = new MiniCluster("gpus", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // One task for each GPU of every node, which can use only this GPU.
  flux: { optionFlags: "--tasks-per-node=8 --gpus-per-node=8 -o gpu-affinity=per-task" },
  container: {
    image: "docker.io/nvidia/cuda:12.8.1-base-ubuntu24.04",
    command: 'nvidia-smi --id="$CUDA_VISIBLE_DEVICES" --query-gpu=name,uuid,driver_version --format=csv,noheader',
  },
});

export const capacity = pool.capacity;
export const size = gpus.size;
export const logs = gpus.logsCommand;
export const connect = gpus.connectCommand;
export const diagnose = gpus.diagnoseCommand;
