import { isAtOrIn } from "../pages/schema";
import { conformance, type ConformanceRow } from "./rows";

export { conformance, type ConformanceRow } from "./rows";

export const conformanceRows: readonly ConformanceRow[] = Object.values(conformance).flat();

/** A field in Kubernetes' own types that a MiniCluster does not accept. */
export const notTaken = "windowsOptions";

/** Arguments without a field of the operator, and their purpose. An object includes its properties. */
export const oursAlone: Record<string, string> = {
  name: "The operator and the manifest reader use the manifest's metadata.",
  namespace: "As `name`.",
  container: "The container of a cluster that has one: an item of `containers`.",
  retryCommand: "Whether a failed command is started again.",
  suspend: "Pauses the cluster.",
  wait: "The condition that `pulumi up` waits for.",
  waitTimeoutSeconds: "The maximum wait.",
  resize: "The way in which a resize is applied to the Job.",
  autoscale: "A size that the queue determines.",
  maxPricePerHour: "A limit on the price of the nodes.",
  lead: "The lead broker in a separate Job, which runs no jobs.",
  groups: "Workers of several kinds, each with a size, machines and a queue.",
  jobAnnotations: "Annotations of the Job.",
  metrics: "Metrics for Prometheus.",
  console: "A web page and a REST API for users.",
  forecast: "What a change does to the jobs in the queue, in a preview.",
  requeue: "Jobs that are submitted again after they have lost a host.",
  drainTimeoutSeconds: "Time in which the jobs of a terminating pod may end.",
  prepull: "Image pulls on the nodes before the pods start.",
  gang: "Gang schedulers, Kueue, and gangs of Kubernetes itself.",
  pool: "The node pool, with the scheduling settings of the pods on it.",
  bursting: "Clusters that may join, each as a `BurstCluster`, and the endpoint of the lead broker.",
  disruptionBudget: "A PodDisruptionBudget for the brokers.",
  podSecurity: "The Kubernetes Pod Security Standards.",
  podTemplate: "Any field of the pod template.",
  "containers[].volumes.*.localDisk": "The local disks of the pool's nodes.",
  "containers[].volumes.*.localDiskSize": "As `localDisk`.",
  "services[].volumes.*.localDisk": "Rejected: services do not run on the nodes of the pool.",
  "services[].volumes.*.localDiskSize": "As `localDisk`.",
  "services[].serviceName": "Rejected: one Service selects the whole pod.",
  "network.policy": "A NetworkPolicy for the pods.",
  "network.clusterDomain": "The DNS domain of the Kubernetes cluster.",
  "flux.scheduler.matchPolicy": "The hosts that Fluxion allocates first.",
  "flux.inactiveNumLimit": "The number of ended jobs that Flux keeps.",
  "flux.inactiveAgeLimit": "The time for which Flux keeps ended jobs.",
  "flux.container.imageVolume": "The view as a volume, without a copy.",
};

/** Fields of security contexts that are newer than the Kubernetes version of the operator. */
export const newerInKubernetes = ["appArmorProfile", "supplementalGroupsPolicy", "seLinuxChangePolicy"];

/** The fields of the operator that an argument mirrors, by its path. */
export function mirroredFields(path: string): string[] {
  if (isOursAlone(path)) return [];
  return conformanceRows.flatMap(({ field, args }) =>
    args.flatMap((arg) => {
      // A field that equals the argument, contains it, or is inside it.
      if (isAtOrIn(path, arg)) return [field + path.slice(arg.length)];
      if (isAtOrIn(arg, path) && field.endsWith(arg.slice(path.length)))
        return [field.slice(0, path.length - arg.length)];
      return field === `spec.${path}` ? [field] : [];
    }),
  );
}

/** True if the operator has no field for an argument. */
export function isOursAlone(path: string): boolean {
  return (
    Object.keys(oursAlone).some((own) => isAtOrIn(path, own)) ||
    newerInKubernetes.some((name) => path.split(".").includes(name))
  );
}
