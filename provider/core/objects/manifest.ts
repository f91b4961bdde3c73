import type * as pulumi from "@pulumi/pulumi";
import type { types } from "@pulumi/kubernetes";
import { hashAnnotation, leafHashAnnotation, objectLabels } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";

// The Kubernetes provider's own input types, under the names of the Kubernetes API.
export type ConfigMapManifest = types.input.core.v1.ConfigMap;
export type ServiceManifest = types.input.core.v1.Service;
export type ClaimManifest = types.input.core.v1.PersistentVolumeClaim;
export type SecretManifest = types.input.core.v1.Secret;
export type PodManifest = types.input.core.v1.Pod;
export type NetworkPolicyManifest = types.input.networking.v1.NetworkPolicy;
export type NetworkPolicyPort = types.input.networking.v1.NetworkPolicyPort;
export type CustomManifest = {
  apiVersion: string;
  kind: string;
  metadata: types.input.meta.v1.ObjectMeta;
  spec: object;
};
export type DisruptionBudgetManifest = types.input.policy.v1.PodDisruptionBudget;
export type DaemonSetManifest = types.input.apps.v1.DaemonSet;
export type DeploymentManifest = types.input.apps.v1.Deployment;
export type ClaimTemplateManifest = types.input.resource.v1.ResourceClaimTemplate;
// Fields of both versions of the API.
export type PodGroupManifest = types.input.scheduling.v1alpha2.PodGroup & types.input.scheduling.v1beta1.PodGroup;
export type JobManifest = types.input.batch.v1.Job;
export type PodSpec = types.input.core.v1.PodSpec;
export type PodTemplate = types.input.core.v1.PodTemplateSpec;
export type Container = types.input.core.v1.Container;
export type Volume = types.input.core.v1.Volume;
export type VolumeMount = types.input.core.v1.VolumeMount;
export type EnvVar = types.input.core.v1.EnvVar;
export type Affinity = types.input.core.v1.Affinity;
export type Toleration = types.input.core.v1.Toleration;

/** Annotation with which the Kubernetes provider takes ownership of its fields from any other manager. */
const force = { "pulumi.com/patchForce": "true" };

/** Condition of `pulumi.com/waitFor` for an object whose creation is not awaited: it is true at once. */
export const isCreated = "jsonpath={$[?@.uid]}";

/** Metadata of an object of a cluster. */
export function metadata<A extends object>(spec: MiniClusterSpec, name: string, annotations?: A) {
  return { name, namespace: spec.namespace, labels: objectLabels(spec), annotations: { ...annotations, ...force } };
}

/**
 * Metadata of a patch. The patch runs again when a hash of its object changes: the hash of the values known at once, or the hash
 * of the values known only later.
 */
export function patchMetadata(spec: MiniClusterSpec, name: string, hash: string, leafHash?: pulumi.Input<string>) {
  const annotations: Record<string, pulumi.Input<string>> = {
    ...force,
    [hashAnnotation]: hash,
    ...(leafHash && { [leafHashAnnotation]: leafHash }),
  };
  return { name, namespace: spec.namespace, annotations };
}
