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
   * Labels with which Prometheus selects its PodMonitors, such as `release: "kube-prometheus-stack"`, in addition to the labels
   * of the component. Default: none.
   */
  labels?: Record<string, pulumi.Input<string>>;
  /** Seconds between scrapes. From 1 to 86400. Default: the interval of Prometheus. */
  intervalSeconds?: number;
}

/** Argument of a cluster with metrics. */
export interface MetricsArgs {
  /**
   * Metrics of the Flux instance in the text format of Prometheus, from the lead broker's pod: jobs by state and queue,
   * brokers, and free resources. They can be added and removed while the brokers run. Not supported if the lead broker runs in
   * another cluster. Default: none.
   */
  metrics?: MiniClusterMetricsArgs;
}
