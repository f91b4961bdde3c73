import * as pulumi from "@pulumi/pulumi";
import { MiniClusterTaintEffect } from "../../clouds/nodes/args";
import type { MiniClusterResourcesArgs } from "./container";
import type { MiniClusterPodSecurityContextArgs } from "./security";

/** Effect of a failed container on its pod. */
export const MiniClusterRestartPolicy = {
  /** The container is started again in the same pod. */
  OnFailure: "OnFailure",
  /** The pod has failed, and the Job creates a new pod. Disruptions of a node do not count as failures. */
  Never: "Never",
} as const;
export type MiniClusterRestartPolicy = (typeof MiniClusterRestartPolicy)[keyof typeof MiniClusterRestartPolicy];

/** Name resolution of the pods. */
export const MiniClusterDnsPolicy = {
  /** The DNS of the Kubernetes cluster, which resolves the names of the brokers. */
  ClusterFirst: "ClusterFirst",
  /** Like "ClusterFirst", for pods on the network of the node. */
  ClusterFirstWithHostNet: "ClusterFirstWithHostNet",
  /** The name resolution of the node. */
  Default: "Default",
  /** The DNS configuration of the pod. */
  None: "None",
} as const;
export type MiniClusterDnsPolicy = (typeof MiniClusterDnsPolicy)[keyof typeof MiniClusterDnsPolicy];

/** Comparison of a toleration with a taint. */
export const MiniClusterTolerationOperator = {
  /** Key and value must be equal. */
  Equal: "Equal",
  /** The key must be equal; any value matches. */
  Exists: "Exists",
} as const;
export type MiniClusterTolerationOperator =
  (typeof MiniClusterTolerationOperator)[keyof typeof MiniClusterTolerationOperator];

/** Settings of the pods as a whole. */
export interface MiniClusterPodArgs {
  /** Additional annotations of the pods. Annotations that the component sets are refused. Default: none. */
  annotations?: Record<string, pulumi.Input<string>>;
  /** Additional labels of the pods. Labels that the component or the Job controller sets are refused. Default: none. */
  labels?: Record<string, pulumi.Input<string>>;
  /**
   * Effect of a failed container on its pod: another pod takes its rank ("Never"), or the container restarts in the same pod
   * ("OnFailure"). Only with "Never", a pod that lost its node or was deleted does not count as failed. Default: "Never".
   */
  restartPolicy?: MiniClusterRestartPolicy;
  /** Service account of the pods. Default: the namespace's "default". */
  serviceAccountName?: pulumi.Input<string>;
  /** Mounts the service account's token into the pods. Default: false. */
  automountServiceAccountToken?: boolean;
  /** RuntimeClass of the pods. Default: none, the default runtime of the nodes. */
  runtimeClassName?: pulumi.Input<string>;
  /** Name of the scheduler of the pods. Default: the scheduler of Kubernetes. */
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
  /** Resources of the pod as a whole (pod-level resources, Kubernetes 1.34 or newer). Default: the resources of its containers. */
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

/** Strictness of the rule of one pod per node. */
export const MiniClusterAffinity = {
  /** Two pods never share a node. A pod without a free node stays Pending. */
  Required: "required",
  /** Two pods share a node only if no other node has room. */
  Preferred: "preferred",
  /** The scheduler may place several pods on a node. */
  None: "none",
} as const;
export type MiniClusterAffinity = (typeof MiniClusterAffinity)[keyof typeof MiniClusterAffinity];

/** Connections that the pods of a MiniCluster accept. */
export const MiniClusterNetworkPolicy = {
  /** All connections that the namespace allows: no NetworkPolicy is created. */
  None: "none",
  /** The port of the brokers accepts connections only from the pods of the cluster; all other ports are open. */
  BrokerPort: "brokerPort",
  /** All ports accept connections only from the pods of the cluster. */
  Pods: "pods",
} as const;
export type MiniClusterNetworkPolicy = (typeof MiniClusterNetworkPolicy)[keyof typeof MiniClusterNetworkPolicy];

/** The Service for the host names of the brokers, and their placement on nodes. */
export interface MiniClusterNetworkArgs {
  /**
   * Name of the headless service, part of every broker's host name. A lowercase DNS label that starts with a letter. Default:
   * the name of the cluster, so that a namespace can have several clusters.
   */
  headlessName?: string;
  /** One pod per node: required, preferred or none. Default: "required". */
  affinity?: MiniClusterAffinity;
  /**
   * Connections that the pods accept, as a Kubernetes NetworkPolicy. Requires a network plugin that enforces it. Cannot be set
   * with `bursting`, because it would block the clusters that join. Default: "none".
   */
  policy?: MiniClusterNetworkPolicy;
  /**
   * DNS domain of the Kubernetes cluster, which its administrators chose: `clusterDomain` of the kubelets. Pods find the domain
   * in their own `/etc/resolv.conf`, so the brokers and the agent connect with any value. The outputs contain this domain. A
   * lowercase DNS name. Default: "cluster.local".
   */
  clusterDomain?: string;
}
