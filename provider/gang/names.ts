import { MiniClusterGangVersion } from "./args";

/**
 * Name of the PodGroup of the brokers' pods. A PodGroup of "v1alpha2" cannot be changed: a change creates another PodGroup, under
 * another name, and running pods keep the former PodGroup until they have ended.
 */
export const podGroupName = (
  { name }: { name: string },
  { version, minCount }: { version: MiniClusterGangVersion; minCount: number },
) => (version === MiniClusterGangVersion.V1alpha2 ? `${name}-${minCount}` : name);

/** Label that puts a Job into a local queue of Kueue. */
export const queueLabel = "kueue.x-k8s.io/queue-name";

/** Annotation that lets Kueue admit a resize of a running Job. */
export const elasticAnnotation = "kueue.x-k8s.io/elastic-job";

/** Label by which Kueue ends a Job after some seconds. */
export const maxRunTimeLabel = "kueue.x-k8s.io/max-exec-time-seconds";

/** Label with the existing Workload that Kueue uses for a Job instead of creating one. */
export const workloadLabel = "kueue.x-k8s.io/prebuilt-workload-name";

/** Labels of a Job that Kueue does not allow to change while the Job runs. */
export const queueLabels = [queueLabel, maxRunTimeLabel, workloadLabel];

/** Annotations of the pods with their topology request to Kueue. */
export const topologyAnnotations = {
  required: "kueue.x-k8s.io/podset-required-topology",
  preferred: "kueue.x-k8s.io/podset-preferred-topology",
  unconstrained: "kueue.x-k8s.io/podset-unconstrained-topology",
} as const;
