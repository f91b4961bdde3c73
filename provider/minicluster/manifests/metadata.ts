import type * as pulumi from "@pulumi/pulumi";
import { hashAnnotation, leafHashAnnotation, objectLabels } from "../names";
import type { MiniClusterSpec } from "../spec";

/** Metadata of an object of a cluster. */
export function metadata(spec: MiniClusterSpec, name: string) {
  return { name, namespace: spec.namespace, labels: objectLabels(spec) };
}

/**
 * Metadata of a patch: the fields it sets are taken from whoever set them, and it runs again when a hash of its object
 * changes, of what is known at once or of what is only known later.
 */
export function patchMetadata(spec: MiniClusterSpec, name: string, hash: string, leafHash?: pulumi.Input<string>) {
  const annotations = {
    "pulumi.com/patchForce": "true",
    [hashAnnotation]: hash,
    ...(leafHash && { [leafHashAnnotation]: leafHash }),
  };
  return { name, namespace: spec.namespace, annotations };
}
