import type { JobManifests, Manifests } from "./index";

interface Named {
  metadata?: unknown;
}

/**
 * The objects of a cluster or a group in its namespace, each as its kind and its name. No other cluster in the namespace may have
 * any of them.
 */
export function objectsOf(manifests: JobManifests & Partial<Manifests>): string[] {
  const { agent, console, metrics } = manifests;
  return [
    ...named("Secret", manifests.secret, manifests.environment, agent?.secret),
    ...named("ConfigMap", manifests.configMap, manifests.programs),
    ...named("PersistentVolumeClaim", manifests.stateClaim),
    ...named("Service", manifests.service, manifests.leadService, manifests.servicesService, console?.service),
    ...named("Service", ...Object.values(manifests.sidecarServices ?? {})),
    ...named("Job", manifests.job),
    ...named("Pod", manifests.servicesPod),
    ...named("NetworkPolicy", manifests.networkPolicy, metrics?.networkPolicy, console?.networkPolicy),
    ...named("PodMonitor", metrics?.podMonitor),
    ...named("PodDisruptionBudget", manifests.disruptionBudget),
    ...named("ResourceClaimTemplate", manifests.claimTemplate),
    ...named("ComputeDomain", manifests.computeDomain),
    ...named("PodGroup", manifests.podGroup),
    ...named("DaemonSet", manifests.prepull),
    ...named("Deployment", agent?.deployment),
    ...named("ServiceAccount", agent?.account),
    ...named("Role", agent?.role),
    ...named("RoleBinding", agent?.binding),
  ];
}

const named = (kind: string, ...manifests: (Named | undefined)[]): string[] =>
  manifests.flatMap((manifest) => (manifest ? [`${kind} ${(manifest.metadata as { name: string }).name}`] : []));
