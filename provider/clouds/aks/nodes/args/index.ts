import * as pulumi from "@pulumi/pulumi";
import type { AksCluster } from "../../../kubernetes/args";
import type {
  NodePoolDeviceAlignment,
  NodePoolDevicePluginArgs,
  NodePoolDevicesBy,
  NodePoolHardwareArgs,
  NodePoolListPriceArgs,
  NodePoolLocalDisks,
  NodePoolTaint,
  MiniClusterArch,
} from "../../../nodes/args";

import type {
  AksNodePoolCapacityType,
  AksNodePoolDiskType,
  AksNodePoolFabric,
  AksNodePoolGpuDriver,
  AksNodePoolGpuPartition,
  AksNodePoolOsSku,
  AksNodePoolPlacement,
  AksNodePoolTopologyManagerPolicy,
} from "./choices";

export * from "./choices";

/**
 * An agent pool of Azure Kubernetes Service for HPC, with the resources that its machines and their network need. Its mode is
 * always "User".
 */
export interface AksNodePoolArgs {
  /**
   * Name of the agent pool, which is also a label of its nodes and a property of its hosts in Flux. From 1 to 12 lowercase
   * letters and digits, starting with a letter. Default: the Pulumi resource name, which must then be valid.
   */
  name?: string;
  /** Resource group of the AKS cluster, and of the created proximity placement group. */
  resourceGroupName?: pulumi.Input<string>;
  /**
   * Name of the AKS cluster, which must exist and have its system pool. A program in TypeScript can set `cluster` to its resource instead;
   * in other languages, the option `providers` has the Kubernetes provider of an AKS cluster that the program creates.
   */
  clusterName?: pulumi.Input<string>;
  /**
   * The AKS cluster, if the program creates it: a `ManagedCluster` of `@pulumi/azure-native/containerservice`. It replaces
   * `resourceGroupName` and `clusterName`, and `kubernetesProvider(cluster)` is the Kubernetes provider unless the options have another
   * one. Only in TypeScript. Default: none.
   */
  cluster?: AksCluster;
  /**
   * Size of the virtual machines, such as "Standard_HB120rs_v3", in upper or lower case. The size determines the threads of a
   * core, which is one for HPC sizes; Azure has no setting for it.
   */
  machineType: string;
  /**
   * Description of a VM size that this package does not list, such as
   * `await lookupAksMachine(machineType, { location })`; refused for other sizes. Default: the data of the package; in
   * languages other than TypeScript, the data of Azure in `location` or in the region of the AKS cluster.
   */
  hardware?: AksNodePoolHardwareArgs;
  /** Processor architecture, which must match the VM size. Default: the architecture of the VM size. */
  arch?: MiniClusterArch;
  /**
   * Number of nodes, from 0 to 1000: without `maxSize` always, with `maxSize` at the creation of the pool, at least `minSize`.
   * `size` and `maxSize` of the MiniCluster on the pool are suitable values. Default: `minSize`; required without `maxSize`.
   */
  size?: number;
  /**
   * Minimum number of nodes of an autoscaled pool, from 0 to `maxSize`. The autoscaler cannot detect InfiniBand and AMD
   * accelerators in an empty pool: 1 or more for these. Requires `maxSize`. Default: 0.
   */
  minSize?: number;
  /**
   * Maximum number of nodes, from 1 to 1000, up to which the autoscaler of AKS grows the pool. Default: none; `size` is a fixed
   * number.
   */
  maxSize?: number;
  /**
   * The network between the nodes. InfiniBand connects the nodes of this pool, and has two prerequisites. The first is the
   * feature flag of the subscription, which places all nodes on one InfiniBand network:
   * `az feature register --namespace Microsoft.ContainerService --name AKSInfinibandSupport` and, when `az feature show`
   * reports it as registered, `az provider register --namespace Microsoft.ContainerService`. The second is the InfiniBand
   * driver on the nodes. The kernel of Ubuntu 24.04, the Ubuntu of AKS from Kubernetes 1.35, has one (AKS release notes of
   * 2026-01-04; llm-d issue 2396). On older nodes, the NVIDIA Network Operator installs it (a NicClusterPolicy with
   * `ofedDriver`), in a namespace with the label `pod-security.kubernetes.io/enforce: privileged`
   * (Azure/aks-rdma-infiniband). The image for GB200 and GB300 includes it, with the GPU driver and IMEX (Azure/AgentBaker,
   * `gb-mai-bom.json`). The virtual network must not overlap 172.16.0.0/16. More than 100 nodes need a support request to
   * Azure, which grants at most 300. Default: "none".
   */
  fabric?: AksNodePoolFabric;
  /**
   * The way in which pods request InfiniBand. With "claim", each pod claims all devices of its node from DRANET, the
   * driver `dra.net`, by a DeviceClass of the pool; the AKS cluster needs Kubernetes 1.34 and the driver. Install
   * kubernetes-sigs/dranet with `--move-ib-interfaces=false` (its examples/azure_aks_examples), or turn on the DRANET of
   * AKS for the created pool: `az aks nodepool update --enable-managed-dranet`, a preview with which AKS also manages the
   * InfiniBand driver (AKS, "Configure managed support for DRANET"; Azure/AKS issue 5605). Its property of the agent pool
   * (`networkProfile.dranet.mode`) is in Azure's API since 2026-06-02-preview, which Pulumi's provider 3.28 does not have.
   * No RDMA device plugin runs with "claim". Requires `fabric` "infiniband". Default: "plugin".
   */
  fabricBy?: NodePoolDevicesBy;
  /** Placement of the nodes. InfiniBand does not need a group. Default: "none". */
  placement?: AksNodePoolPlacement;
  /** Id of an existing proximity placement group. Requires `placement` "proximity". Default: a new group. */
  proximityPlacementGroupId?: pulumi.Input<string>;
  /**
   * Azure region of the created proximity placement group, and of the lookup of a size that this package does not list.
   * Default: the region of the resource group for the placement group, and of the AKS cluster for the lookup.
   */
  location?: pulumi.Input<string>;
  /**
   * Availability zones, "1", "2" or "3". At most one with `fabric` "infiniband" and with `placement` "proximity". A zone that is an
   * output is not part of `scheduling`. Default: none; Azure chooses the zone.
   */
  zones?: pulumi.Input<string>[];
  /**
   * Purchase option of the nodes. A reservation of a size with InfiniBand is only available where Azure's list of sizes has the
   * capability `CapacityReservationSupported` (`sku` of `CapacityReservation`, Compute API 2025-04-01); a preview warns. Default:
   * "onDemand".
   */
  capacityType?: AksNodePoolCapacityType;
  /**
   * Id of the capacity reservation group, for which the AKS cluster needs a user-assigned identity. Required with
   * `capacityType` "reservation", and refused otherwise. Default: none.
   */
  capacityReservationGroupId?: pulumi.Input<string>;
  /**
   * Maximum price of a node per hour in US dollars: above 0, with at most 5 decimals, or -1 for the on-demand price. Requires
   * `capacityType` "spot". Default: -1.
   */
  spotMaxPrice?: pulumi.Input<number>;
  /**
   * Installation of the driver of the accelerators. "none" is for the NVIDIA GPU Operator, which also installs its own
   * device plugin. Requires a size with accelerators. Default: "install", or "none" for AMD, whose driver and device
   * plugin only the AMD GPU Operator installs.
   */
  gpuDriver?: AksNodePoolGpuDriver;
  /**
   * The way in which pods request GPUs. "claim" requires Kubernetes 1.34 and NVIDIA's DRA driver (chart dra-driver-nvidia-gpu), which
   * this package does not install; no NVIDIA device plugin runs then. Requires NVIDIA GPUs. Default: "plugin".
   */
  gpuBy?: NodePoolDevicesBy;
  /**
   * Location that each GPU and the InfiniBand devices of its claim share. Without an alignment, a pod that claims a part of the devices of
   * its node can get a GPU and a device of another NUMA node: a half to a seventh of the bandwidth (kubernetes-sigs/dranet,
   * examples/azure_aks_examples). "numaNode" requires drivers that publish `resource.kubernetes.io/numaNode`, or pods stay Pending:
   * NVIDIA's DRA driver 0.5.0 (dra-driver-nvidia-gpu, pull request 1165) and a DRANET after 1.4.0 (dranet, pull request 283);
   * `kubectl get resourceslices -o yaml` shows the attributes. "pcieRoot" is refused: each device of an Azure machine is in a separate PCI
   * domain. Requires `gpuBy` "claim" and `fabricBy` "claim". Default: "none".
   */
  deviceAlignment?: NodePoolDeviceAlignment;
  /**
   * Size of the partitions of each GPU (MIG). Kubernetes counts each partition as an `nvidia.com/gpu`: the plugin of this pool
   * and, by default, the GPU operator use this name if all partitions have the same size. Requires A100, H100 or H200. Default:
   * whole GPUs.
   */
  gpuPartition?: AksNodePoolGpuPartition;
  /**
   * Operating system. InfiniBand and AMD accelerators need "ubuntu": Ubuntu 24.04 from Kubernetes 1.35 on, and Ubuntu 22.04 before (AKS,
   * "Upgrade operating system versions"). Default: "ubuntu".
   */
  osSku?: AksNodePoolOsSku;
  /**
   * Kubernetes version of the nodes, such as "1.34", which is the least version for `fabricBy` and `gpuBy` "claim". Default: the version of
   * the AKS cluster.
   */
  version?: pulumi.Input<string>;
  /** Size of the disk in GiB, from 30 to 2048. Default: the default of AKS for the VM size. */
  diskGib?: pulumi.Input<number>;
  /** Type of the OS disk. Default: "ephemeral" if the machine has room for it, as AKS decides. */
  diskType?: pulumi.Input<AksNodePoolDiskType>;
  /** Id of the subnet of the nodes. Default: the subnet that AKS creates. */
  vnetSubnetId?: pulumi.Input<string>;
  /** Ids of the application security groups of the nodes, for rules of a network security group. Default: none. */
  applicationSecurityGroupIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Price of a node, with which previews show the price of the pool. In TypeScript, `await lookupAksPrice(machineType, { location })` is the
   * list price. Default: none.
   */
  price?: NodePoolListPriceArgs;
  /**
   * Additional labels of the nodes. Labels of the domains kubernetes.azure.com and kubernetes.io are refused. Default: none.
   */
  labels?: Record<string, pulumi.Input<string>>;
  /**
   * Taints of the nodes, in addition to the taint of spot nodes. Taints of the domains kubernetes.azure.com and
   * kubernetes.io are refused. The pods of a MiniCluster on this pool tolerate them. Default: none.
   */
  taints?: NodePoolTaint[];
  /** Tags of all created Azure resources. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
  /** True if the kubelet assigns exclusive cores to pods that request whole CPUs (static CPU policy). Default: false. */
  staticCpu?: boolean;
  /**
   * Policy of the Topology Manager of the kubelet (Kubernetes, "Control Topology Management Policies on a node"). It aligns exclusive
   * cores (`staticCpu`) and the GPUs of NVIDIA's device plugin, but not InfiniBand, which pods share, and no claimed devices. "restricted"
   * and "single-numa-node" suit pods that need a part of a node: "single-numa-node" rejects a pod that fills a machine with several NUMA
   * nodes (TopologyAffinityError). A change replaces the pool. Default: "best-effort" with `staticCpu`, otherwise "none".
   */
  topologyManagerPolicy?: AksNodePoolTopologyManagerPolicy;
  /**
   * Use of the local disks of the machines. With "raid0" and NVMe disks (HBv3, HBv4, HX, HBv5, ND H100 v5, ND MI300X
   * v5), each pod gets a volume that is striped over all disks, from a StorageClass of the pool and Azure's local CSI
   * driver (chart `local-csi-driver`), which this package does not install. With "raid0" and only a temporary disk,
   * images and the volumes of pods are on this disk (`kubeletDiskType`). On GB200 and GB300, the AKS image stripes the
   * NVMe disks only for the volumes of pods; images are on the OS disk (Azure/AgentBaker, `format-mount-nvme-root.sh`).
   * "raw" provides the disks to a driver that you install. A change of the use of a temporary disk replaces the pool.
   * Default: not used; a preview warns about a terabyte or more.
   */
  localDisks?: NodePoolLocalDisks;
  /**
   * The NVIDIA device plugin. Requires a size with NVIDIA GPUs and `gpuDriver` "install". Default: run if AKS installs the
   * driver, except on GB200 and GB300, whose image runs a plugin itself (Azure/AgentBaker, `install-dependencies.sh`).
   */
  nvidiaPlugin?: NodePoolDevicePluginArgs;
  /**
   * The shared RDMA device plugin, which advertises InfiniBand as `rdma/shared_ib`. With `skip`, another plugin must advertise
   * this name, such as the RDMA plugin of the NVIDIA Network Operator. Requires `fabric` "infiniband". Default: run with
   * InfiniBand.
   */
  rdmaPlugin?: NodePoolDevicePluginArgs;
  /**
   * The DaemonSet that loads the kernel modules of InfiniBand: `ib_umad` and `rdma_ucm`, whose devices the RDMA device plugin
   * requires, and, if AKS installs the driver of NVIDIA GPUs, `nvidia-peermem`. AKS does not load `nvidia-peermem`; without it,
   * or DMA-BUF, GPUs reach InfiniBand through the memory of the host, at 4 instead of 186 GB/s on ND96asr_v4 (Azure/AKS issue
   * 3507, Azure/aks-rdma-infiniband). DMA-BUF requires Ubuntu 24.04 and GPUs newer than V100. Requires `fabric` "infiniband".
   * Default: run with InfiniBand, except on GB200 and GB300, whose image loads the modules.
   */
  moduleLoader?: NodePoolDevicePluginArgs;
}

/** A VM size that this package does not list. */
export interface AksNodePoolHardwareArgs extends NodePoolHardwareArgs {
  /** Number of InfiniBand devices, from 0 to 64; 0 for a size without InfiniBand. Default: 0. */
  infinibandDevices?: number;
  /** Capacity of the NVMe disks in GB, a part of `localDiskGb`; 0 if the local disk is a temporary disk. Default: 0. */
  nvmeGb?: number;
}
