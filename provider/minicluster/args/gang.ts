import * as pulumi from "@pulumi/pulumi";

/** Placement of a MiniCluster's pods on their nodes all together. One of the properties, or none. */
export interface MiniClusterGangArgs {
  /**
   * A scheduler that places the pods as one group, such as "fluence" or "volcano". It needs the settings that its
   * documents name, such as labels in `pod.labels`. Not together with `queueName` or `pod.schedulerName`. Default:
   * Kubernetes' own, or that of `pod.schedulerName`.
   */
  schedulerName?: pulumi.Input<string>;
  /**
   * A local queue of Kueue, set as the Job's label `kueue.x-k8s.io/queue-name`. Kueue holds the Job back until its
   * quota has room for every pod, so `suspend` belongs to Kueue, and is refused. Default: none.
   */
  queueName?: pulumi.Input<string>;
}
