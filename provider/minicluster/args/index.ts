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
 * A Flux instance in Kubernetes: one lead broker and its followers, as the pods of one Indexed Job, or with `lead` and `groups` of several.
 */
export interface MiniClusterArgs extends BrokerPodsArgs {
  /**
   * Name of the Job, and the stem of every other object and host name: the pod of rank 3 is `<name>-3`. A lowercase DNS
   * label with room for the highest rank in 63 characters. Default: the Pulumi resource name.
   */
  name?: string;
  /**
   * Pods to run, one Flux broker in each. Between 1 and `maxSize`; changed in place, highest ranks leaving first. To pause a
   * cluster use `suspend`: an Indexed Job of size 0 would be complete for good. Default: 1.
   */
  size?: number;
  /**
   * Brokers that must be online before the command runs (Flux `broker.quorum`). Between 1 and `size`. Default: the size at
   * the moment that the lead broker starts.
   */
  minSize?: number;
  /**
   * Hosts of the Flux instance, and so the largest `size` that can be reached without replacing the cluster. Set it
   * where the size may ever change: without it every change of `size` replaces the Job, and the preview warns. Between `size`
   * and 100000. Default: `size`.
   */
  maxSize?: number;
  /**
   * Size that follows the queue of the Flux instance, in place of `size`: an agent in a separate pod sets the counts of the
   * Job, and Pulumi leaves them alone. It may get and patch that Job, and nothing else. For a cluster that is interactive or
   * has a launcher. Default: none.
   */
  autoscale?: MiniClusterAutoscaleArgs;
  /**
   * The lead broker in a separate Job, on a small node, so that all workers may be removed. The workers are those of
   * `groups`, or else one group with the name "workers" and the arguments of the cluster; its `autoscale.min` may then be 0. Requires a
   * cluster without a command. A change from or to a cluster without it replaces the cluster. Default: none, pod 0 has the lead broker
   * and runs jobs.
   */
  lead?: MiniClusterLeadArgs;
  /**
   * Groups of workers by their names, each with its own size, machines and containers, and with a Flux queue and a property of its name.
   * The first one by name is the default queue. A group that is added or removed replaces the Jobs, because the hosts of the instance are part
   * of the brokers' configuration. Implies `lead`. Not with `size`, `maxSize` and `autoscale`. Default: none.
   */
  groups?: Record<string, MiniClusterGroupArgs>;
  /**
   * Metrics of the Flux instance in the text format of Prometheus, from the lead broker's pod: jobs by state and queue, brokers,
   * and what is free. They are added and removed while the brokers run. Not where the lead broker runs in another cluster. Default: none.
   */
  metrics?: MiniClusterMetricsArgs;
  /**
   * Live web page and REST API of the Flux instance for users with tokens: jobs, their output, hosts, and changes as they happen,
   * from the lead broker's pod. It is added and removed while the brokers run, and its users change without a restart. For versions
   * of Flux with the journal of the job manager in Python (0.68). Not where the lead broker runs in another cluster. Default: none.
   */
  console?: MiniClusterConsoleArgs;
  /**
   * Jobs that are submitted again after they have lost a host, such as a spot machine. For jobs that opt in, and for versions of Flux
   * with the journal of the job manager in Python (0.68). Not where the lead broker runs in another cluster. Default: none.
   */
  requeue?: MiniClusterRequeueArgs;
  /**
   * Total tasks of the submitted command (`flux submit -n`). 0 requests nodes only: `-N <size>`. With at least `size` tasks
   * both are set. Default: 1.
   */
  tasks?: number;
  /**
   * Keeps the instance up with no command, for people to connect to. A container's command is then left for them to run.
   * Default: false.
   */
  interactive?: boolean;
  /**
   * Removes the Job and its pods a minute after it has finished (`ttlSecondsAfterFinished`). The other objects stay, and
   * the state of the stack does not change: `pulumi up --refresh` starts the cluster again, `pulumi destroy` removes what
   * is left. Default: false.
   */
  cleanup?: boolean;
  /**
   * Starts the cluster over when its command fails, until `backoffLimit` pods have failed. With false the first exit status
   * other than 0 of a broker's container fails the Job; only pods that were killed or lost are replaced. An exit status of
   * 128, 137 or 255 is then reported as 1, because containers that were killed have those. Not with
   * `pod.restartPolicy` "OnFailure". Default: true.
   */
  retryCommand?: boolean;
  /** Pauses the cluster: its pods are removed and come back when this is false again (Job `suspend`). Default: false. */
  suspend?: boolean;
  /** The Flux brokers and how the command is launched. Default: the Ubuntu noble view and Flux's own settings. */
  flux?: MiniClusterFluxArgs;
  /**
   * Clusters that may join this one, and the way to its lead broker. The output `burst` has all that each of them needs.
   * Not together with `flux.bursting` or `flux.brokerConfig`. Default: none.
   */
  bursting?: BurstingArgs;
  /**
   * State that outlives the cluster: restored when it starts and saved at its end. Not where the lead broker runs in another
   * cluster. Default: none.
   */
  archive?: MiniClusterArchiveArgs;
  /** Condition that `pulumi up` waits for. "complete" needs a command that ends. Default: "ready". */
  wait?: MiniClusterWait;
}

/** State of a Flux instance that outlives it. */
export interface MiniClusterArchiveArgs {
  /**
   * File of the state, such as "/state/archive.tar.gz", on a volume that outlives the pods. The lead broker restores it if it
   * is there (Flux `content.restore`), and replaces it when the instance has shut down cleanly (`content.dump`). Absolute.
   */
  path: string;
}
