import { hostlist } from "./flux/hostlist";
import type { MiniClusterSpec } from "./spec";

/** What every derived name needs to know of a cluster. */
type Identity = Pick<MiniClusterSpec, "name" | "namespace">;

/** Longest host name (RFC 1035 label). */
export const maxHostnameLength = 63;

/** TCP port of the brokers, from the Flux Administrator's Guide. */
export const brokerPort = 8050;

/** Host name of one rank's pod: Kubernetes names the pods of an Indexed Job after their completion index. */
export const podHostname = ({ name }: Pick<Identity, "name">, rank: number) => `${name}-${rank}`;

/** DNS domain of the brokers' host names. */
export const brokerDomain = ({ namespace, network }: Pick<MiniClusterSpec, "namespace" | "network">) =>
  `${network.headlessName}.${namespace}.svc.cluster.local`;

/** Fully qualified host name of the lead broker. */
export const leadHost = (spec: MiniClusterSpec) => `${podHostname(spec, 0)}.${brokerDomain(spec)}`;

/** Every host that the Flux instance knows, in rank order: a function of `maxSize`, never of `size`. */
export const clusterHostlist = ({ name, maxSize }: Pick<MiniClusterSpec, "name" | "maxSize">) =>
  hostlist(name, maxSize);

export const secretName = ({ name }: Identity) => `${name}-curve`;

export const environmentSecretName = ({ name }: Identity) => `${name}-environment`;

export const configMapName = ({ name }: Identity) => `${name}-entrypoint`;

/** Label by which Kubernetes marks the pods of a Job. */
export const jobNameLabel = "job-name";

/** Label by which Kubernetes marks a pod with its completion index: its Flux rank. */
export const rankLabel = "batch.kubernetes.io/job-completion-index";

/** Labels of every object of a cluster. */
export const objectLabels = ({ name }: Identity) => ({
  "app.kubernetes.io/name": "minicluster",
  "app.kubernetes.io/instance": name,
  [jobNameLabel]: name,
});

/** Selects the pods of a cluster. */
export const podSelector = ({ name }: Identity) => ({ [jobNameLabel]: name });

/** Key of the ConfigMap that holds the present size. */
export const sizeKey = "size";

/** Annotation that carries the hash of what a patch belongs to, so that a replaced object is patched again. */
export const hashAnnotation = "minicluster/template-hash";

/** As `hashAnnotation`, for the values that are only known later. */
export const leafHashAnnotation = "minicluster/leaf-hash";

/** Annotation by which a changed value of the environment changes the pod template. */
export const environmentHashAnnotation = "minicluster/environment-hash";

/** Annotation by which a changed configuration changes the pod template, so that the pods restart with it. */
export const configHashAnnotation = "minicluster/config-hash";

/** Volumes of the component itself. */
export const volumeNames = { shared: "flux-view", config: "minicluster-config", curve: "minicluster-curve" } as const;

export const reservedVolumeNames: string[] = Object.values(volumeNames);
