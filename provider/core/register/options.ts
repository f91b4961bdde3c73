import type * as pulumi from "@pulumi/pulumi";
import type { FeatureDiagnostics } from "../diagnostics/featureDiagnostics";
import type { JobManifests, Manifests } from "../objects";
import type { MiniClusterSpec } from "../parse/spec";

/** A Job of brokers to register: the stem of its resource names, its spec, and its objects. */
export interface JobOfBrokers {
  name: string;
  spec: MiniClusterSpec;
  manifests: JobManifests;
  features: readonly FeatureDiagnostics[];
  /** The argument of the cluster behind each path of the arguments of the Job. */
  sourcePathOf: (path: PropertyKey[]) => PropertyKey[];
}

/** A cluster to register, under the resource name of its component. */
export interface Cluster extends JobOfBrokers {
  manifests: Manifests;
}

/** Options of a cluster's objects. */
export interface ObjectOptions extends pulumi.CustomResourceOptions {
  parent: pulumi.ComponentResource;
}

/** Options of an object whose name is unique among the clusters of the program. */
export interface UniqueOptions extends ObjectOptions {
  hooks: pulumi.ResourceHookBinding;
}

/**
 * Options of a patch, which is deleted only together with its object. If only the patch were deleted, its fields would be reset,
 * and Kubernetes would set the counts of a running Job to 1: such a patch is only removed from the state, and its object keeps
 * the size.
 */
export function patchOptions(
  { parent, customTimeouts }: pulumi.CustomResourceOptions,
  patched: pulumi.Resource,
): pulumi.CustomResourceOptions {
  return { parent, customTimeouts, dependsOn: [patched], deletedWith: patched, retainOnDelete: true };
}
