import type { types } from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../../clouds/nodes/args";
import type { MiniClusterContainerArgs } from "./container";
import type { MiniClusterNetworkArgs, MiniClusterPodArgs } from "./pod";

export * from "./container";
export * from "./flux";
export * from "./pod";

/** Condition that `pulumi up` waits for in a MiniCluster. */
export const MiniClusterWait = {
  /** Every pod is Ready: its broker has joined the Flux instance. */
  Ready: "ready",
  /** Like "ready", and every removed pod has terminated: after a resize to fewer pods, the jobs on them have ended. */
  Settled: "settled",
  /** The Job is complete: the command of the lead broker has ended. */
  Complete: "complete",
  /** No condition: `pulumi up` returns when the objects exist. */
  None: "none",
} as const;
export type MiniClusterWait = (typeof MiniClusterWait)[keyof typeof MiniClusterWait];

/** How a change of `size` is applied to the Kubernetes Job. */
export const MiniClusterResize = {
  /**
   * By a patch of the live Job: the remaining pods are not changed. Refused if the Kubernetes provider writes YAML to files.
   */
  Patch: "patch",
  /**
   * In the manifest of the Job, for YAML that the Kubernetes provider renders to a directory and another tool applies. With a
   * live Kubernetes provider, a resize would replace the Job.
   */
  Manifest: "manifest",
} as const;
export type MiniClusterResize = (typeof MiniClusterResize)[keyof typeof MiniClusterResize];

/** Level of the Kubernetes Pod Security Standards that all pods of the cluster meet. */
export const MiniClusterPodSecurity = {
  /** Images may run as root; no process may gain privileges. */
  Baseline: "baseline",
  /** No pod runs as root: user, group and volume group are 1000 unless `pod.securityContext` sets others. */
  Restricted: "restricted",
  /**
   * Like "restricted", but no pod names a user or a group that `pod.securityContext` does not name: the admission of the
   * namespace assigns them from its range, as on OpenShift.
   */
  RestrictedAssignedUser: "restrictedAssignedUser",
} as const;
export type MiniClusterPodSecurity = (typeof MiniClusterPodSecurity)[keyof typeof MiniClusterPodSecurity];

/** Arguments for the pods of a cluster of brokers, with or without the lead broker. */
export interface BrokerPodsArgs {
  /**
   * Kubernetes namespace, which must exist. Part of the brokers' host names, so a change replaces the cluster. Required with an
   * explicit Kubernetes provider that has a namespace. Default: the namespace of the default Kubernetes provider (the configuration
   * `kubernetes:namespace`, or its context), otherwise "default".
   */
  namespace?: string;
  /**
   * Seconds after which Kubernetes ends the Job as failed (`activeDeadlineSeconds`), from 1 to 9223372036. Default: 3153600000, a
   * hundred years.
   */
  deadlineSeconds?: number;
  /**
   * Number of failed pods that the Job tolerates (`backoffLimit`). At least 0. Pods that lost their node or were deleted do not
   * count, unless `pod.restartPolicy` is "OnFailure"; then restarted containers also count. Default: 6.
   */
  backoffLimit?: number;
  /**
   * Additional labels of the Job. Labels that the component or the Job controller sets are refused. Changed in place. Default:
   * none.
   */
  jobLabels?: Record<string, pulumi.Input<string>>;
  /**
   * Annotations of the Job, for example for Argo CD, Flux CD or a ProvisioningRequest. Annotations that the component, the Job
   * controller or `gang.elastic` sets are refused. Changed in place. Default: none.
   */
  jobAnnotations?: Record<string, pulumi.Input<string>>;
  /**
   * Shares one process namespace between the containers of a pod (`shareProcessNamespace`). Cannot be set with `pod.hostPID`.
   * Default: false.
   */
  shareProcessNamespace?: boolean;
  /**
   * Seconds that `pulumi up` waits before it reports that the pods are not Ready. At least 1. A timeout for create or update in
   * the resource option `customTimeouts` takes precedence. Default: 600.
   */
  waitTimeoutSeconds?: number;
  /**
   * Seconds that a terminating pod waits for the jobs on its host to end, for any cause: a resize, a drained node, a spot notice.
   * The host is drained first (`flux resource drain`), so that no new job starts on it, and accepts jobs again with its next pod.
   * A pod whose host has no job terminates immediately, and so do the lead broker's pod and, at the end of the cluster, all pods.
   * The grace period of the pod (`terminationGracePeriodSeconds`) is 30 s longer. From 0, which ends jobs immediately, to 86400.
   * Default: 30, or 10 less than a grace period in `podTemplate`; on spot nodes 90 on EKS, 20 on AKS, 5 on GKE, which fit the
   * notice.
   */
  drainTimeoutSeconds?: number;
  /**
   * How a change of `size` is applied to the Job. In TypeScript, "manifest" is required with an explicit Kubernetes provider that writes
   * YAML to files: a constructor cannot wait for its settings. Default: "patch", or "manifest" if the provider writes YAML to files
   * (`renderYamlToDirectory`).
   */
  resize?: MiniClusterResize;
  /** The container of each pod, which runs Flux. Cannot be set with `containers`. Default: none; then `containers` is required. */
  container?: MiniClusterContainerArgs;
  /**
   * Several containers of each pod, instead of `container`. Exactly one runs Flux (`runFlux`); the others are sidecars. Default:
   * none.
   */
  containers?: MiniClusterContainerArgs[];
  /**
   * Containers of a separate pod beside the cluster, which is Ready before the cluster starts: databases, caches, web servers.
   * Its host name for the brokers is `<name>-services`. Each container needs a name, and none runs Flux. Default: none.
   */
  services?: MiniClusterContainerArgs[];
  /** Settings of the pods as a whole. Default: the defaults of Kubernetes, with no service account token. */
  pod?: MiniClusterPodArgs;
  /**
   * The node pool that the pods run on, as the `scheduling` output of an EksNodePool, KarpenterNodePool, GkeNodePool,
   * AksNodePool or AksKarpenterNodePool. It sets the node labels, tolerations, architecture, devices, huge pages, shared
   * memory and environment variables of the pods, and the cores and GPUs of each host in Flux; explicit arguments take
   * precedence. The Job depends on the pool. The pod of `services` does not use the pool. Default: none.
   */
  pool?: pulumi.Input<NodePoolScheduling>;
  /**
   * Rejects voluntary evictions of the brokers' pods, for example from a drained or underused node (PodDisruptionBudget).
   * Default: true with `pool`, except for spot nodes of EKS and AKS, where an eviction precedes the end of a node; otherwise
   * false.
   */
  disruptionBudget?: boolean;
  /**
   * Pulls the images of the pods to every node on which they may be scheduled, before the Job starts or is replaced, and to new
   * nodes (DaemonSet). These are the images of the container that runs Flux, of the view, and of sidecars with a command. `up`
   * waits for all these nodes, for at most `waitTimeoutSeconds`, unless `wait` is "none". Cannot be set with the pull policy
   * "Never". Default: false.
   */
  prepull?: boolean;
  /**
   * Level of the Kubernetes Pod Security Standards that all pods meet. "restricted" requires images that can run as a user
   * other than root, and "restrictedAssignedUser" images that can run as any user. Default: "baseline", unless the arguments
   * exceed it.
   */
  podSecurity?: MiniClusterPodSecurity;
  /**
   * Any field of the Kubernetes pod template, merged over the pod template of the component as a strategic merge patch: maps key
   * by key, lists by their Kubernetes keys (containers, volumes and variables by name, mounts by path), everything else replaced.
   * Names and other keys must not be outputs. Fields that the brokers depend on are refused: index, host names, start commands
   * and the component's own mounts. Default: none.
   */
  podTemplate?: types.input.core.v1.PodTemplateSpecPatch;
  /**
   * The Service of the brokers, and the placement on nodes. Default: a Service with the name of the cluster, and one pod per
   * node.
   */
  network?: MiniClusterNetworkArgs;
  /** Log output of the pods. Default: all output except debug and timing. */
  logging?: MiniClusterLoggingArgs;
}

/** Log output of the pods. */
export interface MiniClusterLoggingArgs {
  /** Prints only the output of the command, and errors. Default: false. */
  quiet?: boolean;
  /** Ends the script of a pod at the first failed command (`set -eEuo pipefail`). Default: true. */
  strict?: boolean;
  /** Adds `-vvv` to the submit command. Default: false. */
  debug?: boolean;
  /** Logs the events of the brokers' sockets (Flux `tbon.zmqdebug`). Default: false. */
  zeromq?: boolean;
  /** Prints the wall time of `flux start` and `flux submit` in seconds, measured by the shell. Default: false. */
  timed?: boolean;
}
