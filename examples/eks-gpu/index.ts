import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster and the pool have the same sizes: the pool starts with `size` nodes and may grow to `maxSize`.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: 8 };

// Four L4 GPUs in each node. The taint keeps all other pods off the nodes; the cluster tolerates it.
const pool = new EksNodePool("gpu", {
  clusterName: config.require("clusterName"),
  nodeRoleArn: config.require("nodeRoleArn"),
  subnetIds: config.requireObject<string[]>("subnetIds"),
  machineTypes: ["g6.12xlarge"],
  localDisks: "none",
  ...sizes,
  taints: [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }],
});

// The pool provides the GPUs, the node selector, the toleration and Flux's list of GPUs.
const gpus = new MiniCluster("gpus", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // One task for each GPU of every node, which can use only this GPU.
  flux: { optionFlags: "--tasks-per-node=4 --gpus-per-node=4 -o gpu-affinity=per-task" },
  container: {
    image: "docker.io/nvidia/cuda:12.8.1-base-ubuntu24.04",
    command: 'echo "task $FLUX_TASK_RANK has GPU $CUDA_VISIBLE_DEVICES of $(hostname)"',
  },
});

export const capacity = pool.capacity;
export const size = gpus.size;
export const logs = gpus.logsCommand;
export const connect = gpus.connectCommand;
export const diagnose = gpus.diagnoseCommand;
