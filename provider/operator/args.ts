import type * as pulumi from "@pulumi/pulumi";
import type { MiniClusterGangArgs, MiniClusterResize } from "../brokers/args";
import type { NodePoolScheduling } from "../clouds/nodes/args";
import type { MiniClusterGroupArgs, MiniClusterLeadArgs } from "../minicluster/args";

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

/** Arguments of a MiniCluster in the place of what the manifest says of it, or beside that. */
export interface MiniClusterManifestOverrideArgs {
  /** Kubernetes namespace, which must exist; of the cluster and of the volumes of v1alpha1. Default: that of the manifest. */
  namespace?: string;
  /** Pods to run, from 1 to `maxSize`. Default: that of the manifest. */
  size?: number;
  /** Hosts of the Flux instance, from `size` to 100000. Default: that of the manifest. */
  maxSize?: number;
  /** The node pool that the pods run on, as the `scheduling` output of a pool. Default: none. */
  pool?: pulumi.Input<NodePoolScheduling>;
  /** Placement of the pods on their nodes all together or not at all. Default: each by itself. */
  gang?: MiniClusterGangArgs;
  /** The lead broker in a separate Job. For a manifest without a command. Default: none. */
  lead?: MiniClusterLeadArgs;
  /**
   * Groups of workers by their names, which replace `size` and `maxSize` of the manifest. For a manifest without a command.
   * Default: none.
   */
  groups?: Record<string, MiniClusterGroupArgs>;
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
  /**
   * What replaces or completes the manifest, by the name of the cluster, or by `<namespace>/<name>` where the manifest has the name
   * twice. A name that the manifest does not have is an error. Default: none.
   */
  overrides?: Record<string, MiniClusterManifestOverrideArgs>;
}
