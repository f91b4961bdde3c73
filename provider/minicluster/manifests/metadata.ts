import { hashAnnotation, objectLabels } from "../names";
import type { MiniClusterSpec } from "../spec";

/** Metadata of an object of a cluster. */
export function metadata(spec: MiniClusterSpec, name: string) {
  return { name, namespace: spec.namespace, labels: objectLabels(spec) };
}

/** Metadata of a patch: the fields it sets are taken from whoever set them, and it runs again when `hash` changes. */
export function patchMetadata(spec: MiniClusterSpec, name: string, hash: string) {
  const annotations = { "pulumi.com/patchForce": "true", [hashAnnotation]: hash };
  return { name, namespace: spec.namespace, annotations };
}
