import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArch } from "../minicluster/args";

/** Limits of a pool that an autoscaler sizes by need. */
export interface NodePoolAutoscaleArgs {
  /** Least nodes, from 0 to `max`. Default: 0. */
  min?: number;
  /** Most nodes, from 1 to 100000. */
  max: number;
}

/** Sizes of the MiniCluster or BurstCluster that a pool is for: one pair of numbers for both. */
export interface NodePoolPairArgs {
  /** Pods that the cluster runs, and so the nodes that the pool starts with. Between 0 and `maxSize`. Default: 1. */
  size?: number;
  /** Largest size of the cluster, and so of the pool. From 1 to 100000. Default: `size`. */
  maxSize?: number;
}

/** What one machine of a type has that the tables of this package do not know. */
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

/** Who makes an accelerator, and so the resource name under which Kubernetes counts it. */
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
  /** Who makes them. */
  kind: NodePoolAcceleratorKind;
  /** What people call them, such as "H100". */
  model: string;
  /** How many one machine has, 1 or more. */
  count: number;
}

/** A DaemonSet by which Kubernetes gets to know the devices of a pool's nodes. */
export interface NodePoolDevicePluginArgs {
  /** Runs nothing: the cluster has this plugin already, or the devices are given in another way. Default: false. */
  skip?: boolean;
  /** Image of the plugin, best with a digest. Default: the pinned version that the documents name. */
  image?: pulumi.Input<string>;
}

/** What the nodes of a pool have together, as far as the pool may grow. */
export interface NodePoolCapacity {
  /** Nodes: all of a pool of fixed size, the most of one that is scaled by need. */
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
