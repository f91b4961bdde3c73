import { hostlist as hostsOf, splitFirstHost } from "./flux/hostlist";
import type { MiniClusterSpec } from "./parse";

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

/** Host name of the lead broker, as followers reach it. */
export function leadHost(spec: MiniClusterSpec): string {
  const { bursting, minimalService } = spec.flux;
  if (bursting.leadBroker) return bursting.leadBroker.address;
  // A service with a cluster IP stands for the one pod behind it, and gives no pod a name of its own.
  return minimalService ? brokerDomain(spec) : `${podHostname(spec, 0)}.${brokerDomain(spec)}`;
}

/** Hosts of the instance that are reached in one way, as a Flux hostlist. */
export interface HostEntry {
  host: string;
  /** ZeroMQ endpoint, where it is not the one that every host name gives. */
  connect?: string;
}

/** Every host that the Flux instance knows, in rank order: a function of `maxSize`, never of `size`. */
export function instanceHosts(spec: MiniClusterSpec): HostEntry[] {
  const { hostlist, clusters } = spec.instance;
  const all = hostlist ?? clusters.map(({ name, hosts }) => hostsOf(name, hosts)).join(",");
  const connect = leadEndpoint(spec);
  if (connect === undefined) return [{ host: all }];
  const [lead, others] = splitFirstHost(all);
  return [{ host: lead, connect }, ...(others === "" ? [] : [{ host: others }])];
}

/** Where the lead broker is reached, if not under its own host name. */
function leadEndpoint(spec: MiniClusterSpec): string | undefined {
  const { lead } = spec.instance;
  if (lead) return `tcp://${lead.endpoint}`;
  return spec.flux.minimalService ? `tcp://${leadHost(spec)}:${brokerPort}` : undefined;
}

/** The hosts of the instance as one Flux hostlist. */
export const clusterHostlist = (spec: MiniClusterSpec) =>
  instanceHosts(spec)
    .map(({ host }) => host)
    .join(",");

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

/** Annotation that carries the hash of what a patch belongs to, so that a replaced object is patched again. */
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
