import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterResourcesArgs } from "./container";
import type { MiniClusterSecurityContextArgs } from "./security";

/** Processor architecture of the nodes. */
export const MiniClusterArch = {
  /** 64-bit x86. */
  Amd64: "amd64",
  /** 64-bit ARM. */
  Arm64: "arm64",
} as const;
export type MiniClusterArch = (typeof MiniClusterArch)[keyof typeof MiniClusterArch];

/** Order in which Flux takes jobs from its queue. */
export const MiniClusterQueuePolicy = {
  /** First come, first served. */
  Fcfs: "fcfs",
  /** First come, first served, with small jobs filling gaps that delay nobody (EASY backfill). */
  Easy: "easy",
} as const;
export type MiniClusterQueuePolicy = (typeof MiniClusterQueuePolicy)[keyof typeof MiniClusterQueuePolicy];

/** The Flux brokers and how the command is launched. */
export interface MiniClusterFluxArgs {
  /** The container that brings Flux into the pod (the Flux view). Default: the Ubuntu noble view. */
  container?: MiniClusterFluxContainerArgs;
  /**
   * Architecture of the nodes: picks the view built for it, selects nodes by `kubernetes.io/arch`, and tolerates the taint
   * that clouds put on ARM nodes. Default: the x86 view, on any node.
   */
  arch?: MiniClusterArch;
  /** Command that submits the container's command, as words. Default: "flux submit". */
  submitCommand?: string;
  /** Further options of the submit command, as words, such as "-ompi=pmix -c 4". Default: none. */
  optionFlags?: string;
  /** Commands to run each broker under (`flux start --wrap`), separated by commas. Default: none. */
  wrap?: string;
  /**
   * Time that a broker gives one attempt to reach its parent before it tries again (Flux `tbon.connect_timeout`), in Flux
   * duration form such as "5s" or "500ms". Default: "5s".
   */
  connectTimeout?: string;
  /** Shape of the brokers' tree (Flux `tbon.topo`), such as "kary:2", "kary:0" or "binomial". Default: a tree of fan-out 256. */
  topology?: string;
  /** Leaves the broker's socket at Flux's own path instead of `<mountPath>/config/run/flux/local`. Default: false. */
  disableSocket?: boolean;
  /** Starts a sidecar's command at once, without waiting for the broker's socket. Default: false. */
  noWaitSocket?: boolean;
  /** Lets a follower end with its broker, whatever the reason, instead of starting it again. Default: false. */
  completeWorkers?: boolean;
  /** Severity that the brokers write to their log (`log-stderr-level`), from 0 (emergency) to 7 (debug). Default: 6. */
  logLevel?: number;
  /** The job scheduler. Default: Fluxion, first come, first served. */
  scheduler?: MiniClusterSchedulerArgs;
}

/** The job scheduler of the Flux instance. */
export interface MiniClusterSchedulerArgs {
  /** Uses Flux's simple scheduler, which knows no GPUs, instead of Fluxion. Default: false. */
  simple?: boolean;
  /** Order in which jobs are taken from the queue (`sched-fluxion-qmanager.queue-policy`). Default: "fcfs". */
  queuePolicy?: MiniClusterQueuePolicy;
}

/** The container that brings Flux into the pod: an init container whose Flux is copied to a volume that all share. */
export interface MiniClusterFluxContainerArgs {
  /**
   * Image with Flux under /opt/view, built for the operating system of the container that runs Flux. Default:
   * ghcr.io/converged-computing/flux-view-ubuntu, tag-noble or, on ARM, arm-noble.
   */
  image?: pulumi.Input<string>;
  /** Name of the init container. Default: "flux-view". */
  name?: string;
  /** Directory of the shared volume in every container. Absolute. Default: "/mnt/flux". */
  mountPath?: string;
  /** Directory that the init container starts in. Default: the image's own. */
  workingDir?: pulumi.Input<string>;
  /** Directory of Flux's Python modules. Default: the view's own site-packages. */
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
