import { isAtOrIn } from "../pages/schema";
import { conformance, type ConformanceRow } from "./rows";

export { conformance, type ConformanceRow } from "./rows";

export const conformanceRows: readonly ConformanceRow[] = Object.values(conformance).flat();

/** What a field of Kubernetes' own type holds and a MiniCluster does not take. */
export const notTaken = "windowsOptions";

/** Arguments that the operator has no field for, and why they are there. What lies in one goes with it. */
export const oursAlone: Record<string, string> = {
  name: "The operator takes it from the manifest's metadata, and so does the manifest reader.",
  namespace: "As `name`.",
  retryCommand: "Whether a command that fails is started again.",
  suspend: "Pauses the cluster.",
  wait: "What `pulumi up` waits for.",
  waitTimeoutSeconds: "How long it waits.",
  resize: "How a resize reaches the Job.",
  autoscale: "A size that follows the queue.",
  maxPricePerHour: "A limit of what the nodes may cost.",
  lead: "The lead broker in a separate Job, which runs no jobs.",
  groups: "Workers of several kinds, each with a size, machines and a queue.",
  metrics: "Metrics for Prometheus.",
  console: "A web page and a REST API for users.",
  requeue: "Jobs that are submitted again after they have lost a host.",
  drainTimeoutSeconds: "Time in which the jobs of a pod that leaves may end.",
  prepull: "Images on the nodes before the pods come.",
  gang: "Gang schedulers, Kueue, and gangs of Kubernetes itself.",
  pool: "The nodes, and all that their pods have to know of them.",
  bursting: "Clusters that may join, each as a `BurstCluster`, and the way to the lead broker.",
  disruptionBudget: "A PodDisruptionBudget around the brokers.",
  podSecurity: "The Kubernetes Pod Security Standards.",
  podTemplate: "Any field of the pod template.",
  "containers[].volumes.*.localDisk": "The local disks of the pool's nodes.",
  "containers[].volumes.*.localDiskSize": "As `localDisk`.",
  "services[].volumes.*.localDisk": "Refused: services do not run on the nodes of the pool.",
  "services[].volumes.*.localDiskSize": "As `localDisk`.",
  "services[].serviceName": "Refused: one Service leads to the whole pod.",
  "network.policy": "A NetworkPolicy around the pods.",
  "flux.scheduler.matchPolicy": "Hosts that a job is given first.",
  "flux.container.imageVolume": "The view as a volume, with nothing to copy.",
};

/** What of the security contexts Kubernetes has, and the version that the operator is built with has not. */
export const newerInKubernetes = ["appArmorProfile", "supplementalGroupsPolicy", "seLinuxChangePolicy"];

/** The fields of the operator that an argument mirrors, by its path. */
export function mirroredFields(path: string): string[] {
  if (isOursAlone(path)) return [];
  return conformanceRows.flatMap(({ field, args }) =>
    args.flatMap((arg) => {
      // A field that is one with the argument, holds it, or lies in it.
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
