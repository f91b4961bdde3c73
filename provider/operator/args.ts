import type * as pulumi from "@pulumi/pulumi";
import type { MiniClusterResize } from "../core/args";
import type { NodePoolScheduling } from "../clouds/nodes/args";
import type { MiniClusterGangArgs } from "../gang/args";
import type { MiniClusterGroupArgs, MiniClusterLeadArgs } from "../groups/args";

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

/** Arguments of a MiniCluster that replace or complete the fields of the manifest. */
export interface MiniClusterManifestOverrideArgs {
  /**
   * Kubernetes namespace of the cluster and of the volumes of v1alpha1, which must exist. Default: the namespace of the
   * manifest.
   */
  namespace?: string;
  /** Number of pods, from 1 to `maxSize`. Default: the size of the manifest. */
  size?: number;
  /** Hosts of the Flux instance, from `size` to 100000. Default: the `maxSize` of the manifest. */
  maxSize?: number;
  /** The node pool that the pods run on, as the `scheduling` output of a pool. Default: none. */
  pool?: pulumi.Input<NodePoolScheduling>;
  /** Scheduling of all pods together or not at all (gang scheduling). Default: each pod is scheduled separately. */
  gang?: MiniClusterGangArgs;
  /** The lead broker in a separate Job. For a manifest without a command. Default: none. */
  lead?: MiniClusterLeadArgs;
  /**
   * Groups of workers by their names, which replace `size` and `maxSize` of the manifest. For a manifest without a command.
   * Default: none.
   */
  groups?: Record<string, MiniClusterGroupArgs>;
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
   * Way in which a change of `size` is applied to the Jobs; "manifest" if the Kubernetes provider writes YAML to files.
   * Default: "patch".
   */
  resize?: MiniClusterResize;
  /**
   * Arguments that replace or complete the manifest, by the name of the cluster, or by `<namespace>/<name>` if the manifest has
   * the name twice. A name that the manifest does not have is refused. Default: none.
   */
  overrides?: Record<string, MiniClusterManifestOverrideArgs>;
}
