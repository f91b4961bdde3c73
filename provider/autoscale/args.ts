import type * as pulumi from "@pulumi/pulumi";

/** Metrics of a Flux instance for Prometheus. */
export interface MiniClusterMetricsArgs {
  /**
   * TCP port of the lead broker's pod, at the path `/metrics`. From 1024 to 65535, except 8050 and 8060, which the brokers and
   * agents use, and the ports of `containers`. Default: 8061.
   */
  port?: number;
  /**
   * Namespace of Prometheus. With `network.policy` "pods", only pods of this namespace can connect to the port. Default: every
   * namespace of the Kubernetes cluster.
   */
  fromNamespace?: pulumi.Input<string>;
  /**
   * A PodMonitor of the Prometheus Operator (`monitoring.coreos.com/v1`), with which Prometheus finds the lead broker's pod.
   * Refused if the Kubernetes cluster does not have this kind. Default: none.
   */
  podMonitor?: MiniClusterPodMonitorArgs;
}

/** PodMonitor of a MiniCluster. */
export interface MiniClusterPodMonitorArgs {
  /**
   * Labels with which Prometheus selects its PodMonitors, such as `release: "kube-prometheus-stack"`, in addition to those of
   * the component. Default: none.
   */
  labels?: Record<string, pulumi.Input<string>>;
  /** Seconds between scrapes. From 1 to 86400. Default: that of Prometheus. */
  intervalSeconds?: number;
}

/**
 * Console of a Flux instance for its users: a live web page and a REST API, from the lead broker's pod. Each user is in one of
 * the lists and has a token. All users can see all jobs, which run as the Unix user of the instance.
 */
export interface MiniClusterConsoleArgs {
  /** Users who can submit jobs, and cancel their own jobs. Up to 64 letters, digits, -, _, . and @ each. Default: none. */
  users?: string[];
  /** Users with read-only access. Default: none. */
  viewers?: string[];
  /** Users who can also cancel all jobs, drain hosts and stop the instance. Default: none. */
  admins?: string[];
  /**
   * Tokens of users, by name, of at least 8 characters. Kept as a secret. Default: a token for each user from a random key, in the
   * output `consoleTokens`.
   */
  tokens?: Record<string, pulumi.Input<string>>;
  /**
   * Shared key for clients that log in with a signed message, as `flux-restful-client` does (`FLUX_SECRET_KEY`). Kept as a
   * secret. Default: none; clients use the token as the bearer token.
   */
  secretKey?: pulumi.Input<string>;
  /**
   * TCP port of the lead broker's pod and of the Service. From 1024 to 65535, except 8050 and 8060, which the brokers and
   * agents use, the port of `metrics`, and the ports of `containers`. Default: 8062.
   */
  port?: number;
  /**
   * Namespace of the clients, such as that of an ingress controller. With `network.policy` "pods", only pods of this namespace
   * can connect to the port. Default: every namespace of the Kubernetes cluster.
   */
  fromNamespace?: pulumi.Input<string>;
  /**
   * Absolute path of a file in the container that runs Flux, such as one on a volume. A copy of the page is written to it every
   * half minute and at the end of the instance. It opens without a server, and has as many of the newest jobs as fit into 1.5
   * MB. Default: no copy.
   */
  keep?: string;
}

/** Signal that a job receives before one of its hosts is lost. */
export const MiniClusterRequeueSignal = {
  /** SIGUSR1. */
  Usr1: "USR1",
  /** SIGUSR2. */
  Usr2: "USR2",
  /** SIGTERM. */
  Term: "TERM",
  /** SIGINT. */
  Int: "INT",
  /** SIGHUP. */
  Hup: "HUP",
} as const;
export type MiniClusterRequeueSignal = (typeof MiniClusterRequeueSignal)[keyof typeof MiniClusterRequeueSignal];

/**
 * Resubmission of jobs that have lost a host. A job opts in with the attribute `requeue` (`flux submit --setattr=requeue`),
 * which can have its own values (`--setattr=requeue.restarts=5`).
 */
export interface MiniClusterRequeueArgs {
  /** Maximum number of resubmissions of a job. From 0 to 1000. Default: 3. */
  restarts?: number;
  /**
   * Signal that a job receives when the pod of one of its hosts is about to terminate. If the job then ends with a status other
   * than 0, it is submitted again. Default: "USR1".
   */
  signal?: MiniClusterRequeueSignal;
  /** Seconds from the signal until the job is stopped. From 0 to 86400, and at most `drainTimeoutSeconds`. Default: 20, or that. */
  graceSeconds?: number;
}

/** Pace and budget of automatic sizes, and their agent. */
export interface AutoscalePaceArgs {
  /**
   * Image of the agent, which needs a shell and Python 3.8 or newer as `python3`, such as "python:3.13-alpine". Groups have one
   * agent, and so one image. Pull policy and secret are the same as without it. Default: the image with Flux, which is larger.
   */
  image?: pulumi.Input<string>;
  /** Seconds after which idle hosts are removed. From 0 to 86400. Default: 300. */
  idleSeconds?: number;
  /** Minimum number of seconds between changes of the size. From 0 to 86400. Default: 30. */
  cooldownSeconds?: number;
  /** Maximum number of pods that are added or removed in one change. From 1 to 100000. Default: no limit. */
  maxStep?: number;
  /**
   * Maximum cost of the hosts per day and per month, by `pricePerHour` of the pool. When it is spent, the size does not grow
   * until the next day or month (UTC). Running jobs keep their hosts. Default: no budget.
   */
  budget?: MiniClusterBudgetArgs;
}

/** Automatic size, which follows the queue of the Flux instance. All times are in seconds. */
export interface MiniClusterAutoscaleArgs extends AutoscalePaceArgs {
  /**
   * Smallest size, which is also the quorum (Flux `broker.quorum`) and the size that `pulumi up` waits for. From 1 to `max`.
   * Default: 1.
   */
  min?: number;
  /** Largest size. From `min` to `maxSize`, whose default it is. */
  max: number;
}

/**
 * Budget of an automatic size, in the currency of `pricePerHour`. At least one limit is required. Every few seconds, the agent
 * adds the price of a node for each pod of the Job, and stores the sum in an annotation of the Job (`minicluster/spent`).
 */
export interface MiniClusterBudgetArgs {
  /** Maximum cost per day, above 0. Default: no limit. */
  perDay?: number;
  /** Maximum cost per month, above 0. Default: no limit. */
  perMonth?: number;
}
