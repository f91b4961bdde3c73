import * as pulumi from "@pulumi/pulumi";
import { MiniClusterArch } from "../../clouds/nodes/args";
import type { MiniClusterResourcesArgs } from "./container";
import type { MiniClusterSecurityContextArgs } from "./security";

/** Order in which Flux schedules the jobs of a queue. */
export const MiniClusterQueuePolicy = {
  /** First come, first served. */
  Fcfs: "fcfs",
  /** First come, first served; small jobs fill gaps if they do not delay other jobs (EASY backfill). */
  Easy: "easy",
} as const;
export type MiniClusterQueuePolicy = (typeof MiniClusterQueuePolicy)[keyof typeof MiniClusterQueuePolicy];

/** Order in which Fluxion allocates hosts to a job. */
export const MiniClusterMatchPolicy = {
  /** The lowest suitable hosts first. Fluxion inspects all idle hosts for each job, which is slow with thousands of hosts. */
  Lonode: "lonode",
  /**
   * The first hosts that Fluxion finds: the highest, and one for each small job. This is the fastest policy, and the default of
   * Fluxion.
   */
  First: "first",
} as const;
export type MiniClusterMatchPolicy = (typeof MiniClusterMatchPolicy)[keyof typeof MiniClusterMatchPolicy];

/** Settings of the brokers, both lead broker and followers. */
export interface BrokerFluxArgs {
  /** The container that provides Flux in the pod (the Flux view). Default: the Ubuntu noble view. */
  container?: MiniClusterFluxContainerArgs;
  /**
   * Architecture of the nodes: it selects the view and the nodes (`kubernetes.io/arch`), and adds a toleration of the taint
   * that clouds set on ARM nodes. Default: the x86 view, on any node.
   */
  arch?: MiniClusterArch;
  /** Commands that wrap each broker (`flux start --wrap`), separated by commas. Default: none. */
  wrap?: string;
  /**
   * Timeout of an attempt to connect to the parent broker, after which the broker tries again (Flux `tbon.connect_timeout`), as
   * a Flux duration such as "5s" or "500ms"; empty for the value of Flux or `brokerConfig`. Default: "5s", or empty with
   * `brokerConfig`.
   */
  connectTimeout?: string;
  /** Starts the command of a sidecar immediately, without waiting for the broker's socket. Default: false. */
  noWaitSocket?: boolean;
  /**
   * Lowest severity of messages in the log of the brokers (`log-stderr-level`), from 0 (emergency) to 7 (debug). Default: 6.
   */
  logLevel?: number;
  /** Name of a Secret whose key munge.key is mounted as /etc/munge/munge.key. Default: none. */
  mungeSecret?: pulumi.Input<string>;
  /** Environment variables of the brokers, the sidecars and flux-view.sh, which a script exports. Default: none. */
  environment?: Record<string, string>;
}

/** The Flux brokers, and how the command is started. */
export interface MiniClusterFluxArgs extends BrokerFluxArgs {
  /** Ends a follower when its broker ends, for any reason, instead of restarting the broker. Default: false. */
  completeWorkers?: boolean;
  /** Command that submits the container's command, as words. Default: "flux submit". */
  submitCommand?: string;
  /** Additional options of the submit command, as words, such as "-ompi=pmix -c 4". Default: none. */
  optionFlags?: string;
  /**
   * Topology of the brokers (Flux `tbon.topo`), such as "kary:2", "kary:0" or "binomial". Default: "kary:0" with `bursting`,
   * which supports no other topology; otherwise "kary:256", or the topology in `brokerConfig`.
   */
  topology?: string;
  /**
   * Keeps the broker's socket at the default path of Flux instead of `<mountPath>/config/run/flux/local`. Not supported if the
   * lead broker runs in another cluster. Default: false.
   */
  disableSocket?: boolean;
  /**
   * Number of ended jobs that Flux keeps (`job-manager.inactive-num-limit`), from 100 to 1000000. Flux removes the oldest ones
   * above it, with their output: `flux jobs -a` and the console no longer list them. The lead broker and the programs beside it
   * hold the kept jobs in memory. Cannot be set with `brokerConfig`. Default: 2000 if the cluster is `interactive`; otherwise all
   * are kept, because the instance ends with its command.
   */
  inactiveNumLimit?: number;
  /**
   * Time for which Flux keeps ended jobs (`job-manager.inactive-age-limit`), as a Flux duration such as "7d" or "12h", at least
   * "1m". Cannot be set with `brokerConfig`. Default: none, no limit.
   */
  inactiveAgeLimit?: string;
  /** The job scheduler. Default: Fluxion, first come, first served. */
  scheduler?: MiniClusterSchedulerArgs;
  /**
   * Custom curve certificate, in the format of `flux keygen`, for brokers that join from other systems. Kept as a secret.
   * Default: a random certificate for each cluster.
   */
  curveCert?: pulumi.Input<string>;
  /**
   * Complete broker configuration (flux-config(5), TOML), which replaces the configuration of the component. The certificate and
   * the description of the resources are written to its `bootstrap.curve_cert` and `resource.path`. Cannot be set with
   * `scheduler.queuePolicy`, `scheduler.matchPolicy` or `bursting`. Default: none.
   */
  brokerConfig?: string;
}

/** The job scheduler of the Flux instance. */
export interface MiniClusterSchedulerArgs {
  /** Uses Flux's simple scheduler, which does not support GPUs, instead of Fluxion. Default: false. */
  simple?: boolean;
  /** Order in which jobs are scheduled (`sched-fluxion-qmanager.queue-policy`). Default: "fcfs". */
  queuePolicy?: MiniClusterQueuePolicy;
  /**
   * Order in which hosts are allocated (`sched-fluxion-resource.match-policy`). A smaller size removes the highest ranks first,
   * and an agent waits for their jobs. For thousands of hosts with many short jobs, "first" is faster. Cannot be set with
   * `simple`. Default: "lonode".
   */
  matchPolicy?: MiniClusterMatchPolicy;
}

/** The container that provides Flux in the pod: an init container that copies Flux to a volume for all containers. */
export interface MiniClusterFluxContainerArgs {
  /**
   * Image with Flux under /opt/view, built for the operating system of the container that runs Flux. Default:
   * ghcr.io/converged-computing/flux-view-ubuntu, tag-noble or, on ARM, arm-noble.
   */
  image?: pulumi.Input<string>;
  /**
   * Mounts the image as a read-only volume instead of copying it, without an init container. Requires Kubernetes 1.35 or newer,
   * or 1.33 with the feature gate `ImageVolume`, and an image with both /opt/view and /opt/software. Excludes `disable`.
   * Default: false.
   */
  imageVolume?: boolean;
  /** Name of the init container, a lowercase DNS label. Default: "flux-view". */
  name?: string;
  /** Directory of the shared volume in every container. Absolute, at most 80 bytes. Default: "/mnt/flux". */
  mountPath?: string;
  /** Working directory of the init container. Absolute. Default: the working directory of the image. */
  workingDir?: pulumi.Input<string>;
  /** Directory of the Python modules of Flux. Absolute. Default: site-packages of the view. */
  pythonPath?: string;
  /** Resources of the init container, needed for a pod of Guaranteed quality of service. Default: none. */
  resources?: MiniClusterResourcesArgs;
  /** Name of a Secret with the credentials to pull the image. Default: none. */
  imagePullSecret?: pulumi.Input<string>;
  /** Pulls the image at every start. Default: false. */
  pullAlways?: boolean;
  /** Security context of the init container. Default: no privilege escalation. */
  securityContext?: MiniClusterSecurityContextArgs;
  /** Disables the container: the image that runs Flux contains Flux, and there is no init container. Default: false. */
  disable?: boolean;
}
