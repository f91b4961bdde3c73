import type { MiniClusterResize } from "../core/args";
import type { MiniClusterArgs } from "../minicluster/component";

/** Treatment of fields that the operator's MiniCluster does not have. */
export const MiniClusterUnknownFields = {
  /** The manifest is refused, as by kubectl. */
  Error: "error",
  /** The field is ignored, with a warning. */
  Warn: "warn",
} as const;
export type MiniClusterUnknownFields = (typeof MiniClusterUnknownFields)[keyof typeof MiniClusterUnknownFields];

/** Options for reading a manifest. */
export interface MiniClusterManifestOptions {
  /** Treatment of fields that the operator's MiniCluster does not have. Default: "error". */
  unknownFields?: MiniClusterUnknownFields;
  /** Name of the manifest in errors and warnings. Default: "manifest". */
  fileName?: string;
}

/**
 * Arguments of a cluster that take precedence over its manifest: every argument of a MiniCluster except `name`. An object such as
 * `flux` or `pod` is merged with the object of the manifest, field by field; a list such as `containers` replaces the list of the
 * manifest. With `autoscale` or `groups`, the sizes of the manifest are ignored.
 */
export interface MiniClusterManifestOverrideArgs extends Partial<Omit<MiniClusterArgs, "name">> {
  /** Kubernetes namespace of the cluster and of the volumes of v1alpha1, which must exist. Default: the namespace of the manifest. */
  namespace?: string;
}

/** A manifest of the Flux Operator, with one or more MiniClusters. Either `text` or `file` is required. */
export interface MiniClusterManifestArgs {
  /** The manifest as YAML, of version v1alpha1 or v1alpha2, with one or more documents. Default: the contents of `file`. */
  text?: string;
  /** Path of the manifest file, relative to the directory of the program. Default: none. */
  file?: string;
  /** Treatment of fields that the operator's MiniCluster does not have. Default: "error". */
  unknownFields?: MiniClusterUnknownFields;
  /**
   * How a change of `size` is applied to the Jobs. In TypeScript, "manifest" is required with an explicit Kubernetes provider that writes
   * YAML to files. Default: "patch", or "manifest" if
   * the provider writes YAML to files (`renderYamlToDirectory`).
   */
  resize?: MiniClusterResize;
  /**
   * Arguments of a MiniCluster that take precedence over the manifest, by the name of the cluster, or by `<namespace>/<name>` if
   * the manifest has the name twice. A name that the manifest does not have is refused. Default: none.
   */
  overrides?: Record<string, MiniClusterManifestOverrideArgs>;
}
