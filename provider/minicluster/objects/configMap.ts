import { hashKnown } from "../../shared/deferred";
import { configMapName, sizeKey } from "../names";
import type { MiniClusterSpec } from "../parse/spec";
import { metadata, patchMetadata } from "./metadata";

/** The scripts and the broker configuration, and the size that a container reads when it starts. */
export function buildConfigMap(spec: MiniClusterSpec, files: Record<string, string>) {
  return { metadata: metadata(spec, configMapName(spec)), data: { ...files, [sizeKey]: String(spec.size) } };
}

/** The part of the ConfigMap that a resize changes. */
export function buildConfigScale(spec: MiniClusterSpec, files: Record<string, string>) {
  return {
    metadata: patchMetadata(spec, configMapName(spec), hashKnown(files)),
    data: { [sizeKey]: String(spec.size) },
  };
}
