import * as pulumi from "@pulumi/pulumi";
import { AksNodePool, MiniCluster } from "pulumi-minicluster";

// Two things have to be there already. The subscription's feature flag, once:
//   az feature register --namespace Microsoft.ContainerService --name AKSInfinibandSupport
//   az provider register --namespace Microsoft.ContainerService
// And the InfiniBand driver on the nodes: Ubuntu 24.04 has it, which AKS runs from Kubernetes 1.35; before, the NVIDIA Network Operator
// with a NicClusterPolicy installs it.

const config = new pulumi.Config();

// One pair of numbers: the pool starts with as many nodes as the cluster has pods, and may grow as far.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: config.getNumber("maxSize") ?? 4 };

const pool = new AksNodePool("hb", {
  resourceGroupName: config.require("resourceGroupName"),
  clusterName: config.require("clusterName"),
  machineType: config.get("machineType") ?? "Standard_HB120rs_v3",
  localDisks: "none",
  fabric: "infiniband",
  pairedWith: sizes,
  // Of a pool without nodes the cluster autoscaler does not know that they would have InfiniBand.
  autoscale: { min: 1, max: sizes.maxSize },
});

// The selector, the InfiniBand devices, memory that may be locked and the settings of UCX all come from the pool.
const osu = new MiniCluster("osu", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // 96 on each of two nodes, or fewer on each of more.
  tasks: 192,
  // Flux is in the image.
  flux: { container: { disable: true }, optionFlags: "-o cpu-affinity=per-task" },
  logging: { quiet: true },
  containers: [
    {
      image: "ghcr.io/converged-computing/metric-osu-cpu:azure-hpc",
      command: "/opt/osu-benchmark/build.openmpi/mpi/collective/osu_allreduce",
      environment: { OPAL_PREFIX: "" },
    },
  ],
});

export const capacity = pool.capacity;
export const size = osu.size;
export const logs = osu.logsCommand;
export const connect = osu.connectCommand;
export const diagnose = osu.diagnoseCommand;
