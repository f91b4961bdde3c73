import type * as pulumi from "@pulumi/pulumi";

/** Volume for the state of the instance: a claim of this cluster with `size`, or an existing claim with `claimName`. */
export interface MiniClusterLeadStorageArgs {
  /**
   * Size of a PersistentVolumeClaim with the name `<name>-state`, as a Kubernetes quantity such as "10Gi". Its access mode is
   * ReadWriteOnce. It is kept when the cluster is destroyed, and a later cluster with the same name continues with it;
   * `kubectl delete` removes it. Default: none, an existing claim.
   */
  size?: pulumi.Input<string>;
  /** Storage class of the claim. Default: the default class of the Kubernetes cluster. */
  storageClassName?: pulumi.Input<string>;
  /** Name of an existing PersistentVolumeClaim in the namespace. Default: none, a claim of this cluster. */
  claimName?: pulumi.Input<string>;
}

/** Persistent state of a Flux instance. */
export interface MiniClusterArchiveArgs {
  /**
   * Absolute path of the file with the state, such as "/state/archive.tar.gz", on a persistent volume. The lead broker restores
   * the file if it exists (Flux `content.restore`), and replaces it after the instance has shut down cleanly (`content.dump`).
   */
  path: string;
}

/** Argument of a cluster with an archive. */
export interface ArchiveArgs {
  /**
   * Persistent state, which is restored when the cluster starts and saved when it ends. Not supported if the lead broker runs
   * in another cluster. Default: none.
   */
  archive?: MiniClusterArchiveArgs;
}
