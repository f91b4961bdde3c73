import { ownValue } from "../../shared/objects";
import { isGroup, type MiniClusterSpec } from "../parse/spec";
import { buildJobManifests, buildManifests, type JobManifests, type LateValues, type Manifests } from ".";
import type { ProgramWithSettings } from "./programs";

/** An object of a cluster in its namespace. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  name: string;
  manifest: object;
  /** The argument that sets a field of the object, or an empty path. */
  originOf?: (field: readonly PropertyKey[]) => readonly PropertyKey[];
}

/** Manifest of an object. Only a manifest of a custom resource names its API. */
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

/** The objects of a feature, for one Job of brokers. */
export interface FeatureObjects {
  objects: KubernetesObject[];
  /** Its programs. */
  programs?: ProgramWithSettings[];
}

/** The programs of features. */
export const programsOf = (features: FeatureObjects[]): ProgramWithSettings[] =>
  features.flatMap(({ programs = [] }) => programs);

/** Builds the objects of features for a Job. */
export type BuildFeatures<F extends FeatureObjects = FeatureObjects> = (spec: MiniClusterSpec, late: LateValues) => F[];

/** The core objects of a cluster or a group in its namespace, without the patches of its size. */
export function coreObjects(manifests: JobManifests & Partial<Manifests>): KubernetesObject[] {
  return [
    ...objects("Secret", manifests.secret, manifests.environment),
    ...objects("ConfigMap", manifests.configMap, manifests.programs),
    ...objects("Service", manifests.service, manifests.servicesService),
    ...objects("Service", ...Object.values(manifests.sidecarServices ?? {})),
    ...objects("Job", manifests.job),
    ...objects("Pod", manifests.servicesPod),
    ...objects("NetworkPolicy", manifests.networkPolicy),
    ...objects("PodDisruptionBudget", manifests.disruptionBudget),
    ...objects("ResourceClaimTemplate", manifests.claimTemplate),
    ...objects("ComputeDomain", manifests.computeDomain),
    ...objects("DaemonSet", manifests.prepull),
  ];
}

/** Objects of one kind; none for a manifest that is not given. */
export const objects = (kind: string, ...manifests: (Manifest | undefined)[]): KubernetesObject[] =>
  manifests.flatMap((manifest) => {
    if (!manifest) return [];
    const apiVersion = typeof manifest.apiVersion === "string" ? manifest.apiVersion : ownValue(apiVersions, kind);
    const { name } = manifest.metadata as { name: string };
    return [{ apiVersion: apiVersion ?? "v1", kind, name, manifest }];
  });

/** All objects of a Job of brokers in its namespace, including the objects that its cluster shares with groups. */
export function objectsOf(spec: MiniClusterSpec, late: LateValues, build: BuildFeatures): KubernetesObject[] {
  const built = build(spec, late);
  const manifests = isGroup(spec) ? buildJobManifests(spec, late) : buildManifests(spec, late, programsOf(built));
  return [...coreObjects(manifests), ...built.flatMap((feature) => feature.objects)];
}

/** Name of an object in messages. */
export const identityOf = ({ kind, name }: Pick<KubernetesObject, "kind" | "name">): string => `${kind} ${name}`;
