import * as pulumi from "@pulumi/pulumi";
import { AksNodePool, MiniCluster } from "pulumi-minicluster";

// There are two prerequisites. The first is the feature flag of the subscription, once:
//   az feature register --namespace Microsoft.ContainerService --name AKSInfinibandSupport
//   az provider register --namespace Microsoft.ContainerService
// The second is the InfiniBand driver on the nodes: Ubuntu 24.04, which AKS runs from Kubernetes 1.35, includes it; on
// older nodes, the NVIDIA Network Operator with a NicClusterPolicy installs it.

const config = new pulumi.Config();

// The cluster and the pool have the same sizes: the pool starts with `size` nodes and may grow to `maxSize`.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: config.getNumber("maxSize") ?? 4 };

const pool = new AksNodePool("hb", {
  resourceGroupName: config.require("resourceGroupName"),
  clusterName: config.require("clusterName"),
  machineType: config.get("machineType") ?? "Standard_HB120rs_v3",
  localDisks: "none",
  fabric: "infiniband",
  ...sizes,
  // The cluster autoscaler cannot detect InfiniBand in an empty pool.
  minSize: 1,
});

// The pool provides the node selector, the InfiniBand devices, locked memory and the settings of UCX.
const osu = new MiniCluster("osu", {
  namespace: config.get("namespace"),
  ...sizes,
  pool: pool.scheduling,
  // 96 on each of two nodes, or fewer on each of more nodes.
  tasks: 192,
  // The image contains Flux.
  flux: { container: { disable: true }, optionFlags: "-o cpu-affinity=per-task" },
  logging: { quiet: true },
  container: {
    image: "ghcr.io/converged-computing/metric-osu-cpu:azure-hpc",
    command: "/opt/osu-benchmark/build.openmpi/mpi/collective/osu_allreduce",
    environment: { OPAL_PREFIX: "" },
  },
});

export const capacity = pool.capacity;
export const size = osu.size;
export const logs = osu.logsCommand;
export const connect = osu.connectCommand;
export const diagnose = osu.diagnoseCommand;
