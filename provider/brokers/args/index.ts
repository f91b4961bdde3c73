import type { types } from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../../clouds/nodes/args";
import type { MiniClusterContainerArgs } from "./container";
import type { MiniClusterGangArgs } from "./gang";
import type { MiniClusterNetworkArgs, MiniClusterPodArgs } from "./pod";

export * from "./bursting";
export * from "./container";
export * from "./flux";
export * from "./gang";
export * from "./pod";
export * from "./programs";

/** Condition that `pulumi up` waits for before it calls the MiniCluster done. */
export const MiniClusterWait = {
  /** Every pod is Ready: its broker belongs to the running Flux instance. */
  Ready: "ready",
  /** As "ready", and every pod that leaves has gone: after a resize to fewer pods, the jobs there have ended. */
  Settled: "settled",
  /** The Job has finished: the lead broker's command has ended. */
  Complete: "complete",
  /** Nothing: the objects exist, and that is all. */
  None: "none",
} as const;
export type MiniClusterWait = (typeof MiniClusterWait)[keyof typeof MiniClusterWait];

/** Way by which a change of `size` reaches the Kubernetes Job. */
export const MiniClusterResize = {
  /** By a patch of the live Job: the pods that stay are not touched. Refused where the Kubernetes provider writes YAML to files. */
  Patch: "patch",
  /**
   * By the Job's own manifest, for YAML that the Kubernetes provider renders to a directory and another tool applies. With a
   * live Kubernetes provider a resize would replace the Job.
   */
  Manifest: "manifest",
} as const;
export type MiniClusterResize = (typeof MiniClusterResize)[keyof typeof MiniClusterResize];

/** Level of the Kubernetes Pod Security Standards that every pod of the cluster passes. */
export const MiniClusterPodSecurity = {
  /** Images may run as root; nothing may gain more rights than it starts with. */
  Baseline: "baseline",
  /** No pod runs as root: user, group and volume group are 1000 unless `pod.securityContext` says otherwise. */
  Restricted: "restricted",
} as const;
export type MiniClusterPodSecurity = (typeof MiniClusterPodSecurity)[keyof typeof MiniClusterPodSecurity];

/** Arguments for the pods of a cluster of brokers, whether it has the lead broker or joins one. */
export interface BrokerPodsArgs {
  /**
   * Kubernetes namespace, which must exist. Part of the brokers' host names, so a change replaces the cluster. Default:
   * "default".
   */
  namespace?: string;
  /** Seconds after which Kubernetes ends the Job as failed (`activeDeadlineSeconds`). At least 1. Default: 31500000, a year. */
  deadlineSeconds?: number;
  /**
   * Failed pods that the Job tolerates before it has failed (`backoffLimit`). At least 0. Pods that lost their node or
   * were deleted do not count, unless `pod.restartPolicy` is "OnFailure"; then restarted containers count as well. Default:
   * 6.
   */
  backoffLimit?: number;
  /**
   * Labels of the Job, beside those that the component and the Job controller set themselves, which are refused.
   * Changed in place. Default: none.
   */
  jobLabels?: Record<string, pulumi.Input<string>>;
  /** Lets the containers of a pod see each other's processes (`shareProcessNamespace`). Not with `pod.hostPID`. Default: false. */
  shareProcessNamespace?: boolean;
  /**
   * Seconds that `pulumi up` waits before it reports that the pods did not come up. At least 1. A time limit for a create
   * or an update in the resource option `customTimeouts` takes its place. Default: 600.
   */
  waitTimeoutSeconds?: number;
  /**
   * Seconds that a terminating pod gives the jobs on its rank to end, for any cause: a resize, a drained node, a spot
   * notice. The rank is drained first (`flux resource drain`), so that no new job starts there, and takes jobs again with its
   * next pod. A rank without a job leaves at once; the cluster's end and the lead broker wait for nothing. Kubernetes gives
   * the pod 30 s more (`terminationGracePeriodSeconds`). Between 0, which ends jobs at once, and 86400. Default: 30, or as many as
   * leave 10 of the time that `podTemplate` gives the pod; on spot nodes what fits their notice: 90 on EKS, 20 on AKS, 5 on GKE.
   */
  drainTimeoutSeconds?: number;
  /** Way by which a change of `size` reaches the Job. Default: "patch". */
  resize?: MiniClusterResize;
  /** Containers of each pod, 1 or more. Exactly one runs Flux; the others are sidecars. */
  containers: MiniClusterContainerArgs[];
  /**
   * Containers of one further pod that runs beside the cluster and is Ready before it starts: databases, caches, web
   * servers. Every broker reaches it under the host name `<name>-services`. Each needs a name, and none runs Flux.
   * Default: none.
   */
  services?: MiniClusterContainerArgs[];
  /** Settings of the pods as a whole. Default: those of Kubernetes, with no service account token. */
  pod?: MiniClusterPodArgs;
  /**
   * The node pool that the pods run on, as the `scheduling` output of an EksNodePool, KarpenterNodePool, GkeNodePool or
   * AksNodePool. It gives the pods node labels, tolerations, architecture, devices, huge pages, shared memory and variables, and
   * Flux the cores and GPUs of each host; arguments given beside it take precedence. The Job comes after the pool; the pod of
   * `services` is not bound to it. Default: none.
   */
  pool?: pulumi.Input<NodePoolScheduling>;
  /**
   * Most that the nodes of the pods may cost for an hour, above 0, in the currency of `pricePerHour` of the pools, which it requires. A
   * `size`, an `autoscale.max` or a group with which they may cost more is refused, in a preview too, with the sum and its parts: one
   * node counts for each pod. A separate lead broker without a pool, and clusters that join, do not count. Default: no limit.
   */
  maxPricePerHour?: number;
  /**
   * Refuses voluntary evictions of the brokers' pods, by a drained or underused node (PodDisruptionBudget). Default: true
   * with `pool`, but for spot nodes of EKS and AKS, where an eviction announces the end of a node; else false.
   */
  disruptionBudget?: boolean;
  /**
   * Pulls the images of the pods to every node that they may go to, before the Job starts or is replaced, and to nodes that come later
   * (DaemonSet): those of the container that runs Flux, of the view, and of sidecars that have a command. `up` waits for all these
   * nodes, for `waitTimeoutSeconds` at most, unless `wait` is "none". Not with a pull policy of "Never". Default: false.
   */
  prepull?: boolean;
  /** Placement of the pods on their nodes all together or not at all. Default: each by itself. */
  gang?: MiniClusterGangArgs;
  /**
   * Level of the Kubernetes Pod Security Standards that every pod passes. "restricted" needs images that can run as a user
   * other than root. Default: "baseline", unless the arguments exceed it.
   */
  podSecurity?: MiniClusterPodSecurity;
  /**
   * Any field of the Kubernetes pod template, merged over the one of the component as a strategic merge patch: maps key
   * by key, lists by their Kubernetes keys (containers, volumes and variables by name, mounts by path), everything else
   * replaced. Names and other keys must not be outputs. Fields that the brokers depend on are refused: index, host names,
   * start commands and the component's own mounts. Default: nothing.
   */
  podTemplate?: types.input.core.v1.PodTemplateSpecPatch;
  /** The service and the placement on nodes. Default: a service named like the cluster and one pod per node. */
  network?: MiniClusterNetworkArgs;
  /** Log output of the pods. Default: everything but debug and timing. */
  logging?: MiniClusterLoggingArgs;
}

/** Log output of the pods. */
export interface MiniClusterLoggingArgs {
  /** Leaves only the command's own output and errors. Default: false. */
  quiet?: boolean;
  /** Ends a pod's script at the first command that fails (`set -eEuo pipefail`). Default: true. */
  strict?: boolean;
  /** Adds `-vvv` to the submit command. Default: false. */
  debug?: boolean;
  /** Logs the events of the brokers' sockets (Flux `tbon.zmqdebug`). Default: false. */
  zeromq?: boolean;
  /** Prints the wall time of `flux start` and `flux submit` in seconds, measured by the shell. Default: false. */
  timed?: boolean;
}
