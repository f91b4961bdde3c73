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
  /** Image of the container. The image that runs Flux must contain bash, and its operating system must match the Flux view. */
  image: pulumi.Input<string>;
  /**
   * Name of the container, a lowercase DNS label. Required for containers that do not run Flux. Default: the name of the
   * cluster.
   */
  name?: string;
  /**
   * Command line, which bash runs if it has more than plain words. The container that runs Flux passes it to `flux submit`.
   * Default: none; the brokers keep running as with `interactive`, and a sidecar runs the entrypoint of its image.
   */
  command?: string;
  /** Working directory of the container. Absolute. Default: the working directory of the image. */
  workingDir?: pulumi.Input<string>;
  /** Runs the Flux broker in this container. Default: true for a single container, otherwise false. */
  runFlux?: boolean;
  /** Passes the command to `flux start`: the command submits its own jobs, as workflow tools do. Default: false. */
  launcher?: boolean;
  /**
   * Reads the command as a list of jobs, one per line, and runs them as one batch job (`flux batch`), which submits each line
   * and ends with the last job. Options at the start of a line are passed to `flux submit`, and the line is split into words;
   * bash runs any other line that has more than plain words. Only for the container that runs Flux, with a `command` and
   * without `launcher`. Default: false.
   */
  batch?: boolean;
  /** Runs the command as the batch script, without a `flux submit` before each line. Requires `batch`. Default: false. */
  batchRaw?: boolean;
  /**
   * Directory for the output of jobs, which is the variable FLUX_OUTPUT_DIR of the command and is created on every rank. A
   * batch job writes job-0.out, job-0.err and so on for the lines of the command. Preferably on a volume that all pods share.
   * Absolute. Only for the container that runs Flux. Default: "/tmp/fluxout".
   */
  logs?: string;
  /**
   * Runs the command of a sidecar directly as the command of the container: without waiting for the broker's socket, and
   * without Flux on the path. Only for sidecars. Default: false.
   */
  noWrapEntrypoint?: boolean;
  /** Name of a Secret with the credentials to pull the image. Default: none. */
  imagePullSecret?: pulumi.Input<string>;
  /** Condition under which the image is pulled. Default: "IfNotPresent". */
  imagePullPolicy?: MiniClusterPullPolicy;
  /** TCP ports that the container listens on, from 1 to 65535. Default: none. */
  ports?: number[];
  /**
   * Name of a Kubernetes Service for the `ports` of this sidecar, in all pods of the brokers. A lowercase DNS label that starts
   * with a letter and is unique among the Services of the namespace. Only for a sidecar with `ports`. A change does not restart
   * the pods. Default: none.
   */
  serviceName?: string;
  /**
   * Environment variables. Names are printable ASCII characters without "="; before Kubernetes 1.32, only letters, digits, "-",
   * "_" and ".". A value is used literally: Kubernetes does not expand `$(NAME)` in it. A value that is an output of another
   * resource, or a secret, is passed to the container through a Secret of the cluster. MINICLUSTER_SIZE, JOB_COMPLETION_INDEX and
   * FLUX_OUTPUT_DIR (`logs`) are set by the component and are refused. Default: none.
   */
  environment?: Record<string, pulumi.Input<string>>;
  /** Environment variables with values from existing Secrets. A name cannot also be in `environment`. Default: none. */
  secrets?: Record<string, MiniClusterSecretKeyArgs>;
  /** Resource limits and requests. Default: none. */
  resources?: MiniClusterResourcesArgs;
  /** Security context of the container. Default: no privilege escalation, unless the container is privileged. */
  securityContext?: MiniClusterSecurityContextArgs;
  /** Commands that Kubernetes runs after the container has started and before it is terminated. Default: none. */
  lifeCycle?: MiniClusterLifeCycleArgs;
  /** Additional commands before and after the main command. Default: none. */
  commands?: MiniClusterCommandsArgs;
  /**
   * Volumes to mount, by volume name, a lowercase DNS label. Each has exactly one source. The same name in two containers is
   * the same volume. Default: none.
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

/**
 * Commands at the start and the end of a container (Kubernetes container hooks), which bash runs if they have more than plain
 * words.
 */
export interface MiniClusterLifeCycleArgs {
  /**
   * Run in parallel with the command of the container after the container has started. A failure terminates the container.
   * Default: none.
   */
  postStartExec?: string;
  /** Run before Kubernetes terminates the container, within the grace period of the pod. Default: none. */
  preStopExec?: string;
}

/** Resources of a container, by resource name: cpu, memory, nvidia.com/gpu, vpc.amazonaws.com/efa, hugepages-2Mi and so on. */
export interface MiniClusterResourcesArgs {
  /** Maximum amounts, as Kubernetes quantities such as "4" or "8Gi". Default: no limit. */
  limits?: Record<string, pulumi.Input<string>>;
  /** Amounts that the scheduler reserves, as Kubernetes quantities. Default: the limits. */
  requests?: Record<string, pulumi.Input<string>>;
}

/**
 * Bash code around a container's command. Each piece is a separate file and is sourced, so exported variables apply to the
 * following pieces. The code can use the variables of the Flux Operator's scripts, unless the environment has one of the same
 * name: viewroot and configroot (directories of the view and of the configuration), hosts (all hosts of the instance, as a
 * hostlist), mainHost, cfg, fluxsocket, STATE_DIR and so on. The command gets the variables that it uses.
 */
export interface MiniClusterCommandsArgs {
  /**
   * Words before the submit command or the launcher, such as "strace -f". Only for the container that runs Flux. Default: none.
   */
  prefix?: string;
  /** Bash script that runs instead of `command`. Cannot be set with `command`. Default: none. */
  script?: string;
  /** Run before all other pieces, on every pod. Default: none. */
  init?: string;
  /**
   * Run after Flux is prepared and before the broker starts, on every pod. `$configroot/etc/flux/system/R` then describes the
   * resources of the instance: each host has the resources of this host. If the code writes this file (`flux R encode
   * --hosts=$hosts`), the brokers use it, even if a pool describes the resources. Only for the container that runs Flux. Default:
   * none.
   */
  pre?: string;
  /** Run after the broker has ended. Default: none. */
  post?: string;
  /** Run before the lead broker starts, on rank 0 only. Only for the container that runs Flux. Default: none. */
  brokerPre?: string;
  /** Run before a follower starts, on every other rank. Only for the container that runs Flux. Default: none. */
  workerPre?: string;
  /** Run before the command of a sidecar or a service. Only for these containers. Default: none. */
  servicePre?: string;
}

/** A volume of the pods, and its directory in one container. Exactly one source is required. */
export interface MiniClusterVolumeArgs {
  /**
   * Directory in the container. Absolute, and outside the directories that the component mounts. Required for all volumes
   * except an emptyDir. Default: "/dev/shm".
   */
  path?: string;
  /** Source: a directory of the node. Absolute. Default: none. */
  hostPath?: pulumi.Input<string>;
  /** Source: a ConfigMap, by name. Default: none. */
  configMapName?: pulumi.Input<string>;
  /** Keys of the ConfigMap and their file names. Requires `configMapName`. Default: every key with its own name. */
  items?: Record<string, pulumi.Input<string>>;
  /** Source: a PersistentVolumeClaim, by name. Default: none. */
  claimName?: pulumi.Input<string>;
  /** Source: a Secret, by name. Default: none. */
  secretName?: pulumi.Input<string>;
  /** Source: an empty directory that is deleted with its pod. Default: false. */
  emptyDir?: boolean;
  /** Medium of the empty directory; "Memory" is a tmpfs. Requires `emptyDir`. Default: the disk of the node. */
  emptyDirMedium?: pulumi.Input<string>;
  /** Size limit of the empty directory, as a quantity. Requires `emptyDir`. Default: no limit. */
  emptyDirSizeLimit?: pulumi.Input<string>;
  /**
   * Source: the local disks of the pool's nodes (NVMe), as an empty directory that is deleted with its pod. Requires a `pool`
   * with `localDisks` "raid0". Default: false.
   */
  localDisk?: boolean;
  /**
   * Size limit of the volume on local disks, as a quantity. Requires `localDisk`. Default: no limit; on AKS nine tenths of the
   * disks of a node, which are reserved for the pod.
   */
  localDiskSize?: pulumi.Input<string>;
  /** Source: an inline volume of a CSI driver, by the name of the driver. Default: none. */
  csiDriver?: pulumi.Input<string>;
  /** Attributes for the CSI driver. Requires `csiDriver`. Default: none. */
  csiDriverAttributes?: Record<string, pulumi.Input<string>>;
  /** Mounts the volume read-only. Default: false. */
  readOnly?: boolean;
}
