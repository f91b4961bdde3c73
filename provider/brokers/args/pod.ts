import * as pulumi from "@pulumi/pulumi";
import { MiniClusterTaintEffect } from "../../clouds/nodes/args";
import type { MiniClusterResourcesArgs } from "./container";
import type { MiniClusterPodSecurityContextArgs } from "./security";

/** Effect of a failed container on its pod. */
export const MiniClusterRestartPolicy = {
  /** The container is started again in the same pod. */
  OnFailure: "OnFailure",
  /** The pod has failed, and the Job makes a new one. Disruptions of a node are then not counted as failures. */
  Never: "Never",
} as const;
export type MiniClusterRestartPolicy = (typeof MiniClusterRestartPolicy)[keyof typeof MiniClusterRestartPolicy];

/** Name resolution of the pods. */
export const MiniClusterDnsPolicy = {
  /** By the cluster's DNS, which resolves the brokers' names. */
  ClusterFirst: "ClusterFirst",
  /** The same, for pods on the node's own network. */
  ClusterFirstWithHostNet: "ClusterFirstWithHostNet",
  /** By the node's own name resolution. */
  Default: "Default",
  /** By what the pod's own DNS configuration says. */
  None: "None",
} as const;
export type MiniClusterDnsPolicy = (typeof MiniClusterDnsPolicy)[keyof typeof MiniClusterDnsPolicy];

/** Comparison of a toleration with a taint. */
export const MiniClusterTolerationOperator = {
  /** Key and value are the same. */
  Equal: "Equal",
  /** The key is the same, with any value. */
  Exists: "Exists",
} as const;
export type MiniClusterTolerationOperator =
  (typeof MiniClusterTolerationOperator)[keyof typeof MiniClusterTolerationOperator];

/** Settings of the pods as a whole. */
export interface MiniClusterPodArgs {
  /** Annotations of the pods. Those of the component are refused. Default: none. */
  annotations?: Record<string, pulumi.Input<string>>;
  /**
   * Labels of the pods, beside those that the component and the Job controller set themselves, which are refused.
   * Default: none.
   */
  labels?: Record<string, pulumi.Input<string>>;
  /**
   * Effect of a failed container on its pod: another pod takes its rank ("Never"), or the container starts again in the
   * same pod ("OnFailure"). Only with "Never" a pod that lost its node or was deleted does not count as failed. Default:
   * "Never".
   */
  restartPolicy?: MiniClusterRestartPolicy;
  /** Service account of the pods. Default: the namespace's "default". */
  serviceAccountName?: pulumi.Input<string>;
  /** Mounts the service account's token into the pods. Default: false. */
  automountServiceAccountToken?: boolean;
  /** RuntimeClass of the pods. Default: the cluster's. */
  runtimeClassName?: pulumi.Input<string>;
  /** Name of the scheduler that places the pods. Default: Kubernetes' own. */
  schedulerName?: pulumi.Input<string>;
  /** Labels that a node must have. Default: none. */
  nodeSelector?: Record<string, pulumi.Input<string>>;
  /** Labels that a node must have, each with one of the given values, 1 or more. Default: none. */
  nodeAffinity?: Record<string, string[]>;
  /** Taints that the pods tolerate. Default: none, or the ARM taint with `flux.arch`. */
  tolerations?: MiniClusterTolerationArgs[];
  /** Name resolution of the pods. Default: "ClusterFirst". */
  dnsPolicy?: MiniClusterDnsPolicy;
  /** Shares the node's inter-process communication. Default: false. */
  hostIPC?: boolean;
  /** Shares the node's process ids. Default: false. */
  hostPID?: boolean;
  /** Resources of the pod as a whole (pod-level resources, Kubernetes 1.34 or newer). Default: those of its containers. */
  resources?: MiniClusterResourcesArgs;
  /** Security context of the pods. Default: the RuntimeDefault seccomp profile. */
  securityContext?: MiniClusterPodSecurityContextArgs;
}

/** A taint that the pods tolerate. */
export interface MiniClusterTolerationArgs {
  /** Key of the taint. Default: every key, with operator "Exists". */
  key?: pulumi.Input<string>;
  /** Comparison of key and value. Default: "Equal". */
  operator?: MiniClusterTolerationOperator;
  /** Value of the taint. Only with operator "Equal". Default: "". */
  value?: pulumi.Input<string>;
  /** Effect of the taint. Default: every effect. */
  effect?: MiniClusterTaintEffect;
}

/** Strictness with which the pods of a MiniCluster keep to one pod per node. */
export const MiniClusterAffinity = {
  /** Two pods never share a node; a pod without a free node stays Pending. */
  Required: "required",
  /** Two pods share a node only where no other node has room. */
  Preferred: "preferred",
  /** The scheduler places the pods as it likes. */
  None: "none",
} as const;
export type MiniClusterAffinity = (typeof MiniClusterAffinity)[keyof typeof MiniClusterAffinity];

/** Connections that the pods of a MiniCluster accept. */
export const MiniClusterNetworkPolicy = {
  /** All that the namespace lets through: no NetworkPolicy is made. */
  None: "none",
  /** The brokers' port takes connections from the cluster's own pods alone; every other port is open. */
  BrokerPort: "brokerPort",
  /** Every port takes connections from the cluster's own pods alone. */
  Pods: "pods",
} as const;
export type MiniClusterNetworkPolicy = (typeof MiniClusterNetworkPolicy)[keyof typeof MiniClusterNetworkPolicy];

/** The service that gives the brokers their names, and their placement on nodes. */
export interface MiniClusterNetworkArgs {
  /**
   * Name of the headless service, part of every broker's host name. A lowercase DNS label that starts with a letter.
   * Default: the cluster's name, so that several clusters can live in one namespace.
   */
  headlessName?: string;
  /** One pod per node: required, preferred or none. Default: "required". */
  affinity?: MiniClusterAffinity;
  /**
   * Connections that the pods accept, as a Kubernetes NetworkPolicy. Needs a network that enforces it. Not on a cluster
   * that others join by `bursting` or `flux.bursting`, for it would shut them out. Default: "none".
   */
  policy?: MiniClusterNetworkPolicy;
}
