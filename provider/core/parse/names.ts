import contract from "../contract.json";

/** Identity of a cluster, from which all its names are derived. */
interface Identity {
  name: string;
  namespace: string;
}

/** The MiniCluster that a Job belongs to, and whose objects it shares. */
interface Member {
  cluster: string;
}

/** Parts of the DNS domain of the brokers. */
interface DomainParts {
  namespace: string;
  network: { headlessName: string; clusterDomain: string };
}

/** Longest host name (RFC 1035 label). */
export const maxHostnameLength = 63;

/** Maximum number of pods of a Job: with more pods, Kubernetes does not track the indexes exactly. */
export const maxPods = 100_000;

/** TCP port of the brokers, from the Flux Administrator's Guide. */
export const brokerPort = 8050;

/** TCP port at which the lead broker's pod serves the demand of its queue. */
export const demandPort = 8060;

/** Host name of one rank's pod: Kubernetes names the pods of an Indexed Job after their completion index. */
export const podHostname = ({ name }: Pick<Identity, "name">, rank: number) => `${name}-${rank}`;

/** Name of the headless Service that gives the brokers their host names. */
export const headlessServiceName = (cluster: { name: string; network?: { headlessName?: string } }) =>
  cluster.network?.headlessName ?? cluster.name;

/** DNS domain of the brokers' host names. */
export const brokerDomain = ({ namespace, network }: DomainParts) =>
  `${network.headlessName}.${namespace}.svc.${network.clusterDomain}`;

/**
 * A full host name as the brokers resolve it. Without the dot at its end, a resolver also queries the name in each search domain
 * of the pod: while the host does not exist yet, every follower sends four times as many queries.
 */
export const absoluteName = (host: string) => `${host}.`;

export const secretName = ({ cluster }: Member) => `${cluster}-curve`;

export const environmentSecretName = ({ name }: Identity) => `${name}-environment`;

/** The pod of the services, its host name, and the Service in front of it. */
export const servicesName = ({ name }: Pick<Identity, "name">) => `${name}-services`;

/** The ConfigMap of the programs that run beside Flux: the programs of the lead broker's pod, and the agent. */
export const programsName = ({ name }: Pick<Identity, "name">) => `${name}-programs`;

/** The DaemonSet that pulls the images to the nodes before the pods start. */
export const prepullName = ({ name }: Pick<Identity, "name">) => `${name}-prepull`;

export const disruptionBudgetName = ({ name }: Identity) => name;

/** The template of the device claims of the brokers' pods. */
export const claimTemplateName = ({ name }: Identity) => `${name}-devices`;

/** The NVLink domain of the brokers' pods, and the template of the claims of its channel. */
export const computeDomainName = ({ name }: Identity) => name;
export const channelTemplateName = ({ name }: Identity) => `${name}-channel`;

export const configMapName = ({ name }: Identity) => `${name}-entrypoint`;

/** Label by which Kubernetes marks the pods of a Job. */
export const jobNameLabel = "job-name";

/** Label by which Kubernetes marks a pod with its completion index: its Flux rank. */
export const rankLabel = "batch.kubernetes.io/job-completion-index";

/** Label of every object of a cluster and of its groups. */
const clusterLabel = "app.kubernetes.io/instance";

/**
 * Labels in the pod template of a Job. Kubernetes adds the label with the name of the Job; with that label in the template, Pulumi's
 * plugin cannot try a replacement of the Job under another name.
 */
export const templateLabels = ({ cluster }: Member) => ({
  "app.kubernetes.io/name": "minicluster",
  [clusterLabel]: cluster,
});

/** Labels of every object of a Job, and of the pods beside its own. */
export const objectLabels = (job: Identity & Member) => ({ ...templateLabels(job), [jobNameLabel]: job.name });

/** Selects the pods of a cluster and of its groups, if it has any. */
export const clusterSelector = ({ name, groups = [] }: { name: string; groups?: unknown[] }): Record<string, string> =>
  groups.length > 0 ? { [clusterLabel]: name } : podSelector({ name });

/** Selects the pods of a cluster, including the pod of its services. */
export const podSelector = ({ name }: Pick<Identity, "name">) => ({ [jobNameLabel]: name });

/** Selects the brokers' pods of a cluster. */
export const brokerSelector = (spec: Pick<Identity, "name">) => ({
  matchLabels: podSelector(spec),
  matchExpressions: [{ key: rankLabel, operator: "Exists" }],
});

/**
 * Selects the brokers' pods of a cluster for a service, which supports no expressions: the Job controller labels only these pods.
 */
export const jobSelector = ({ name }: Pick<Identity, "name">) => ({ "batch.kubernetes.io/job-name": name });

/** Label that marks the pod of the services. */
export const servicesLabel = "minicluster/services";

/** Selects the pod of the services. */
export const servicesSelector = ({ name }: Pick<Identity, "name">) => ({ [servicesLabel]: name });

/** Selects the pod of the lead broker. */
export const leadSelector = (spec: Pick<Identity, "name">) => ({ ...podSelector(spec), [rankLabel]: "0" });

/** Key of the ConfigMap that holds the present size. */
export const sizeKey = "size";

/** Annotation with the hash of the object that a patch applies to, so that a replaced object is patched again. */
export const hashAnnotation = contract.annotations.templateHash;

/** Value of `hashAnnotation` in a Job whose counts only its agent sets: an agent that does not find it changes nothing. */
export const autoscaled = contract.autoscale.mark;

/** Annotation of the patch of a ConfigMap that differs between the scripts of two versions of this package. */
export const scriptsAnnotation = "minicluster/scripts";

/** Annotation of the ConfigMap of the programs with the version of this package and the hash of the archives. */
export const programsAnnotation = "minicluster/programs";

/** As `hashAnnotation`, for the values that are only known later. */
export const leafHashAnnotation = "minicluster/leaf-hash";

/** Annotation by which a changed value of the environment changes the pod template. */
export const environmentHashAnnotation = "minicluster/environment-hash";

/** Annotation by which a changed configuration changes the pod template, so that the pods restart with it. */
export const configHashAnnotation = "minicluster/config-hash";

/** Annotation by which another certificate changes the pod template: brokers with different certificates cannot communicate. */
export const certificateHashAnnotation = "minicluster/certificate-hash";

/** Volumes of the component itself. */
export const volumeNames = {
  shared: "flux-view",
  image: "flux-view-image",
  config: "minicluster-config",
  curve: "minicluster-curve",
  certificate: "minicluster-certificate",
  munge: "minicluster-munge",
  programs: "minicluster-programs",
  state: "minicluster-state",
} as const;

export const reservedVolumeNames: string[] = Object.values(volumeNames);

/** Name of the only group of a cluster with `lead` and without `groups`. */
export const onlyGroup = "workers";
