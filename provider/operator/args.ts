import type { MiniClusterResize } from "../brokers/args";

/** Treatment of fields that the operator's MiniCluster does not have. */
export const MiniClusterUnknownFields = {
  /** It is an error, as for kubectl. */
  Error: "error",
  /** It is left out, with a warning. */
  Warn: "warn",
} as const;
export type MiniClusterUnknownFields = (typeof MiniClusterUnknownFields)[keyof typeof MiniClusterUnknownFields];

/** How a manifest is read. */
export interface MiniClusterManifestOptions {
  /** Treatment of fields that the operator's MiniCluster does not have. Default: "error". */
  unknownFields?: MiniClusterUnknownFields;
  /** Name of the manifest in errors and warnings. Default: "manifest". */
  fileName?: string;
}

/** A manifest of the Flux Operator, with one MiniCluster or several. Give `text` or `file`. */
export interface MiniClusterManifestArgs {
  /** The manifest itself: YAML, of version v1alpha1 or v1alpha2, one document or several. Default: that of `file`. */
  text?: string;
  /** Path of the file that holds the manifest, from the directory of the program. Default: none. */
  file?: string;
  /** Treatment of fields that the operator's MiniCluster does not have. Default: "error". */
  unknownFields?: MiniClusterUnknownFields;
  /** How a change of `size` reaches the Jobs: by "manifest" where the Kubernetes provider writes YAML to files. Default: "patch". */
  resize?: MiniClusterResize;
}
