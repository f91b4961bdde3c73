import type { Obj } from "../../rpc/values";
import { type Cloud, type CloudFunction, type ResourceKind, text } from "../cloud";

type Config = Record<string, string>;

const projectOf = (args: Obj, config: Config) => text(args.project, config.project || "test-project");
const zoneOf = (args: Obj, config: Config) => text(args.zone, config.zone || "us-central1-a");
const regionOf = (args: Obj, config: Config) => text(args.region, config.region || "us-central1");
const locationOf = (args: Obj, config: Config) => text(args.location, config.zone || config.region || "us-central1");

const nodeConfigReplacedBy = [
  "advancedMachineFeatures",
  "bootDiskKmsKey",
  "confidentialNodes",
  "enableConfidentialStorage",
  "ephemeralStorageConfig",
  "ephemeralStorageLocalSsdConfig",
  "flexStart",
  "guestAccelerators",
  "hostMaintenancePolicy",
  "localNvmeSsdBlockConfig",
  "localSsdCount",
  "localSsdEncryptionMode",
  "maxRunDuration",
  "metadata",
  "minCpuPlatform",
  "nodeGroup",
  "oauthScopes",
  "preemptible",
  "reservationAffinity",
  "sandboxConfig",
  "secondaryBootDisks",
  "serviceAccount",
  "shieldedInstanceConfig",
  "soleTenantConfig",
  "spot",
].map((name) => `nodeConfig.${name}`);

const networkConfigReplacedBy = [
  "acceleratorNetworkProfile",
  "additionalNodeNetworkConfigs",
  "additionalPodNetworkConfigs",
  "createPodRange",
  "podCidrOverprovisionConfig",
  "podIpv4CidrBlock",
  "podRange",
  "subnetwork",
].map((name) => `networkConfig.${name}`);

const nodePool: ResourceKind = {
  name: "name",
  namePrefix: "namePrefix",
  replacedBy: [
    "cluster",
    "initialNodeCount",
    "location",
    "maxPodsPerNode",
    "name",
    "namePrefix",
    "placementPolicy",
    "project",
    "queuedProvisioning",
    ...nodeConfigReplacedBy,
    ...networkConfigReplacedBy,
  ],
  id: ({ inputs, unique, config }) => {
    const path = `projects/${projectOf(inputs, config)}/locations/${locationOf(inputs, config)}`;
    const name = text(inputs.name, text(inputs.namePrefix) + unique);
    return `${path}/clusters/${text(inputs.cluster)}/nodePools/${name}`;
  },
  outputs: ({ inputs, config }) => ({
    project: projectOf(inputs, config),
    location: locationOf(inputs, config),
    version: "1.34.1-gke.1000000",
  }),
};

const resourcePolicy: ResourceKind = {
  name: "name",
  replacedBy: [
    "description",
    "diskConsistencyGroupPolicy",
    "groupPlacementPolicy",
    "instanceSchedulePolicy",
    "name",
    "project",
    "region",
    "workloadPolicy",
  ],
  id: ({ inputs, config }) =>
    `projects/${projectOf(inputs, config)}/regions/${regionOf(inputs, config)}/resourcePolicies/${text(inputs.name)}`,
  outputs: ({ inputs, id, config }) => ({
    project: projectOf(inputs, config),
    region: regionOf(inputs, config),
    selfLink: `https://www.googleapis.com/compute/v1/${id}`,
  }),
};

const filestore: ResourceKind = {
  name: "name",
  replacedBy: ["kmsKeyName", "location", "name", "networks", "project", "protocol", "tier"],
  completed: ["networks"],
  id: ({ inputs, config }) =>
    `projects/${projectOf(inputs, config)}/locations/${locationOf(inputs, config)}/instances/${text(inputs.name)}`,
  outputs: ({ inputs, config }) => ({
    project: projectOf(inputs, config),
    location: locationOf(inputs, config),
    networks: (inputs.networks as Obj[]).map((network) => ({ ...network, ipAddresses: ["10.0.0.2"] })),
  }),
};

const lustre: ResourceKind = {
  replacedBy: ["filesystem", "instanceId", "kmsKey", "location", "network", "perUnitStorageThroughput", "project"],
  id: ({ inputs, config }) =>
    `projects/${projectOf(inputs, config)}/locations/${text(inputs.location)}/instances/${text(inputs.instanceId)}`,
  outputs: ({ inputs, id, config }) => ({
    project: projectOf(inputs, config),
    name: id,
    mountPoint: `10.0.0.3@tcp:/${text(inputs.filesystem)}`,
    state: "ACTIVE",
  }),
};

/** vCPUs, GB of memory and accelerators of a few machine types. Google does not have the last one. */
const machineTypes: Record<string, { cpus: number; gb: number; accelerator?: [type: string, count: number] }> = {
  "n2-standard-8": { cpus: 8, gb: 32 },
  "c2d-standard-112": { cpus: 112, gb: 448 },
  "c4a-standard-72": { cpus: 72, gb: 288 },
  "h3-standard-88": { cpus: 88, gb: 352 },
  "h4d-highmem-192-lssd": { cpus: 192, gb: 1488 },
  "g2-standard-96": { cpus: 96, gb: 384, accelerator: ["nvidia-l4", 8] },
  "a3-highgpu-8g": { cpus: 208, gb: 1872, accelerator: ["nvidia-h100-80gb", 8] },
  "a3-ultragpu-8g": { cpus: 224, gb: 2952, accelerator: ["nvidia-h200-141gb", 8] },
  "h9z-highmem-384": { cpus: 384, gb: 3072 },
};

const network: ResourceKind = {
  name: "name",
  replacedBy: ["autoCreateSubnetworks", "mtu", "name", "networkProfile", "project"],
  id: ({ inputs, config }) => `projects/${projectOf(inputs, config)}/global/networks/${text(inputs.name)}`,
  outputs: ({ inputs, id, config }) => ({ project: projectOf(inputs, config), selfLink: id }),
};

const subnetwork: ResourceKind = {
  name: "name",
  replacedBy: ["name", "network", "project", "region"],
  id: ({ inputs, config }) =>
    `projects/${projectOf(inputs, config)}/regions/${regionOf(inputs, config)}/subnetworks/${text(inputs.name)}`,
  outputs: ({ inputs, id, config }) => ({ project: projectOf(inputs, config), selfLink: id }),
};

const cluster: ResourceKind = {
  name: "name",
  replacedBy: ["location", "name", "network", "project", "subnetwork"],
  id: ({ inputs, config }) =>
    `projects/${projectOf(inputs, config)}/locations/${locationOf(inputs, config)}/clusters/${text(inputs.name)}`,
  outputs: ({ inputs, config }) => ({ project: projectOf(inputs, config), endpoint: "203.0.113.10" }),
};

const getMachineTypes: CloudFunction = (args, config) => {
  const [project, zone] = [projectOf(args, config), zoneOf(args, config)];
  const path = `projects/${project}/zones/${zone}/machineTypes`;
  const wanted = namesIn(text(args.filter));
  const found = Object.entries(machineTypes).filter(([name]) => wanted?.includes(name) ?? true);
  return {
    ...(args.filter !== undefined && { filter: args.filter }),
    id: path,
    project,
    zone,
    machineTypes: found.map(([name, { cpus, gb, accelerator }]) => ({
      name,
      guestCpus: cpus,
      memoryMb: gb * 1024,
      isSharedCpus: false,
      description: `${cpus} vCPUs ${gb} GB RAM`,
      maximumPersistentDisks: 128,
      maximumPersistentDisksSizeGb: 263168,
      bundledLocalSsds: [],
      deprecateds: [],
      selfLink: `https://www.googleapis.com/compute/v1/${path}/${name}`,
      accelerators: accelerator
        ? [{ guestAcceleratorType: accelerator[0], guestAcceleratorCount: accelerator[1] }]
        : [],
    })),
  };
};

/** The names in `name = "a" OR name = "b"`; undefined without a filter. */
function namesIn(filter: string): string[] | undefined {
  if (filter === "") return undefined;
  return filter.split(/ OR /).map((term) => {
    const [, name] = /^\(?\s*name\s*(?:=|:|eq)\s*"?([a-z0-9-]+)"?\s*\)?$/.exec(term.trim()) ?? [];
    if (name === undefined) throw new Error(`this stand-in cannot filter machine types by ${filter}`);
    return name;
  });
}

const getCluster: CloudFunction = (args, config) => {
  const [project, location, name] = [projectOf(args, config), locationOf(args, config), text(args.name)];
  const id = `projects/${project}/locations/${location}/clusters/${name}`;
  if (name.startsWith("missing")) throw new Error(`${id} not found`);
  return {
    id,
    name,
    project,
    location,
    datapathProvider: "ADVANCED_DATAPATH",
    enableMultiNetworking: true,
    endpoint: "203.0.113.10",
    masterVersion: "1.34.1-gke.1000000",
    minMasterVersion: "1.34.1-gke.1000000",
    network: `projects/${project}/global/networks/default`,
    nodeLocations: [`${location.replace(/-[a-f]$/, "")}-a`],
    nodeVersion: "1.34.1-gke.1000000",
    selfLink: `https://container.googleapis.com/v1/${id}`,
    subnetwork: `projects/${project}/regions/${location.replace(/-[a-f]$/, "")}/subnetworks/default`,
  };
};

/**
 * What replaces what is from the provider's source: `ForceNew` in hashicorp/terraform-provider-google-beta. Machine and
 * disk types, labels, taints, kubelet and Linux settings are updated in place.
 */
export const gcp: Cloud = {
  autoname: { separator: "-", digits: 7 },
  resources: {
    "gcp:compute/network:Network": network,
    "gcp:compute/resourcePolicy:ResourcePolicy": resourcePolicy,
    "gcp:compute/subnetwork:Subnetwork": subnetwork,
    "gcp:container/cluster:Cluster": cluster,
    "gcp:container/nodePool:NodePool": nodePool,
    "gcp:filestore/instance:Instance": filestore,
    "gcp:lustre/instance:Instance": lustre,
  },
  functions: {
    "gcp:compute/getMachineTypes:getMachineTypes": getMachineTypes,
    "gcp:container/getCluster:getCluster": getCluster,
  },
};
