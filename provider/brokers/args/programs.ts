import type * as pulumi from "@pulumi/pulumi";

/** Metrics of a Flux instance for Prometheus. */
export interface MiniClusterMetricsArgs {
  /**
   * TCP port of the lead broker's pod, at the path `/metrics`. From 1024 to 65535; not 8050 and 8060, which the brokers
   * and agents have, and none of `containers`. Default: 8061.
   */
  port?: number;
  /**
   * Namespace of Prometheus, whose pods alone may connect to the port where `network.policy` is "pods". Default: every namespace of
   * the Kubernetes cluster.
   */
  fromNamespace?: pulumi.Input<string>;
  /**
   * A PodMonitor of the Prometheus Operator (`monitoring.coreos.com/v1`), by which Prometheus finds the lead broker's pod.
   * Refused where the Kubernetes cluster has no such kind. Default: none.
   */
  podMonitor?: MiniClusterPodMonitorArgs;
}

/** PodMonitor of a MiniCluster. */
export interface MiniClusterPodMonitorArgs {
  /**
   * Labels by which Prometheus selects its PodMonitors, such as `release: "kube-prometheus-stack"`, beside those of the
   * component. Default: none.
   */
  labels?: Record<string, pulumi.Input<string>>;
  /** Seconds from one scrape to the next. From 1 to 86400. Default: that of Prometheus. */
  intervalSeconds?: number;
}

/**
 * Console of a Flux instance for its users: a live web page and a REST API, from the lead broker's pod. Every user is in one of the
 * lists, and has a token. All see all jobs, which run as the one Unix user of the instance.
 */
export interface MiniClusterConsoleArgs {
  /** Users who submit jobs, and cancel their own. Up to 64 letters, digits, -, _, . and @ each. Default: none. */
  users?: string[];
  /** Users who only read. Default: none. */
  viewers?: string[];
  /** Users who also cancel the jobs of others, drain hosts and stop the instance. Default: none. */
  admins?: string[];
  /**
   * Tokens of users, by name, of at least 8 characters. Kept as a secret. Default: a token for each user from a random key, in the
   * output `consoleTokens`.
   */
  tokens?: Record<string, pulumi.Input<string>>;
  /**
   * Key that the server shares with clients that log in by a signed message, as `flux-restful-client` does (`FLUX_SECRET_KEY`).
   * Kept as a secret. Default: no such login; the token itself is the bearer token.
   */
  secretKey?: pulumi.Input<string>;
  /**
   * TCP port of the lead broker's pod and of the Service. From 1024 to 65535; not 8050 and 8060, which the brokers and agents
   * have, that of `metrics`, and none of `containers`. Default: 8062.
   */
  port?: number;
  /**
   * Namespace of the pods that alone may connect to the port where `network.policy` is "pods", such as that of an ingress
   * controller. Default: every namespace of the Kubernetes cluster.
   */
  fromNamespace?: pulumi.Input<string>;
  /**
   * File in the container of Flux to which a copy of the page is written, every half minute and at the end of the instance, such as one on a
   * volume. It is one file that opens without a server, with the newest jobs that fit into 1.5 MB. An absolute path. Default: no copy.
   */
  keep?: string;
}

/** Signal that a job receives before one of its hosts leaves. */
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
 * Jobs that are submitted again after they have lost a host. A job opts in by the attribute `requeue`
 * (`flux submit --setattr=requeue`), which may hold its own values (`--setattr=requeue.restarts=5`).
 */
export interface MiniClusterRequeueArgs {
  /** Most times that a job is submitted again. From 0 to 1000. Default: 3. */
  restarts?: number;
  /**
   * Signal that a job receives when the pod of one of its hosts is about to end. A job that then ends with a status other than 0 is
   * submitted again. Default: "USR1".
   */
  signal?: MiniClusterRequeueSignal;
  /** Seconds from the signal until the job is stopped. From 0 to 86400, and at most `drainTimeoutSeconds`. Default: 20, or that. */
  graceSeconds?: number;
}

/** Pace and budget of every size that follows the queue. */
export interface AutoscalePaceArgs {
  /** Seconds that hosts must have been idle before they go. From 0 to 86400. Default: 300. */
  idleSeconds?: number;
  /** Seconds from one change of the size to the next. From 0 to 86400. Default: 30. */
  cooldownSeconds?: number;
  /** Most pods that come or go at once. From 1 to 100000. Default: no limit. */
  maxStep?: number;
  /**
   * Most that the hosts may cost in a day and in a month, by `pricePerHour` of the pool. When it is spent, the size grows no further
   * until the next day or month (UTC). Running jobs and their hosts stay. Default: no budget.
   */
  budget?: MiniClusterBudgetArgs;
}

/** Size that follows the queue of the Flux instance. All times are in seconds. */
export interface MiniClusterAutoscaleArgs extends AutoscalePaceArgs {
  /** Smallest size, and the quorum (Flux `broker.quorum`): what `pulumi up` waits for. From 1 to `max`. Default: 1. */
  min?: number;
  /** Largest size. From `min` to `maxSize`, of which it is the default. */
  max: number;
}

/**
 * A budget of a Job whose size follows the queue, in the currency of `pricePerHour`. One of both limits is required. The agent counts the
 * pods of the Job at the price of a node, every few seconds, and keeps the count in an annotation of the Job (`minicluster/spent`).
 */
export interface MiniClusterBudgetArgs {
  /** Most for a day, above 0. Default: no limit. */
  perDay?: number;
  /** Most for a month, above 0. Default: no limit. */
  perMonth?: number;
}
