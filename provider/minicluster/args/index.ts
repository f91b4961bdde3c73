import { type BrokerPodsArgs, MiniClusterWait } from "../../brokers/args";
import type { BurstingArgs } from "../../brokers/args/bursting";
import type { MiniClusterFluxArgs } from "../../brokers/args/flux";
import type {
  MiniClusterAutoscaleArgs,
  MiniClusterConsoleArgs,
  MiniClusterMetricsArgs,
  MiniClusterRequeueArgs,
} from "../../brokers/args/programs";
import type { MiniClusterGroupArgs, MiniClusterLeadArgs } from "./groups";

export * from "./groups";

/**
 * A Flux instance in Kubernetes: one lead broker and its followers, as the pods of one Indexed Job, or of several with `lead`
 * and `groups`.
 */
export interface MiniClusterArgs extends BrokerPodsArgs {
  /**
   * Name of the Job, and the stem of every other object and host name: the pod of rank 3 is `<name>-3`. A lowercase DNS
   * label with room for the highest rank in 63 characters. Default: the Pulumi resource name.
   */
  name?: string;
  /**
   * Number of pods, each with one Flux broker, from 1 to `maxSize`. It is changed in place; the highest ranks are removed
   * first. To pause a cluster, use `suspend`: an Indexed Job of size 0 would be complete permanently. Default: 1.
   */
  size?: number;
  /**
   * Brokers that must be online before the command runs (Flux `broker.quorum`). From 1 to `size`. Default: the size when the
   * lead broker starts.
   */
  minSize?: number;
  /**
   * Number of hosts of the Flux instance: the largest `size` without a replacement of the cluster. Set it for every cluster
   * whose size may change: otherwise every change of `size` replaces the Job, and the preview warns. From `size` to 100000.
   * Default: `size`.
   */
  maxSize?: number;
  /**
   * Automatic size, which the queue of the Flux instance determines, instead of `size`. An agent in a separate pod sets
   * the counts of the Job, and Pulumi ignores changes of them. The agent has permission only to get and patch this Job.
   * Requires a cluster that is interactive or has a launcher. Default: none.
   */
  autoscale?: MiniClusterAutoscaleArgs;
  /**
   * The lead broker in a separate Job, on a small node, so that all workers can be removed. The workers are the pods of
   * `groups`, or of one group with the name "workers" and the arguments of the cluster, whose `autoscale.min` may then
   * be 0. Requires a cluster without a command. Adding or removing it replaces the cluster. Default: none; pod 0 has
   * the lead broker and runs jobs.
   */
  lead?: MiniClusterLeadArgs;
  /**
   * Groups of workers by their names, each with its own size, machines and containers, and with a Flux queue and a property of
   * the same name. The queue of the first group in alphabetical order is the default queue. Adding or removing a group replaces
   * the Jobs, because the hosts of the instance are part of the brokers' configuration. Implies `lead`. Cannot be set with
   * `size`, `maxSize` or `autoscale`. Default: none.
   */
  groups?: Record<string, MiniClusterGroupArgs>;
  /**
   * Metrics of the Flux instance in the text format of Prometheus, from the lead broker's pod: jobs by state and queue,
   * brokers, and free resources. They can be added and removed while the brokers run. Not supported if the lead broker runs in
   * another cluster. Default: none.
   */
  metrics?: MiniClusterMetricsArgs;
  /**
   * Live web page and REST API of the Flux instance for users with tokens: jobs, their output, hosts, and events, from the lead
   * broker's pod. It can be added and removed while the brokers run, and its users can be changed without a restart. Requires a
   * version of Flux with the job manager's journal in Python (0.68). Not supported if the lead broker runs in another cluster.
   * Default: none.
   */
  console?: MiniClusterConsoleArgs;
  /**
   * Resubmission of jobs that have lost a host, such as a spot machine, if they opt in. Requires a version of Flux with the job
   * manager's journal in Python (0.68). Not supported if the lead broker runs in another cluster. Default: none.
   */
  requeue?: MiniClusterRequeueArgs;
  /**
   * Total number of tasks of the submitted command (`flux submit -n`). 0 requests only nodes: `-N <size>`. With at least `size`
   * tasks, both are set. Default: 1.
   */
  tasks?: number;
  /**
   * Keeps the instance running without a command, so that users can connect to it. The command of a container is then not run.
   * Default: false.
   */
  interactive?: boolean;
  /**
   * Removes the Job and its pods a minute after it has finished (`ttlSecondsAfterFinished`). The other objects remain, and the
   * state of the stack does not change: `pulumi up --refresh` starts the cluster again, and `pulumi destroy` removes the
   * remaining objects. Default: false.
   */
  cleanup?: boolean;
  /**
   * Restarts the cluster when its command fails, until `backoffLimit` pods have failed. With false, the first exit status other
   * than 0 of a broker's container fails the Job, and only killed or lost pods are replaced. An exit status of 128, 137 or 255
   * is then reported as 1, because killed containers have these statuses. Cannot be false with `pod.restartPolicy` "OnFailure".
   * Default: true.
   */
  retryCommand?: boolean;
  /** Pauses the cluster: its pods are removed, and created again when this is false (Job `suspend`). Default: false. */
  suspend?: boolean;
  /**
   * The Flux brokers, and the way in which they start the command. Default: the Ubuntu noble view, and the defaults of
   * Flux.
   */
  flux?: MiniClusterFluxArgs;
  /**
   * BurstClusters that can join this cluster, and the endpoint of its lead broker. The output `burst` has all values
   * that a BurstCluster needs. Cannot be set with `flux.bursting` or `flux.brokerConfig`. Default: none.
   */
  bursting?: BurstingArgs;
  /**
   * Persistent state, which is restored when the cluster starts and saved when it ends. Not supported if the lead broker runs
   * in another cluster. Default: none.
   */
  archive?: MiniClusterArchiveArgs;
  /** Condition that `pulumi up` waits for. "complete" requires a command that ends. Default: "ready". */
  wait?: MiniClusterWait;
}

/** Persistent state of a Flux instance. */
export interface MiniClusterArchiveArgs {
  /**
   * Absolute path of the file with the state, such as "/state/archive.tar.gz", on a persistent volume. The lead broker restores
   * the file if it exists (Flux `content.restore`), and replaces it after the instance has shut down cleanly (`content.dump`).
   */
  path: string;
}
