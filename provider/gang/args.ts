import * as pulumi from "@pulumi/pulumi";

/** Version of the gang scheduling API of Kubernetes (`scheduling.k8s.io`), which is disabled by default. */
export const MiniClusterGangVersion = {
  /** Kubernetes 1.37, with the gate GenericWorkload and this version of the API. The cluster is resized in place. */
  V1beta1: "v1beta1",
  /**
   * Kubernetes 1.36, with the gates GenericWorkload and GangScheduling and this version of the API. The API server rejects a
   * change of the number of pods of a gang, so each resize replaces the Job: `resize` must be "manifest".
   */
  V1alpha2: "v1alpha2",
} as const;
export type MiniClusterGangVersion = (typeof MiniClusterGangVersion)[keyof typeof MiniClusterGangVersion];

/** Gang scheduling of the pods of a MiniCluster, by a scheduler or by a queue of Kueue. */
export interface MiniClusterGangArgs {
  /**
   * A scheduler with gang scheduling, such as "fluence" or "volcano". It needs the settings of its documentation, such as labels
   * in `pod.labels`. Cannot be set with `queueName` or `pod.schedulerName`. Default: the scheduler of Kubernetes, or
   * `pod.schedulerName`.
   */
  schedulerName?: pulumi.Input<string>;
  /**
   * A local queue of Kueue, set as the Job's label `kueue.x-k8s.io/queue-name`: at most 63 characters of a DNS subdomain. Kueue
   * suspends the Job until its quota has room for all pods, so `suspend` is refused. A change replaces the Job. Default: none.
   */
  queueName?: pulumi.Input<string>;
  /**
   * Resizes in the queue of Kueue while the cluster runs, by Kueue's annotation `kueue.x-k8s.io/elastic-job` (enabled by default
   * since Kueue 0.18): new pods start when the quota has room for them, and the other pods keep running. With false, Kueue stops
   * all pods for a resize and admits the Job again. A change replaces the Job. Requires `queueName`; must be false with
   * `topology`. Default: true with `queueName`.
   */
  elastic?: boolean;
  /**
   * Part of the network in which Kueue places the pods. The flavors of the queue of Kueue need a Topology. Kueue counts the
   * requests of the pods and ignores `network.affinity`. Unless a pod requests most of a node, as with `pool`, Kueue may assign
   * several pods to one node, and with the affinity "required" they stay Pending. Requires `queueName` and `elastic: false`.
   * Default: none; any node of the quota.
   */
  topology?: MiniClusterTopologyArgs;
  /**
   * Gang scheduling of Kubernetes: the default scheduler schedules no pod before `minCount` pods fit together. Cannot be set with
   * `queueName` or another scheduler, nor on a `BurstCluster`, whose brokers join separately. Refused if the API server does not
   * have this kind. Default: none.
   */
  native?: MiniClusterNativeGangArgs;
}

/** Gang scheduling of Kubernetes: a PodGroup, and the pods as its members (`spec.schedulingGroup`). */
export interface MiniClusterNativeGangArgs {
  /**
   * Number of pods that are scheduled together or not at all; additional pods are scheduled separately. From 1 to `size`, or to
   * `autoscale.min`. Changed in place with "v1beta1"; a change with "v1alpha2" replaces the Job. Default: `minSize`, or `size`,
   * with which the pods of a larger size are also scheduled together; `autoscale.min` with `autoscale`.
   */
  minCount?: number;
  /** Version of the API that the server has. Default: "v1beta1". */
  version?: MiniClusterGangVersion;
}

/** Request of topology-aware scheduling by Kueue, set as an annotation of the pods. Exactly one property is required. */
export interface MiniClusterTopologyArgs {
  /**
   * Label of nodes, such as "cloud.google.com/gce-topology-block": all pods run on nodes with the same value of this label, or
   * no pod runs. It is a level of Kueue's Topology. Refused if it is a network label of a cloud that the nodes of `pool` do not have
   * (`topologyLevels` of its scheduling). Default: none.
   */
  required?: pulumi.Input<string>;
  /**
   * Label of nodes: the pods run on nodes with the same value of this label if there is room, otherwise within the next level
   * of the Topology, and so on. Refused like `required`. Default: none.
   */
  preferred?: pulumi.Input<string>;
  /**
   * Admission if individual nodes have room, anywhere in the network. A Job is not admitted if fragmentation would prevent its
   * pods from running. Default: false.
   */
  unconstrained?: boolean;
}

/** Argument of pods that are scheduled together. */
export interface GangArgs {
  /** Scheduling of all pods together or not at all (gang scheduling). Default: each pod is scheduled separately. */
  gang?: MiniClusterGangArgs;
}
