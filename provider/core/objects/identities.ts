import { ownValue } from "../../shared/objects";
import type { MiniClusterSpec } from "../parse/spec";
import type { JobManifests, Manifests } from ".";

/** An object of a cluster in its namespace. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  name: string;
  manifest: object;
}

/** Manifest of an object; only custom ones have their API in them. */
interface Manifest {
  apiVersion?: unknown;
  metadata?: unknown;
}

/** APIs of the kinds outside the core. */
const apiVersions: Record<string, string> = {
  Job: "batch/v1",
  NetworkPolicy: "networking.k8s.io/v1",
  PodDisruptionBudget: "policy/v1",
  ResourceClaimTemplate: "resource.k8s.io/v1",
  DaemonSet: "apps/v1",
  Deployment: "apps/v1",
  Role: "rbac.authorization.k8s.io/v1",
  RoleBinding: "rbac.authorization.k8s.io/v1",
};

/**
 * The objects of a cluster or a group in its namespace, without the patches of its size. No other cluster in the namespace may have
 * any of them.
 */
export function objectsOf(
  { podGroup }: MiniClusterSpec,
  manifests: JobManifests & Partial<Manifests>,
): KubernetesObject[] {
  const { agent, console, metrics } = manifests;
  const gang = manifests.podGroup && { apiVersion: `scheduling.k8s.io/${podGroup?.version}`, ...manifests.podGroup };
  return [
    ...objects("Secret", manifests.secret, manifests.environment, agent?.secret),
    ...objects("ConfigMap", manifests.configMap, manifests.programs),
    ...objects("PersistentVolumeClaim", manifests.stateClaim),
    ...objects("Service", manifests.service, manifests.leadService, manifests.servicesService, console?.service),
    ...objects("Service", ...Object.values(manifests.sidecarServices ?? {})),
    ...objects("Job", manifests.job),
    ...objects("Pod", manifests.servicesPod),
    ...objects("NetworkPolicy", manifests.networkPolicy, metrics?.networkPolicy, console?.networkPolicy),
    ...objects("PodMonitor", metrics?.podMonitor),
    ...objects("PodDisruptionBudget", manifests.disruptionBudget),
    ...objects("ResourceClaimTemplate", manifests.claimTemplate),
    ...objects("ComputeDomain", manifests.computeDomain),
    ...objects("PodGroup", gang),
    ...objects("DaemonSet", manifests.prepull),
    ...objects("Deployment", agent?.deployment),
    ...objects("ServiceAccount", agent?.account),
    ...objects("Role", agent?.role),
    ...objects("RoleBinding", agent?.binding),
  ];
}

const objects = (kind: string, ...manifests: (Manifest | undefined)[]): KubernetesObject[] =>
  manifests.flatMap((manifest) => {
    if (!manifest) return [];
    const apiVersion = typeof manifest.apiVersion === "string" ? manifest.apiVersion : ownValue(apiVersions, kind);
    const { name } = manifest.metadata as { name: string };
    return [{ apiVersion: apiVersion ?? "v1", kind, name, manifest }];
  });

/** An object in messages. */
export const identityOf = ({ kind, name }: Pick<KubernetesObject, "kind" | "name">): string => `${kind} ${name}`;
