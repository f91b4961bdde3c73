import type * as pulumi from "@pulumi/pulumi";
import { hashAnnotation, leafHashAnnotation, objectLabels } from "../names";
import type { MiniClusterSpec } from "../parse/spec";

/**
 * Annotation by which the Kubernetes provider takes its fields over from any other manager: the program has the last
 * word.
 */
const force = { "pulumi.com/patchForce": "true" };

/** Metadata of an object of a cluster. */
export function metadata<A extends object>(spec: MiniClusterSpec, name: string, annotations?: A) {
  return { name, namespace: spec.namespace, labels: objectLabels(spec), annotations: { ...annotations, ...force } };
}

/**
 * Metadata of a patch. The patch runs again when a hash of its object changes: that of the values known at once, or that
 * of the values known only later.
 */
export function patchMetadata(spec: MiniClusterSpec, name: string, hash: string, leafHash?: pulumi.Input<string>) {
  const annotations = {
    ...force,
    [hashAnnotation]: hash,
    ...(leafHash && { [leafHashAnnotation]: leafHash }),
  };
  return { name, namespace: spec.namespace, annotations };
}
