import type { Obj } from "../../rpc/values";
import { type Cloud, type CloudFunction, type ResourceKind, text } from "../cloud";

const subscriptionOf = (config: Record<string, string>) =>
  `/subscriptions/${config.subscriptionId || "00000000-0000-0000-0000-000000000000"}`;

const groupOf = (args: Obj, config: Record<string, string>) =>
  `${subscriptionOf(config)}/resourceGroups/${text(args.resourceGroupName)}`;

const nameIn = (id: string) => id.split("/").at(-1) ?? "";

const agentPool: ResourceKind = {
  name: "agentPoolName",
  replacedBy: [
    "agentPoolName",
    "resourceGroupName",
    "resourceName",
    "gpuInstanceProfile",
    "vmSize",
    "networkProfile.nodePublicIPTags",
  ],
  // The provider does not check these, and AKS rejects their change. A component that wants another
  // pool instead has to say so with `replaceOnChanges`.
  fixed: [
    "availabilityZones",
    "capacityReservationGroupID",
    "gpuProfile",
    "hostGroupID",
    "kubeletDiskType",
    "maxPods",
    "nodePublicIPPrefixID",
    "osDiskSizeGB",
    "osDiskType",
    "osType",
    "podSubnetID",
    "proximityPlacementGroupID",
    "scaleSetEvictionPolicy",
    "scaleSetPriority",
    "spotMaxPrice",
    "vnetSubnetID",
    "workloadRuntime",
  ],
  id: ({ inputs, config }) => {
    const cluster = `Microsoft.ContainerService/managedClusters/${text(inputs.resourceName)}`;
    return `${groupOf(inputs, config)}/providers/${cluster}/agentPools/${text(inputs.agentPoolName)}`;
  },
  outputs: ({ inputs, id }) => ({
    azureApiVersion: "2025-09-01",
    currentOrchestratorVersion: text(inputs.orchestratorVersion, "1.34.0"),
    name: nameIn(id),
    nodeImageVersion: "AKSUbuntu-2204gen2containerd-202510.01.0",
    powerState: { code: "Running" },
    provisioningState: "Succeeded",
    type: "Microsoft.ContainerService/managedClusters/agentPools",
  }),
};

const proximityPlacementGroup: ResourceKind = {
  name: "proximityPlacementGroupName",
  replacedBy: ["location", "proximityPlacementGroupName", "resourceGroupName", "zones"],
  id: ({ inputs, config }) => {
    const path = `Microsoft.Compute/proximityPlacementGroups/${text(inputs.proximityPlacementGroupName)}`;
    return `${groupOf(inputs, config)}/providers/${path}`;
  },
  outputs: ({ inputs, id }) => ({
    location: text(inputs.location, "eastus"),
    name: nameIn(id),
    type: "Microsoft.Compute/proximityPlacementGroups",
  }),
};

const amlFilesystem: ResourceKind = {
  name: "amlFilesystemName",
  replacedBy: ["amlFilesystemName", "location", "resourceGroupName"],
  // Azure changes only the maintenance window, root squash, encryption and tags of one that exists.
  fixed: ["filesystemSubnet", "sku", "storageCapacityTiB", "zones"],
  id: ({ inputs, config }) => {
    const path = `Microsoft.StorageCache/amlFilesystems/${text(inputs.amlFilesystemName)}`;
    return `${groupOf(inputs, config)}/providers/${path}`;
  },
  outputs: ({ inputs, id }) => ({
    location: text(inputs.location, "eastus"),
    name: nameIn(id),
    clientInfo: { mgsAddress: "10.0.0.4", lustreVersion: "2.15", mountCommand: "", containerStorageInterface: {} },
    provisioningState: "Succeeded",
    type: "Microsoft.StorageCache/amlFilesystems",
  }),
};

const storageAccount: ResourceKind = {
  name: "accountName",
  replacedBy: ["accountName", "location", "resourceGroupName"],
  refuses: ({ accountName }) =>
    /^[a-z0-9]{3,24}$/.test(text(accountName)) ? undefined : `${text(accountName)} is not a valid storage account name`,
  id: ({ inputs, config }) =>
    `${groupOf(inputs, config)}/providers/Microsoft.Storage/storageAccounts/${text(inputs.accountName)}`,
  outputs: ({ inputs, id }) => ({
    location: text(inputs.location, "eastus"),
    name: nameIn(id),
    provisioningState: "Succeeded",
    type: "Microsoft.Storage/storageAccounts",
  }),
};

const fileShare: ResourceKind = {
  name: "shareName",
  replacedBy: ["accountName", "enabledProtocols", "resourceGroupName", "shareName"],
  id: ({ inputs, config }) => {
    const account = `Microsoft.Storage/storageAccounts/${text(inputs.accountName)}`;
    return `${groupOf(inputs, config)}/providers/${account}/fileServices/default/shares/${text(inputs.shareName)}`;
  },
  outputs: ({ id }) => ({ name: nameIn(id), type: "Microsoft.Storage/storageAccounts/fileServices/shares" }),
};

const featureRegistration: ResourceKind = {
  name: "featureName",
  replacedBy: ["featureName", "providerNamespace"],
  id: ({ inputs, config }) => {
    const feature = `${text(inputs.providerNamespace)}/subscriptionFeatureRegistrations/${text(inputs.featureName)}`;
    return `${subscriptionOf(config)}/providers/Microsoft.Features/featureProviders/${feature}`;
  },
  outputs: ({ inputs, id }) => ({
    name: nameIn(id),
    properties: { ...(inputs.properties as Obj | undefined), state: "Registered" },
    type: "Microsoft.Features/featureProviders/subscriptionFeatureRegistrations",
  }),
};

const resourceGroup: ResourceKind = {
  name: "resourceGroupName",
  replacedBy: ["location", "resourceGroupName"],
  id: ({ inputs, config }) => groupOf(inputs, config),
  outputs: ({ inputs, id }) => ({
    location: text(inputs.location, "eastus"),
    name: nameIn(id),
    type: "Microsoft.Resources/resourceGroups",
  }),
};

const blobContainer: ResourceKind = {
  name: "containerName",
  replacedBy: ["accountName", "containerName", "resourceGroupName"],
  id: ({ inputs, config }) => {
    const account = `Microsoft.Storage/storageAccounts/${text(inputs.accountName)}`;
    const path = `${account}/blobServices/default/containers/${text(inputs.containerName)}`;
    return `${groupOf(inputs, config)}/providers/${path}`;
  },
  outputs: ({ id }) => ({ name: nameIn(id), type: "Microsoft.Storage/storageAccounts/blobServices/containers" }),
};

const managedCluster: ResourceKind = {
  name: "resourceName",
  replacedBy: ["dnsPrefix", "location", "resourceGroupName", "resourceName"],
  id: ({ inputs, config }) =>
    `${groupOf(inputs, config)}/providers/Microsoft.ContainerService/managedClusters/${text(inputs.resourceName)}`,
  outputs: ({ inputs, id }) => ({
    location: text(inputs.location, "eastus"),
    name: nameIn(id),
    provisioningState: "Succeeded",
    type: "Microsoft.ContainerService/ManagedClusters",
  }),
};

const virtualNetwork: ResourceKind = {
  name: "virtualNetworkName",
  replacedBy: ["location", "resourceGroupName", "virtualNetworkName"],
  id: ({ inputs, config }) =>
    `${groupOf(inputs, config)}/providers/Microsoft.Network/virtualNetworks/${text(inputs.virtualNetworkName)}`,
  outputs: ({ inputs, id }) => ({ location: text(inputs.location, "eastus"), name: nameIn(id) }),
};

const subnet: ResourceKind = {
  name: "subnetName",
  replacedBy: ["resourceGroupName", "subnetName", "virtualNetworkName"],
  id: ({ inputs, config }) => {
    const network = `Microsoft.Network/virtualNetworks/${text(inputs.virtualNetworkName)}`;
    return `${groupOf(inputs, config)}/providers/${network}/subnets/${text(inputs.subnetName)}`;
  },
  outputs: ({ id }) => ({ name: nameIn(id), provisioningState: "Succeeded" }),
};

const userAssignedIdentity: ResourceKind = {
  name: "resourceName",
  replacedBy: ["location", "resourceGroupName", "resourceName"],
  id: ({ inputs, config }) => {
    const path = `Microsoft.ManagedIdentity/userAssignedIdentities/${text(inputs.resourceName)}`;
    return `${groupOf(inputs, config)}/providers/${path}`;
  },
  outputs: ({ inputs, id }) => ({
    location: text(inputs.location, "eastus"),
    name: nameIn(id),
    principalId: "00000000-0000-0000-0000-000000000001",
    type: "Microsoft.ManagedIdentity/userAssignedIdentities",
  }),
};

const roleAssignment: ResourceKind = {
  name: "roleAssignmentName",
  replacedBy: ["principalId", "roleAssignmentName", "roleDefinitionId", "scope"],
  id: ({ inputs }) =>
    `${text(inputs.scope)}/providers/Microsoft.Authorization/roleAssignments/${text(inputs.roleAssignmentName)}`,
  outputs: ({ id }) => ({ name: nameIn(id), type: "Microsoft.Authorization/roleAssignments" }),
};

const getManagedCluster: CloudFunction = (args, config) => {
  const name = text(args.resourceName);
  const id = `${groupOf(args, config)}/providers/Microsoft.ContainerService/managedClusters/${name}`;
  if (name.startsWith("missing"))
    throw new Error(
      `Status=404 Code="ResourceNotFound" Message="The Resource 'Microsoft.ContainerService/managedClusters/${name}' ` +
        `under resource group '${text(args.resourceGroupName)}' was not found."`,
    );
  return {
    id,
    name,
    currentKubernetesVersion: "1.34.0",
    kubernetesVersion: "1.34",
    location: "eastus",
    maxAgentPools: 100,
    nodeResourceGroup: `MC_${text(args.resourceGroupName)}_${name}_eastus`,
    powerState: { code: "Running" },
    provisioningState: "Succeeded",
    type: "Microsoft.ContainerService/ManagedClusters",
  };
};

/** What replaces what is from the provider's source: the parameters of the path, and `forceNewMap`. */
export const azureNative: Cloud = {
  autoname: { separator: "", digits: 8 },
  resources: {
    "azure-native:authorization:RoleAssignment": roleAssignment,
    "azure-native:compute:ProximityPlacementGroup": proximityPlacementGroup,
    "azure-native:containerservice:AgentPool": agentPool,
    "azure-native:containerservice:ManagedCluster": managedCluster,
    "azure-native:features:SubscriptionFeatureRegistration": featureRegistration,
    "azure-native:managedidentity:UserAssignedIdentity": userAssignedIdentity,
    "azure-native:network:Subnet": subnet,
    "azure-native:network:VirtualNetwork": virtualNetwork,
    "azure-native:resources:ResourceGroup": resourceGroup,
    "azure-native:storage:BlobContainer": blobContainer,
    "azure-native:storage:FileShare": fileShare,
    "azure-native:storage:StorageAccount": storageAccount,
    "azure-native:storagecache:AmlFilesystem": amlFilesystem,
  },
  functions: { "azure-native:containerservice:getManagedCluster": getManagedCluster },
};
