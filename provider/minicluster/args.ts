import { type BrokerPodsArgs, MiniClusterWait } from "../core/args";
import type { MiniClusterFluxArgs } from "../core/args/flux";

/** Arguments of a MiniCluster, without the arguments of features. */
export interface ClusterArgs extends BrokerPodsArgs {
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
   * Total number of tasks of the submitted command (`flux submit -n`), 1 or more. With at least `size` tasks, the command also
   * requests all nodes (`-N <size>`); with fewer, some nodes remain idle. Default: one task on each node.
   */
  tasks?: number;
  /**
   * Keeps the instance running without a command, so that users can connect to it. Cannot be set with a command. Default: true for
   * a cluster without a command, otherwise false.
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
   * is then reported as 1, because killed containers have these statuses. Only for a cluster with a command: a broker that fails
   * without one is always replaced. Cannot be false with `pod.restartPolicy` "OnFailure". Default: false; true with "OnFailure".
   */
  retryCommand?: boolean;
  /** Pauses the cluster: its pods are removed, and created again when this is false (Job `suspend`). Default: false. */
  suspend?: boolean;
  /**
   * The Flux brokers, and the way in which they start the command. Default: the Ubuntu noble view, and the defaults of
   * Flux.
   */
  flux?: MiniClusterFluxArgs;
  /** Condition that `pulumi up` waits for. "complete" requires a command that ends. Default: "ready". */
  wait?: MiniClusterWait;
}
