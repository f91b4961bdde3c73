import { listManagedClusterUserCredentialsOutput, ManagedCluster } from "@pulumi/azure-native/containerservice";
import { ResourceGroup } from "@pulumi/azure-native/resources";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { AksNodePool, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// One pair of numbers: the pool starts with as many nodes as the cluster has pods, and may grow as far.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: 4 };

// Everything is in one resource group, and goes with it.
const group = new ResourceGroup("flux");

// AKS with its system pool; the machines that compute are a pool of their own.
const aks = new ManagedCluster("flux", {
  resourceGroupName: group.name,
  dnsPrefix: "flux",
  identity: { type: "SystemAssigned" },
  agentPoolProfiles: [
    { name: "system", mode: "System", type: "VirtualMachineScaleSets", count: 1, vmSize: "Standard_D4s_v5" },
  ],
});

const credentials = listManagedClusterUserCredentialsOutput({ resourceGroupName: group.name, resourceName: aks.name });
const kubeconfig = credentials.kubeconfigs.apply(([first]) => Buffer.from(first?.value ?? "", "base64").toString());
const provider = new k8s.Provider("aks", { kubeconfig: pulumi.secret(kubeconfig) });

// HBv3: 120 cores and HDR InfiniBand in each node.
const pool = new AksNodePool(
  "hb",
  {
    resourceGroupName: group.name,
    clusterName: aks.name,
    machineType: "Standard_HB120rs_v3",
    fabric: "infiniband",
    localDisks: "none",
    pairedWith: sizes,
    // Of a pool without nodes the cluster autoscaler does not know that they would have InfiniBand.
    autoscale: { min: 1, max: sizes.maxSize },
    pricePerHour: 3.6,
  },
  { provider },
);

// Pods that lock memory may run in a namespace of this level alone.
const namespace = new k8s.core.v1.Namespace(
  "osu",
  { metadata: { name: "osu", labels: { "pod-security.kubernetes.io/enforce": "privileged" } } },
  { provider },
);

const osu = new MiniCluster(
  "osu",
  {
    namespace: "osu",
    ...sizes,
    pool: pool.scheduling,
    // The machines start, and then NVIDIA's Network Operator installs their driver.
    waitTimeoutSeconds: 1800,
    tasks: 96 * sizes.size,
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
  },
  { provider, dependsOn: [namespace] },
);

export const resourceGroupName = group.name;
export const clusterName = aks.name;
export const capacity = pool.capacity;
export const size = osu.size;
export const logs = osu.logsCommand;
export const diagnose = osu.diagnoseCommand;
