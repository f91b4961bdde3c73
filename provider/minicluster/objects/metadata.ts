import type * as pulumi from "@pulumi/pulumi";
import { hashAnnotation, leafHashAnnotation, objectLabels } from "../names";
import type { MiniClusterSpec } from "../parse/spec";

/** Has the provider take the fields that it sets from whoever else has set them: the program has the last word. */
const force = { "pulumi.com/patchForce": "true" };

/** Metadata of an object of a cluster. */
export function metadata<A extends object>(spec: MiniClusterSpec, name: string, annotations?: A) {
  return { name, namespace: spec.namespace, labels: objectLabels(spec), annotations: { ...annotations, ...force } };
}

/**
 * Metadata of a patch: it runs again when a hash of its object changes, of what is known at once or of what is only known later.
 */
export function patchMetadata(spec: MiniClusterSpec, name: string, hash: string, leafHash?: pulumi.Input<string>) {
  const annotations = {
    ...force,
    [hashAnnotation]: hash,
    ...(leafHash && { [leafHashAnnotation]: leafHash }),
  };
  return { name, namespace: spec.namespace, annotations };
}
