import type { types } from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type {
  AutoscalePaceArgs,
  MiniClusterContainerArgs,
  MiniClusterGangArgs,
  MiniClusterPodArgs,
  MiniClusterResourcesArgs,
  MiniClusterTolerationArgs,
} from "../../brokers/args";
import type { NodePoolScheduling } from "../../clouds/nodes/args";

/**
 * The lead broker in a separate Job of one pod. It runs no jobs of Flux (`resource.exclude`), and has the container that runs Flux
 * alone, without the pool, the devices and the local disks of the workers.
 */
export interface MiniClusterLeadArgs {
  /** Resources of its container. Default: requests of 1 CPU and 1Gi of memory. */
  resources?: MiniClusterResourcesArgs;
  /** The node pool of its pod, as the `scheduling` output of a pool. Default: none, any node of the Kubernetes cluster. */
  pool?: pulumi.Input<NodePoolScheduling>;
  /** Labels that its node must have. Default: none. */
  nodeSelector?: Record<string, pulumi.Input<string>>;
  /** Taints that its pod tolerates. Default: none. */
  tolerations?: MiniClusterTolerationArgs[];
  /** Any field of its pod template, as `podTemplate` of the cluster, which it does not have. Default: nothing. */
  podTemplate?: types.input.core.v1.PodTemplateSpecPatch;
  /**
   * Volume with the state of the instance: its queue, with the ids, order and holds of all jobs, and their records. The lead broker
   * continues with it on another node, after a crash, and after its Job was replaced. Jobs that run while the lead broker is lost fail,
   * or are requeued (`requeue`). A container that does not run as root requires an `fsGroup` in `podTemplate`. Not with `archive`.
   * Default: none, and the queue is lost with the pod.
   */
  storage?: MiniClusterLeadStorageArgs;
}

/** Volume with the state of the instance: a claim of this cluster with `size`, or an existing one with `claimName`. */
export interface MiniClusterLeadStorageArgs {
  /**
   * Size of a PersistentVolumeClaim with the name `<name>-state`, as a Kubernetes quantity such as "10Gi". One node mounts it
   * (ReadWriteOnce). It stays when the cluster is destroyed, and a later cluster of the same name continues with it; `kubectl delete`
   * removes it. Default: none, an existing claim.
   */
  size?: pulumi.Input<string>;
  /** Storage class of that claim. Default: the default class of the Kubernetes cluster. */
  storageClassName?: pulumi.Input<string>;
  /** Name of an existing PersistentVolumeClaim in the namespace. Default: none, a claim of this cluster. */
  claimName?: pulumi.Input<string>;
}

/**
 * A group of workers: an Indexed Job of followers with the name `<name>-<group>`, whose hosts are `<name>-<group>-0` and so on. What a
 * group does not set, it has from the cluster.
 */
export interface MiniClusterGroupArgs {
  /** Pods to run. Between 0, with which the Job is suspended, and `maxSize`; changed in place, highest ranks leaving first. Default: 1. */
  size?: number;
  /**
   * Hosts of the group in the Flux instance, and so its largest `size` that can be reached in place. A change replaces the Jobs of the
   * lead broker and of every group. From 1 to 100000. Default: `size`, or `autoscale.max`.
   */
  maxSize?: number;
  /** Size that follows the queue of the group, in place of `size`. Default: none. */
  autoscale?: MiniClusterGroupAutoscaleArgs;
  /**
   * Further Flux properties of its hosts, by which jobs require or avoid them (`--requires`). The name of the group is always
   * one; with `pool`, so are its name, architecture, GPU model and fabric. Default: none.
   */
  properties?: string[];
  /**
   * Cores of each host as Flux counts them, 1 or more. Flux drains hosts with fewer, and leaves further ones unused. Default: those
   * of `pool`, or, with a warning, as many as the lead broker's host has.
   */
  cores?: number;
  /** GPUs of each host, from 0 on. Only beside `cores` or `pool`. Default: those of `pool`, or none beside `cores`. */
  gpus?: number;
  /** The node pool of its pods. Default: `pool` of the cluster. */
  pool?: pulumi.Input<NodePoolScheduling>;
  /** Containers of its pods, 1 or more. Default: `containers` of the cluster. */
  containers?: MiniClusterContainerArgs[];
  /** Settings of its pods as a whole. Default: `pod` of the cluster. */
  pod?: MiniClusterPodArgs;
  /** Any field of its pod template. Default: `podTemplate` of the cluster. */
  podTemplate?: types.input.core.v1.PodTemplateSpecPatch;
  /** Placement of its pods all together or not at all. Default: `gang` of the cluster. */
  gang?: MiniClusterGangArgs;
  /** Seconds that a terminating pod gives the jobs on its rank to end. Default: `drainTimeoutSeconds` of the cluster. */
  drainTimeoutSeconds?: number;
  /** Refuses voluntary evictions of its pods. Default: `disruptionBudget` of the cluster, or true with `pool`. */
  disruptionBudget?: boolean;
  /** Pulls its images to every node of its pool before its Job starts. Default: `prepull` of the cluster. */
  prepull?: boolean;
}

/** Size of a group that follows its queue. All times are in seconds. */
export interface MiniClusterGroupAutoscaleArgs extends AutoscalePaceArgs {
  /** Smallest size. From 0, with which the group at rest has no pod, to `max`. Default: 0. */
  min?: number;
  /** Largest size. From 1 to `maxSize`, of which it is the default. */
  max: number;
}
