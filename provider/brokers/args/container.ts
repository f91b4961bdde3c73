import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterSecurityContextArgs } from "./security";

export * from "./security";

/** Condition under which the kubelet pulls a container's image. */
export const MiniClusterPullPolicy = {
  /** At every start. */
  Always: "Always",
  /** Only if the node does not have it. */
  IfNotPresent: "IfNotPresent",
  /** Never: the node must have it. */
  Never: "Never",
} as const;
export type MiniClusterPullPolicy = (typeof MiniClusterPullPolicy)[keyof typeof MiniClusterPullPolicy];

/** A container of each pod. */
export interface MiniClusterContainerArgs {
  /** Image of the container. The one that runs Flux needs bash, and an operating system that matches the Flux view. */
  image: pulumi.Input<string>;
  /** Name of the container, a lowercase DNS label. Default: the cluster's name for the one that runs Flux; others need one. */
  name?: string;
  /**
   * Command line to run, read by bash where it holds more than plain words. The container that runs Flux hands it to
   * `flux submit`. Default: none, which keeps the brokers up as `interactive` does; a sidecar runs its image's own command.
   */
  command?: string;
  /** Directory that the container starts in. Absolute. Default: the image's own. */
  workingDir?: pulumi.Input<string>;
  /** Runs the Flux broker in this container. Default: true when there is one container, else false. */
  runFlux?: boolean;
  /** Hands the command to `flux start` itself: it submits its own jobs, as workflow tools do. Default: false. */
  launcher?: boolean;
  /**
   * Reads the command as a list of jobs, one a line, and runs them as one batch job (`flux batch`) that submits each line
   * and ends with the last one. A line that begins with options gives them to `flux submit` and is parted into words; any
   * other is read by bash where it holds more than plain words. Only for the container that runs Flux, with a `command`,
   * and not together with `launcher`. Default: false.
   */
  batch?: boolean;
  /** Runs the command as the batch script itself, without a `flux submit` before each line. Only with `batch`. Default: false. */
  batchRaw?: boolean;
  /**
   * Directory for the output of jobs, given to the command as FLUX_OUTPUT_DIR and made on every rank. A batch job writes
   * there: job-0.out, job-0.err and so on for the lines of the command. Best on a volume that all pods share. Absolute, and
   * only for the container that runs Flux. Default: "/tmp/fluxout".
   */
  logs?: string;
  /**
   * Runs the command of a sidecar as the container's own, at once: with no wait for the broker's socket and no Flux on the
   * path. Not for the container that runs Flux. Default: false.
   */
  noWrapEntrypoint?: boolean;
  /** Name of a Secret with the credentials to pull the image. Default: none. */
  imagePullSecret?: pulumi.Input<string>;
  /** Condition under which the image is pulled. Not together with `pullAlways`. Default: "IfNotPresent". */
  imagePullPolicy?: MiniClusterPullPolicy;
  /** Pulls the image at every start, as `imagePullPolicy` "Always" does. Default: false. */
  pullAlways?: boolean;
  /** TCP ports that the container listens on, from 1 to 65535. Default: none. */
  ports?: number[];
  /**
   * Name of a Kubernetes Service that leads to the `ports` of this sidecar, in any pod of the brokers: programs find it under
   * this host name. A lowercase DNS label that starts with a letter, and that no other service of the namespace has. Only for a
   * sidecar with `ports`. A change of it restarts no pod. Default: none.
   */
  serviceName?: string;
  /**
   * Environment variables. Names are printable ASCII characters without "="; before Kubernetes 1.32 letters, digits, "-", "_"
   * and "." alone. A value that comes from another resource, or is a secret, reaches the container through a
   * Secret of the cluster. MINICLUSTER_SIZE and JOB_COMPLETION_INDEX are set already, as is FLUX_OUTPUT_DIR by `logs`,
   * and refused. Default: none.
   */
  environment?: Record<string, pulumi.Input<string>>;
  /** Environment variables whose values come from existing Secrets. No name that `environment` has. Default: none. */
  secrets?: Record<string, MiniClusterSecretKeyArgs>;
  /** Resource limits and requests. Default: none. */
  resources?: MiniClusterResourcesArgs;
  /** Security context of the container. Default: no privilege escalation, unless the container is privileged. */
  securityContext?: MiniClusterSecurityContextArgs;
  /** Commands that Kubernetes runs when the container has started and before it is ended. Default: none. */
  lifeCycle?: MiniClusterLifeCycleArgs;
  /** Further commands around the main one. Default: none. */
  commands?: MiniClusterCommandsArgs;
  /**
   * Volumes to mount, by volume name, a lowercase DNS label. Each has exactly one source. A name in two containers
   * means one volume. Default: none.
   */
  volumes?: Record<string, MiniClusterVolumeArgs>;
}

/** A key of an existing Secret. */
export interface MiniClusterSecretKeyArgs {
  /** Name of the Secret. */
  name: pulumi.Input<string>;
  /** Key in the Secret. */
  key: pulumi.Input<string>;
}

/** Commands at the start and the end of a container (Kubernetes container hooks), read by bash where they hold more than plain words. */
export interface MiniClusterLifeCycleArgs {
  /** Run beside the container's own command when the container has started; a failure ends the container. Default: none. */
  postStartExec?: string;
  /** Run before Kubernetes ends the container, within the pod's grace period. Default: none. */
  preStopExec?: string;
}

/** Resources of a container, by resource name: cpu, memory, nvidia.com/gpu, vpc.amazonaws.com/efa, hugepages-2Mi and so on. */
export interface MiniClusterResourcesArgs {
  /** Most that may be used, as Kubernetes quantities such as "4" or "8Gi". Default: no limit. */
  limits?: Record<string, pulumi.Input<string>>;
  /** Amounts that the scheduler sets aside, as Kubernetes quantities. Default: the limits. */
  requests?: Record<string, pulumi.Input<string>>;
}

/**
 * Bash code around a container's command. Each piece is a separate file and is sourced, so what it exports stays in
 * force for what follows. It finds the variables of the Flux Operator's scripts, unless the environment has one of that name:
 * viewroot and configroot (directories of the view and of the configuration), hosts (all hosts of the instance, as a hostlist),
 * mainHost, cfg, fluxsocket, STATE_DIR and so on; the command has those that it names.
 */
export interface MiniClusterCommandsArgs {
  /**
   * Words put before the submit command or the launcher, such as "strace -f". Only for the container that runs Flux.
   * Default: none.
   */
  prefix?: string;
  /** Bash script to run in place of `command`. Not together with it. Default: none. */
  script?: string;
  /** Run before everything else, on every pod. Default: none. */
  init?: string;
  /**
   * Run when Flux is prepared, before the broker starts, on every pod. The resources of the instance are then described in
   * `$configroot/etc/flux/system/R`, for each host as for this one; what the code writes there (`flux R encode
   * --hosts=$hosts`) is used in their place, also where a pool describes them. Only for the container that runs Flux. Default:
   * none.
   */
  pre?: string;
  /** Run after the broker has ended. Default: none. */
  post?: string;
  /** Run before the lead broker starts, on rank 0 only. Only for the container that runs Flux. Default: none. */
  brokerPre?: string;
  /** Run before a follower starts, on every other rank. Only for the container that runs Flux. Default: none. */
  workerPre?: string;
  /** Run before the command of a sidecar or a service. Not for the container that runs Flux. Default: none. */
  servicePre?: string;
}

/** A volume of the pods, and its directory in one container. Exactly one source must be given. */
export interface MiniClusterVolumeArgs {
  /**
   * Directory in the container. Absolute, and outside what the component mounts itself. Default: "/dev/shm" for an
   * emptyDir; others need one.
   */
  path?: string;
  /** Source: a directory of the node. Absolute. Default: none. */
  hostPath?: pulumi.Input<string>;
  /** Source: a ConfigMap, by name. Default: none. */
  configMapName?: pulumi.Input<string>;
  /** Keys of the ConfigMap and the file names they get. Only with `configMapName`. Default: every key under its own name. */
  items?: Record<string, pulumi.Input<string>>;
  /** Source: a PersistentVolumeClaim, by name. Default: none. */
  claimName?: pulumi.Input<string>;
  /** Source: a Secret, by name. Default: none. */
  secretName?: pulumi.Input<string>;
  /** Source: an empty directory that lives as long as its pod. Default: false. */
  emptyDir?: boolean;
  /** Medium of the empty directory; "Memory" makes it a tmpfs. Only with `emptyDir`. Default: the node's disk. */
  emptyDirMedium?: pulumi.Input<string>;
  /** Most that the empty directory may hold, as a quantity. Only with `emptyDir`. Default: no limit. */
  emptyDirSizeLimit?: pulumi.Input<string>;
  /**
   * Source: the local disks of the pool's nodes (NVMe), as an empty directory that lives as long as its pod. Requires a `pool` whose
   * `localDisks` are "raid0". Default: false.
   */
  localDisk?: boolean;
  /**
   * Most that the volume on local disks may hold, as a quantity. Only with `localDisk`. Default: no limit; on AKS nine tenths of the
   * disks of a node, which are set aside for the pod.
   */
  localDiskSize?: pulumi.Input<string>;
  /** Source: a CSI driver's inline volume, by the driver's name. Default: none. */
  csiDriver?: pulumi.Input<string>;
  /** Attributes for the CSI driver. Only with `csiDriver`. Default: none. */
  csiDriverAttributes?: Record<string, pulumi.Input<string>>;
  /** Mounts the volume read-only. Default: false. */
  readOnly?: boolean;
}
