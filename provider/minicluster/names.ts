/** Identity of a cluster, from which all its names are derived. */
interface Identity {
  name: string;
  namespace: string;
}

/** Longest host name (RFC 1035 label). */
export const maxHostnameLength = 63;

/** TCP port of the brokers, from the Flux Administrator's Guide. */
export const brokerPort = 8050;

/** Host name of one rank's pod: Kubernetes names the pods of an Indexed Job after their completion index. */
export const podHostname = ({ name }: Pick<Identity, "name">, rank: number) => `${name}-${rank}`;

/** DNS domain of the brokers' host names. */
export const brokerDomain = ({ namespace, network }: { namespace: string; network: { headlessName: string } }) =>
  `${network.headlessName}.${namespace}.svc.cluster.local`;

export const secretName = ({ name }: Identity) => `${name}-curve`;

export const environmentSecretName = ({ name }: Identity) => `${name}-environment`;

/** The service by which brokers of other clusters reach the lead broker. */
export const leadServiceName = ({ name }: Pick<Identity, "name">) => `${name}-lead`;

/** The pod of the services, its host name, and the service in front of it. */
export const servicesName = ({ name }: Pick<Identity, "name">) => `${name}-services`;

export const disruptionBudgetName = ({ name }: Identity) => name;

export const configMapName = ({ name }: Identity) => `${name}-entrypoint`;

/** Label by which Kubernetes marks the pods of a Job. */
export const jobNameLabel = "job-name";

/** Label by which Kubernetes marks a pod with its completion index: its Flux rank. */
export const rankLabel = "batch.kubernetes.io/job-completion-index";

/** Label by which Kueue takes a Job into a local queue. */
export const queueLabel = "kueue.x-k8s.io/queue-name";

/** Labels of every object of a cluster. */
export const objectLabels = ({ name }: Identity) => ({
  "app.kubernetes.io/name": "minicluster",
  "app.kubernetes.io/instance": name,
  [jobNameLabel]: name,
});

/** Selects the pods of a cluster, that of its services included. */
export const podSelector = ({ name }: Pick<Identity, "name">) => ({ [jobNameLabel]: name });

/** Selects the brokers' pods of a cluster. */
export const brokerSelector = (spec: Pick<Identity, "name">) => ({
  matchLabels: podSelector(spec),
  matchExpressions: [{ key: rankLabel, operator: "Exists" }],
});

/** Selects the brokers' pods of a cluster for a service, which knows no expressions: the Job controller marks those alone. */
export const jobSelector = ({ name }: Pick<Identity, "name">) => ({ "batch.kubernetes.io/job-name": name });

/** Label that marks the pod of the services. */
export const servicesLabel = "minicluster/services";

/** Selects the pod of the services. */
export const servicesSelector = ({ name }: Pick<Identity, "name">) => ({ [servicesLabel]: name });

/** Selects the pod of the lead broker. */
export const leadSelector = (spec: Pick<Identity, "name">) => ({ ...podSelector(spec), [rankLabel]: "0" });

/** Key of the ConfigMap that holds the present size. */
export const sizeKey = "size";

/** Annotation with the hash of the object that a patch belongs to, so that a replaced object is patched again. */
export const hashAnnotation = "minicluster/template-hash";

/** As `hashAnnotation`, for the values that are only known later. */
export const leafHashAnnotation = "minicluster/leaf-hash";

/** Annotation by which a changed value of the environment changes the pod template. */
export const environmentHashAnnotation = "minicluster/environment-hash";

/** Annotation by which a changed configuration changes the pod template, so that the pods restart with it. */
export const configHashAnnotation = "minicluster/config-hash";

/** Annotation by which another certificate changes the pod template: brokers with different ones cannot talk. */
export const certificateHashAnnotation = "minicluster/certificate-hash";

/** Volumes of the component itself. */
export const volumeNames = {
  shared: "flux-view",
  image: "flux-view-image",
  config: "minicluster-config",
  curve: "minicluster-curve",
  munge: "minicluster-munge",
} as const;

export const reservedVolumeNames: string[] = Object.values(volumeNames);
