import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArch } from "../minicluster/args";

/** Limits of a pool that is autoscaled. */
export interface NodePoolAutoscaleArgs {
  /** Minimum of nodes, from 0 to `max`. Default: 0. */
  min?: number;
  /** Maximum of nodes, from 1 to 100000. */
  max: number;
}

/** Sizes of the MiniCluster or BurstCluster that a pool is for: the same numbers as there. */
export interface NodePoolPairArgs {
  /** Pods that the cluster runs, and so the nodes that the pool starts with. Between 0 and `maxSize`. Default: 1. */
  size?: number;
  /** Largest size of the cluster, and so of the pool. From 1 to 100000. Default: `size`. */
  maxSize?: number;
}

/** A machine type that the tables of this package do not have. */
export interface NodePoolHardwareArgs {
  /** Processor architecture. */
  arch: MiniClusterArch;
  /** Virtual CPUs as the machine comes, 1 or more. */
  vcpus: number;
  /** Virtual CPUs that share a core, 1 or 2. */
  threadsPerCore: number;
  /** Memory in MiB. */
  memoryMib: number;
  /** Accelerators. Default: none. */
  accelerator?: NodePoolAcceleratorArgs;
}

/** Vendor of an accelerator, which decides on its resource name in Kubernetes. */
export const NodePoolAcceleratorKind = {
  /** NVIDIA: `nvidia.com/gpu`. */
  Nvidia: "nvidia",
  /** AMD: `amd.com/gpu`. */
  Amd: "amd",
  /** AWS Trainium and Inferentia: `aws.amazon.com/neuron`. */
  Neuron: "neuron",
} as const;
export type NodePoolAcceleratorKind = (typeof NodePoolAcceleratorKind)[keyof typeof NodePoolAcceleratorKind];

/** The accelerators of one machine. */
export interface NodePoolAcceleratorArgs {
  /** Vendor of the accelerators. */
  kind: NodePoolAcceleratorKind;
  /** Common name of the model, such as "H100". */
  model: string;
  /** Accelerators of one machine, 1 or more. */
  count: number;
}

/** A device plugin: a DaemonSet that makes the devices of a pool's nodes known to Kubernetes. */
export interface NodePoolDevicePluginArgs {
  /** Does not run the plugin: the cluster has it already, or makes the devices known in another way. Default: false. */
  skip?: boolean;
  /** Image of the plugin, best with a digest. Default: the pinned version that the documents name. */
  image?: pulumi.Input<string>;
}

/** The way in which pods ask for devices. */
export const NodePoolDevicesBy = {
  /** By a number of them, which a device plugin counts on each node. */
  Plugin: "plugin",
  /** By claims (dynamic resource allocation), which a DRA driver serves: Kubernetes 1.34 or later. */
  Claim: "claim",
} as const;
export type NodePoolDevicesBy = (typeof NodePoolDevicesBy)[keyof typeof NodePoolDevicesBy];

/** Capacity of the nodes of a pool together, at its maximum. */
export interface NodePoolCapacity {
  /** Nodes: all of a pool of fixed size, the maximum of one that is autoscaled. */
  nodes: number;
  /** Virtual CPUs of these nodes. */
  vcpus: number;
  /** Cores of these nodes. */
  cores: number;
  /** Accelerators of these nodes. */
  gpus: number;
  /** Interfaces of the fast network of these nodes. */
  fabricInterfaces: number;
}
