import * as pulumi from "@pulumi/pulumi";

/** Version of Kubernetes' API of gangs (`scheduling.k8s.io`), off by default in each server. */
export const MiniClusterGangVersion = {
  /** Kubernetes 1.37, with the gate GenericWorkload and this version of the API. The cluster is resized in place. */
  V1beta1: "v1beta1",
  /**
   * Kubernetes 1.36, with the gates GenericWorkload and GangScheduling and this version of the API. The API server refuses another
   * number of pods of a gang, so that each resize replaces the Job: `resize` must be "manifest".
   */
  V1alpha2: "v1alpha2",
} as const;
export type MiniClusterGangVersion = (typeof MiniClusterGangVersion)[keyof typeof MiniClusterGangVersion];

/** Placement of a MiniCluster's pods on their nodes all together, by a scheduler or by a queue. */
export interface MiniClusterGangArgs {
  /**
   * A scheduler that places the pods as one group, such as "fluence" or "volcano". It needs the settings that its
   * documents name, such as labels in `pod.labels`. Not together with `queueName` or `pod.schedulerName`. Default:
   * Kubernetes' own, or that of `pod.schedulerName`.
   */
  schedulerName?: pulumi.Input<string>;
  /**
   * A local queue of Kueue, set as the Job's label `kueue.x-k8s.io/queue-name`: at most 63 characters of a DNS subdomain.
   * Kueue holds the Job back until its quota has room for every pod, so `suspend` belongs to Kueue, and is refused. Another
   * queue replaces the Job. Default: none.
   */
  queueName?: pulumi.Input<string>;
  /**
   * Resizes in the queue while the cluster runs, by Kueue's annotation `kueue.x-k8s.io/elastic-job` (on by default since Kueue
   * 0.18): new pods start when the quota has room for them, the others stay. Without it Kueue stops every pod for a resize
   * and admits the Job again. A change replaces the Job. Requires `queueName`; not true with `topology`. Default: true with
   * `queueName`.
   */
  elastic?: boolean;
  /**
   * Part of the network in which Kueue places the pods, where the flavors of the queue have a Topology. Kueue counts what
   * the pods request, and does not take `network.affinity` into account: unless a pod requests most of a node, as with `pool`, Kueue
   * may give one node to several pods, which "required" keeps apart for good. Requires `queueName` and `elastic: false`.
   * Default: none, any node of the quota.
   */
  topology?: MiniClusterTopologyArgs;
  /**
   * A gang of Kubernetes itself: its own scheduler places none of the pods before `minCount` of them have room at once. Not
   * together with `queueName` or another scheduler, and not for a `BurstCluster`, whose brokers join one by one. Refused where the
   * API server has no such kind. Default: none.
   */
  native?: MiniClusterNativeGangArgs;
}

/** Gang of Kubernetes itself: a PodGroup, and the pods as its members (`spec.schedulingGroup`). */
export interface MiniClusterNativeGangArgs {
  /**
   * Pods that are placed all together or not at all; each further pod comes by itself. From 1 to `size`, or to `autoscale.min`.
   * Changed in place with "v1beta1"; with "v1alpha2" a change replaces the Job. Default: `minSize`, or else `size`, so that a
   * growth is all or nothing as well; `autoscale.min` with `autoscale`.
   */
  minCount?: number;
  /** Version of the API, as the server has it. Default: "v1beta1". */
  version?: MiniClusterGangVersion;
}

/** Request of topology-aware scheduling by Kueue, set as an annotation of the pods. Exactly one of the properties. */
export interface MiniClusterTopologyArgs {
  /**
   * Label of nodes, such as "cloud.google.com/gce-topology-block": all pods run on nodes with one value of it, or none does.
   * A level of Kueue's Topology. Default: none.
   */
  required?: pulumi.Input<string>;
  /**
   * Label of nodes: the pods run on nodes with one value of it if there is room, else within the next level of the
   * Topology, and so on. Default: none.
   */
  preferred?: pulumi.Input<string>;
  /**
   * Admission where single nodes have room, wherever they are: nothing is admitted that fragmentation would keep from
   * running. Default: false.
   */
  unconstrained?: boolean;
}
