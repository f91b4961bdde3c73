import { PrincipalType, RoleAssignment } from "@pulumi/azure-native/authorization";
import { ManagedCluster } from "@pulumi/azure-native/containerservice";
import { UserAssignedIdentity } from "@pulumi/azure-native/managedidentity";
import { Subnet, VirtualNetwork } from "@pulumi/azure-native/network";
import { ResourceGroup } from "@pulumi/azure-native/resources";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { AksNodePool, AksSharedStorage, kubernetesProvider, MiniCluster } from "pulumi-minicluster";

const config = new pulumi.Config();
// The group `gpu` follows its queue. The group `mpi` has the size of the configuration, because the autoscaler of AKS cannot detect
// InfiniBand in an empty pool.
const most = { gpu: config.getNumber("maxGpuNodes") ?? 4, mpi: 4 };
const size = config.getNumber("mpiNodes") ?? 0;
// README.md has a command that asks Azure for it.
const perHour = config.getNumber("gpuPricePerHour");

// All resources are in one resource group, and are deleted with it.
const group = new ResourceGroup("flux");
const resourceGroupName = group.name;

// The shared file system admits only this subnet. The network must not overlap 10.0.0.0/16 and 10.244.0.0/16, the services and the
// pods of AKS by default, and 172.16.0.0/16 of InfiniBand.
const network = new VirtualNetwork("flux", {
  resourceGroupName,
  addressSpace: { addressPrefixes: ["10.1.0.0/16"] },
});
const subnet = new Subnet("nodes", {
  resourceGroupName,
  virtualNetworkName: network.name,
  addressPrefix: "10.1.0.0/20",
  serviceEndpoints: [{ service: "Microsoft.Storage" }],
});

// AKS joins its nodes to an existing subnet with this role of its identity.
const identity = new UserAssignedIdentity("flux", { resourceGroupName });
const networkContributor = "providers/Microsoft.Authorization/roleDefinitions/4d97b98b-1d4f-4787-a291-c67834d212e7";
const join = new RoleAssignment("join", {
  principalId: identity.principalId,
  principalType: PrincipalType.ServicePrincipal,
  // Below the subscription: /subscriptions/ID.
  roleDefinitionId: subnet.id.apply((id) => [...id.split("/").slice(0, 3), networkContributor].join("/")),
  scope: subnet.id,
});

// AKS with its system pool, for the system pods, the lead broker and the agent; the workers are in separate pools.
const aks = new ManagedCluster(
  "flux",
  {
    resourceGroupName,
    dnsPrefix: "flux",
    identity: { type: "UserAssigned", userAssignedIdentities: [identity.id] },
    networkProfile: { networkPlugin: "azure", networkPluginMode: "overlay" },
    agentPoolProfiles: [
      {
        name: "system",
        mode: "System",
        type: "VirtualMachineScaleSets",
        count: 1,
        vmSize: "Standard_D4s_v5",
        vnetSubnetID: subnet.id,
      },
    ],
  },
  { dependsOn: [join] },
);

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

// One H100 in each node. AKS installs NVIDIA's driver, and the pool runs the device plugin. The taint keeps system pods off the nodes: the
// autoscaler removes no node with such a pod.
const gpu = new AksNodePool("gpu", {
  cluster: aks,
  vnetSubnetId: subnet.id,
  machineType: "Standard_NC40ads_H100_v5",
  taints: [{ key: "sku", value: "gpu", effect: "NoSchedule" }],
  maxSize: most.gpu,
  price: perHour === undefined ? undefined : { perHour },
});

// HBv3: 120 cores and HDR InfiniBand in each node.
const mpi = new AksNodePool("mpi", {
  cluster: aks,
  vnetSubnetId: subnet.id,
  machineType: "Standard_HB120rs_v3",
  fabric: "infiniband",
  localDisks: "none",
  size,
  // In East US, on demand.
  price: { perHour: 3.6 },
});

// Only a namespace of this level allows pods that lock memory.
const namespace = new k8s.core.v1.Namespace(
  "flux",
  { metadata: { name: "flux", labels: { "pod-security.kubernetes.io/enforce": "privileged" } } },
  { provider },
);

// NFS of Azure Files, whose driver AKS includes. It is deleted with the stack, with its data.
const storage = new AksSharedStorage(
  "data",
  {
    kind: "files",
    namespace: "flux",
    resourceGroupName,
    subnetId: subnet.id,
    capacityGib: 100,
    retainOnDelete: false,
  },
  { providers: [provider], dependsOn: [namespace] },
);
const volumes = { data: { path: "/data", claimName: storage.claimName } };

// At rest, only the lead broker and the agent run, on the system pool.
const lab = new MiniCluster(
  "lab",
  {
    namespace: "flux",
    lead: { nodeSelector: { "kubernetes.azure.com/mode": "system" } },
    // The view must be built for the operating system of the images; all are Ubuntu 22.04.
    flux: { container: { image: "ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy" } },
    container: { image: "ubuntu:jammy", volumes },
    groups: {
      gpu: {
        pool: gpu.scheduling,
        autoscale: { max: most.gpu, idleSeconds: 600 },
        container: { image: "docker.io/nvidia/cuda:12.8.1-base-ubuntu22.04", volumes },
      },
      mpi: {
        pool: mpi.scheduling,
        size,
        maxSize: most.mpi,
        container: {
          image: "ghcr.io/converged-computing/metric-osu-cpu:azure-hpc",
          environment: { OPAL_PREFIX: "" },
          volumes,
        },
      },
    },
    // A terminating pod waits for its jobs to end, for at most an hour. Its node is removed after the pod.
    drainTimeoutSeconds: 3600,
    // The machines must start, and then the operator installs their driver.
    waitTimeoutSeconds: 1800,
  },
  { provider, dependsOn: [namespace, driver] },
);

export { resourceGroupName };
export const clusterName = aks.name;
export const capacity = gpu.capacity;
export const fileSystem = storage.fileSystemId;
export const connect = lab.connectCommand;
export const diagnose = lab.diagnoseCommand;
