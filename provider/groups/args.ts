import type { types } from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { AutoscalePaceArgs } from "../autoscale/args";
import type {
  MiniClusterContainerArgs,
  MiniClusterPodArgs,
  MiniClusterResourcesArgs,
  MiniClusterTolerationArgs,
} from "../core/args";
import type { NodePoolScheduling } from "../clouds/nodes/args";
import type { MiniClusterGangArgs } from "../gang/args";
import type { MiniClusterLeadStorageArgs } from "../storage/args";

/**
 * The lead broker in a separate Job of one pod. It runs no Flux jobs (`resource.exclude`). Its pod has only the container that
 * runs Flux, without the pool, the devices and the local disks of the workers.
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
  /** Any field of its pod template. `podTemplate` of the cluster is not applied to the lead broker. Default: none. */
  podTemplate?: types.input.core.v1.PodTemplateSpecPatch;
  /**
   * Volume for the state of the instance: its queue, with the ids, order and holds of all jobs, and their records. With it, the
   * lead broker continues on another node, after a crash, and after a replacement of its Job. Jobs that run when the lead
   * broker is lost fail, or are requeued (`requeue`). A container that does not run as root requires an `fsGroup` in
   * `podTemplate`. Cannot be set with `archive`. Default: none; the queue is lost with the pod.
   */
  storage?: MiniClusterLeadStorageArgs;
}

/**
 * A group of workers: an Indexed Job of followers with the name `<name>-<group>`, whose hosts are `<name>-<group>-0`
 * and so on. For arguments that a group does not set, the arguments of the cluster apply.
 */
export interface MiniClusterGroupArgs {
  /**
   * Number of pods, from 0, which suspends the Job, to `maxSize`. It is changed in place; the highest ranks are removed first.
   * Default: 1.
   */
  size?: number;
  /**
   * Number of hosts of the group in the Flux instance: the largest `size` without a replacement. A change replaces the Jobs of
   * the lead broker and of every group. From 1 to 100000. Default: `size`, or `autoscale.max`.
   */
  maxSize?: number;
  /** Automatic size, which the queue of the group determines, instead of `size`. Default: none. */
  autoscale?: MiniClusterGroupAutoscaleArgs;
  /**
   * Additional Flux properties of its hosts, with which jobs require or avoid them (`--requires`). The name of the
   * group is always a property; with `pool`, its name, architecture, GPU model and fabric are properties as well.
   * Default: none.
   */
  properties?: string[];
  /**
   * Number of cores of each host, as Flux counts them, 1 or more. Flux drains hosts with fewer cores and does not use
   * additional cores. Default: the cores of `pool`, or, with a warning, of the lead broker's host.
   */
  cores?: number;
  /**
   * Number of GPUs of each host, 0 or more. Requires `cores` or `pool`. Default: the GPUs of `pool`, or 0 with `cores`.
   */
  gpus?: number;
  /** The node pool of its pods. Default: `pool` of the cluster. */
  pool?: pulumi.Input<NodePoolScheduling>;
  /** The container of its pods. Cannot be set with `containers` of the group. Default: the containers of the cluster. */
  container?: MiniClusterContainerArgs;
  /** Several containers of its pods, instead of `container`. Default: the containers of the cluster. */
  containers?: MiniClusterContainerArgs[];
  /** Settings of its pods as a whole. Default: `pod` of the cluster. */
  pod?: MiniClusterPodArgs;
  /** Any field of its pod template. Default: `podTemplate` of the cluster. */
  podTemplate?: types.input.core.v1.PodTemplateSpecPatch;
  /** Scheduling of its pods together or not at all (gang scheduling). Default: `gang` of the cluster. */
  gang?: MiniClusterGangArgs;
  /**
   * Seconds that a terminating pod waits for the jobs on its host to end. Default: `drainTimeoutSeconds` of the
   * cluster.
   */
  drainTimeoutSeconds?: number;
  /** Rejects voluntary evictions of its pods. Default: `disruptionBudget` of the cluster, or true with `pool`. */
  disruptionBudget?: boolean;
  /** Pulls its images to every node of its pool before its Job starts. Default: `prepull` of the cluster. */
  prepull?: boolean;
}

/** Automatic size of a group, which its queue determines. All times are in seconds. */
export interface MiniClusterGroupAutoscaleArgs extends AutoscalePaceArgs {
  /** Smallest size, from 0, with which an idle group has no pod, to `max`. Default: 0. */
  min?: number;
  /** Largest size, which is also the default of `maxSize`. From 1 to `maxSize`. */
  max: number;
}

/** Arguments of a cluster whose lead broker has a separate Job. */
export interface GroupsArgs {
  /**
   * The lead broker in a separate Job, on a small node, so that all workers can be removed. The workers are the pods of
   * `groups`, or of one group with the name "workers" and the arguments of the cluster, whose `autoscale.min` may then
   * be 0. Requires a cluster without a command. Adding or removing it replaces the cluster. Default: none; pod 0 has
   * the lead broker and runs jobs.
   */
  lead?: MiniClusterLeadArgs;
  /**
   * Groups of workers by their names, each with its own size, machines and containers, and with a Flux queue and a property of
   * the same name. The queue of the first group in alphabetical order is the default queue. Adding or removing a group replaces
   * the Jobs, because the hosts of the instance are part of the brokers' configuration. Implies `lead`. Cannot be set with
   * `size`, `maxSize` or `autoscale`. Default: none.
   */
  groups?: Record<string, MiniClusterGroupArgs>;
}
