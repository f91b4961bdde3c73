import { ManagedCluster } from "@pulumi/azure-native/containerservice";
import { ResourceGroup } from "@pulumi/azure-native/resources";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { AksNodePool, kubernetesProvider, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();

// The cluster and the pool have the same sizes: the pool starts with `size` nodes and may grow to `maxSize`.
const sizes = { size: config.getNumber("size") ?? 2, maxSize: 4 };

// All resources are in one resource group, and are deleted with it.
const group = new ResourceGroup("flux");

// AKS with its system pool; the workers are in a separate pool.
const aks = new ManagedCluster("flux", {
  resourceGroupName: group.name,
  dnsPrefix: "flux",
  identity: { type: "SystemAssigned" },
  agentPoolProfiles: [
    { name: "system", mode: "System", type: "VirtualMachineScaleSets", count: 1, vmSize: "Standard_D4s_v5" },
  ],
});

const provider = kubernetesProvider(aks);

// NVIDIA's Network Operator installs the InfiniBand driver, as Azure documents it (Azure/aks-rdma-infiniband, "Network Operator"). Its pods
// are privileged, so its namespace is labelled before they start.
const operatorNamespace = new k8s.core.v1.Namespace(
  "network-operator",
  {
    metadata: { name: "network-operator", labels: { "pod-security.kubernetes.io/enforce": "privileged" } },
  },
  { provider },
);
const networkOperator = new k8s.helm.v3.Release(
  "network-operator",
  {
    name: "network-operator",
    namespace: operatorNamespace.metadata.name,
    chart: "network-operator",
    version: "26.4.0",
    repositoryOpts: { repo: "https://helm.ngc.nvidia.com/nvidia" },
    // The rule below matches the adapters of Azure, which the rules of the chart do not match.
    values: { nfd: { deployNodeFeatureRules: false } },
  },
  { provider },
);
const adapters = "feature.node.kubernetes.io/pci-15b3.present";
const adapterRule = new k8s.apiextensions.CustomResource(
  "adapters",
  {
    apiVersion: "nfd.k8s-sigs.io/v1alpha1",
    kind: "NodeFeatureRule",
    metadata: { name: "nfd-network-rule" },
    spec: {
      rules: [
        {
          name: "nfd-network-rule",
          labels: { [adapters]: "true" },
          matchFeatures: [
            // InfiniBand adapters of virtual machines: ConnectX-6 and ConnectX-7.
            { feature: "pci.device", matchExpressions: { device: { op: "In", value: ["101c", "101e"] } } },
          ],
        },
      ],
    },
  },
  { provider, dependsOn: [networkOperator] },
);
const driver = new k8s.apiextensions.CustomResource(
  "driver",
  {
    apiVersion: "mellanox.com/v1alpha1",
    kind: "NicClusterPolicy",
    metadata: { name: "nic-cluster-policy" },
    spec: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: adapters, operator: "In", values: ["true"] }] }],
        },
      },
      ofedDriver: {
        repository: "nvcr.io/nvidia/mellanox",
        image: "doca-driver",
        version: "doca3.2.0-25.10-1.2.8.0-2",
        forcePrecompiled: false,
        // Without this file, the modules of the kernel may load before the modules of the driver.
        env: [{ name: "OFED_BLACKLIST_MODULES_FILE", value: "/host/etc/modprobe.d/blacklist-ofed-modules.conf" }],
      },
    },
  },
  { provider, dependsOn: [adapterRule] },
);

// HBv3: 120 cores and HDR InfiniBand in each node.
const pool = new AksNodePool("hb", {
  cluster: aks,
  machineType: "Standard_HB120rs_v3",
  fabric: "infiniband",
  localDisks: "none",
  ...sizes,
  // The cluster autoscaler cannot detect InfiniBand in an empty pool.
  minSize: 1,
  price: { perHour: 3.6 },
});

// Only a namespace of this level allows pods that lock memory.
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
    // The machines must start, and then the operator installs their driver.
    waitTimeoutSeconds: 1800,
    tasks: 96 * sizes.size,
    // The image contains Flux.
    flux: { container: { disable: true }, optionFlags: "-o cpu-affinity=per-task" },
    logging: { quiet: true },
    container: {
      image: "ghcr.io/converged-computing/metric-osu-cpu:azure-hpc",
      command: "/opt/osu-benchmark/build.openmpi/mpi/collective/osu_allreduce",
      environment: { OPAL_PREFIX: "" },
    },
  },
  { provider, dependsOn: [namespace, driver] },
);

export const resourceGroupName = group.name;
export const clusterName = aks.name;
export const capacity = pool.capacity;
export const size = osu.size;
export const logs = osu.logsCommand;
export const diagnose = osu.diagnoseCommand;
