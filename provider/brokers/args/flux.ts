import * as pulumi from "@pulumi/pulumi";
import { MiniClusterArch } from "../../clouds/nodes/args";
import type { MiniClusterResourcesArgs } from "./container";
import type { MiniClusterSecurityContextArgs } from "./security";

/** Order in which Flux takes jobs from its queue. */
export const MiniClusterQueuePolicy = {
  /** First come, first served. */
  Fcfs: "fcfs",
  /** First come, first served, with small jobs filling gaps that delay no other job (EASY backfill). */
  Easy: "easy",
} as const;
export type MiniClusterQueuePolicy = (typeof MiniClusterQueuePolicy)[keyof typeof MiniClusterQueuePolicy];

/** Hosts that Fluxion gives to a job first. */
export const MiniClusterMatchPolicy = {
  /** The lowest hosts that fit. Fluxion looks at each idle host for each job, which takes long with thousands of them. */
  Lonode: "lonode",
  /** The first hosts that Fluxion finds: the highest, and one for each small job. The fastest, and Fluxion's own default. */
  First: "first",
} as const;
export type MiniClusterMatchPolicy = (typeof MiniClusterMatchPolicy)[keyof typeof MiniClusterMatchPolicy];

/** Settings of the brokers, whether they lead or follow. */
export interface BrokerFluxArgs {
  /** The container that brings Flux into the pod (the Flux view). Default: the Ubuntu noble view. */
  container?: MiniClusterFluxContainerArgs;
  /**
   * Architecture of the nodes: picks the view built for it, selects nodes by `kubernetes.io/arch`, and tolerates the taint
   * that clouds put on ARM nodes. Default: the x86 view, on any node.
   */
  arch?: MiniClusterArch;
  /** Commands to run each broker under (`flux start --wrap`), separated by commas. Default: none. */
  wrap?: string;
  /**
   * Time that a broker gives one attempt to reach its parent before it tries again (Flux `tbon.connect_timeout`), in Flux
   * duration form such as "5s" or "500ms"; empty for the value of Flux or `brokerConfig`. Default: "5s", or empty with
   * `brokerConfig`.
   */
  connectTimeout?: string;
  /** Starts a sidecar's command at once, without waiting for the broker's socket. Default: false. */
  noWaitSocket?: boolean;
  /** Severity that the brokers write to their log (`log-stderr-level`), from 0 (emergency) to 7 (debug). Default: 6. */
  logLevel?: number;
  /** Name of a Secret whose key munge.key is mounted as /etc/munge/munge.key. Default: none. */
  mungeSecret?: pulumi.Input<string>;
  /** Environment variables of the brokers, the sidecars and flux-view.sh, as parts of a script. Default: none. */
  environment?: Record<string, string>;
}

/** The Flux brokers and how the command is launched. */
export interface MiniClusterFluxArgs extends BrokerFluxArgs {
  /** Ends a follower with its broker, for any reason, instead of starting the broker again. Default: false. */
  completeWorkers?: boolean;
  /** Command that submits the container's command, as words. Default: "flux submit". */
  submitCommand?: string;
  /** Further options of the submit command, as words, such as "-ompi=pmix -c 4". Default: none. */
  optionFlags?: string;
  /**
   * Shape of the brokers' tree (Flux `tbon.topo`), such as "kary:2", "kary:0" or "binomial". Default: "kary:0"
   * with `minimalService` or `bursting`, which take no other; else a tree of fan-out 256, or what `brokerConfig` says of it.
   */
  topology?: string;
  /**
   * Leaves the broker's socket at Flux's own path instead of `<mountPath>/config/run/flux/local`. Not where the lead
   * broker runs in another cluster. Default: false.
   */
  disableSocket?: boolean;
  /** The job scheduler. Default: Fluxion, first come, first served. */
  scheduler?: MiniClusterSchedulerArgs;
  /**
   * Gives only the lead broker an address, as a service with a cluster IP in place of a headless one: less load on DNS, and
   * no host names for the followers. The brokers' tree is flat. Default: false.
   */
  minimalService?: boolean;
  /**
   * A curve certificate to use, in the text form of `flux keygen`, for brokers that join from elsewhere. Kept as a secret.
   * Default: a random one for each cluster.
   */
  curveCert?: pulumi.Input<string>;
  /**
   * The whole broker configuration (flux-config(5), TOML) in place of the one that the component renders. The
   * certificate and the description of the resources are put where its `bootstrap.curve_cert` and `resource.path` say.
   * Not together with `scheduler.queuePolicy`, `scheduler.matchPolicy` or `bursting`. Default: none.
   */
  brokerConfig?: string;
  /** Brokers of other clusters in the same Flux instance, in the form of the Flux Operator. Default: none. */
  bursting?: MiniClusterBurstingArgs;
}

/** The job scheduler of the Flux instance. */
export interface MiniClusterSchedulerArgs {
  /** Uses Flux's simple scheduler, which does not support GPUs, instead of Fluxion. Default: false. */
  simple?: boolean;
  /** Order in which jobs are taken from the queue (`sched-fluxion-qmanager.queue-policy`). Default: "fcfs". */
  queuePolicy?: MiniClusterQueuePolicy;
  /**
   * Hosts that a job is given first (`sched-fluxion-resource.match-policy`). The highest ranks leave first when a cluster becomes
   * smaller, and an agent waits for their jobs. For thousands of hosts with many short jobs, "first" is faster. Not together with
   * `simple`. Default: "lonode".
   */
  matchPolicy?: MiniClusterMatchPolicy;
}

/** The container that brings Flux into the pod: an init container whose Flux is copied to a volume that all share. */
export interface MiniClusterFluxContainerArgs {
  /**
   * Image with Flux under /opt/view, built for the operating system of the container that runs Flux. Default:
   * ghcr.io/converged-computing/flux-view-ubuntu, tag-noble or, on ARM, arm-noble.
   */
  image?: pulumi.Input<string>;
  /**
   * Mounts the image as a read-only volume in place of the copy: no init container, and nothing to copy. Requires
   * Kubernetes 1.35 or newer, or 1.33 with the feature gate `ImageVolume`, and an image with both /opt/view and
   * /opt/software. Excludes `disable`. Default: false.
   */
  imageVolume?: boolean;
  /** Name of the init container, a lowercase DNS label. Default: "flux-view". */
  name?: string;
  /** Directory of the shared volume in every container. Absolute. Default: "/mnt/flux". */
  mountPath?: string;
  /** Directory that the init container starts in. Absolute. Default: the image's own. */
  workingDir?: pulumi.Input<string>;
  /** Directory of Flux's Python modules. Absolute. Default: the view's own site-packages. */
  pythonPath?: string;
  /** Resources of the init container, needed for a pod of Guaranteed quality of service. Default: none. */
  resources?: MiniClusterResourcesArgs;
  /** Name of a Secret with the credentials to pull the image. Default: none. */
  imagePullSecret?: pulumi.Input<string>;
  /** Pulls the image at every start. Default: false. */
  pullAlways?: boolean;
  /** Security context of the init container. Default: no privilege escalation. */
  securityContext?: MiniClusterSecurityContextArgs;
  /** Brings no Flux: the image that runs Flux has its own, and there is no init container. Default: false. */
  disable?: boolean;
}

/**
 * Brokers of other clusters in the same Flux instance. Every cluster of the instance must name the same ones, in one order, and
 * have the Flux volume at one path (`container.mountPath`): all brokers take the configuration of the lead broker.
 */
export interface MiniClusterBurstingArgs {
  /** The lead broker, where it runs in another cluster. This cluster then has followers only. Default: rank 0 of this cluster. */
  leadBroker?: MiniClusterLeadBrokerArgs;
  /**
   * All hosts of the instance, as a Flux hostlist in rank order, such as "demo-[0-3],node[1-4]". Not together with `clusters`.
   * Default: the hosts of the lead broker's cluster, then those of `clusters`.
   */
  hostlist?: string;
  /** Clusters that join, in rank order. Default: none. */
  clusters?: MiniClusterBurstedClusterArgs[];
}

/** The lead broker in another cluster. */
export interface MiniClusterLeadBrokerArgs {
  /** IP address or host name that the lead broker is reached at. */
  address: string;
  /** Name of the lead broker's cluster, the stem of its host names. */
  name: string;
  /** Hosts of the lead broker's cluster: its `maxSize`. Between 1 and 100000. */
  size: number;
  /** TCP port that the lead broker is reached at, from 1 to 65535. Default: 8050. */
  port?: number;
}

/** A cluster that joins. */
export interface MiniClusterBurstedClusterArgs {
  /** Stem of its host names. A lowercase DNS label. Default: "burst-0" for the first, "burst-1" for the second and so on. */
  name?: string;
  /** Hosts that it may have. Between 1 and 100000. Default: the `maxSize` of this cluster. */
  size?: number;
}
