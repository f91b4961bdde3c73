import * as pulumi from "@pulumi/pulumi";

/** A volume of the pods, and its directory in one container. Exactly one source must be given. */
export interface MiniClusterVolumeArgs {
  /**
   * Directory in the container. Absolute, and outside what the component mounts itself. Default: "/dev/shm" for an
   * emptyDir; others need one.
   */
  path?: string;
  /** Source: a directory of the node. Absolute. Default: none. */
  hostPath?: pulumi.Input<string>;
  /** Source: a ConfigMap, by name. Default: none. */
  configMapName?: pulumi.Input<string>;
  /** Keys of the ConfigMap and the file names they get. Only with `configMapName`. Default: every key under its own name. */
  items?: Record<string, pulumi.Input<string>>;
  /** Source: a PersistentVolumeClaim, by name. Default: none. */
  claimName?: pulumi.Input<string>;
  /** Source: a Secret, by name. Default: none. */
  secretName?: pulumi.Input<string>;
  /** Source: an empty directory that lives as long as its pod. Default: false. */
  emptyDir?: boolean;
  /** Medium of the empty directory; "Memory" makes it a tmpfs. Only with `emptyDir`. Default: the node's disk. */
  emptyDirMedium?: pulumi.Input<string>;
  /** Most that the empty directory may hold, as a quantity. Only with `emptyDir`. Default: no limit. */
  emptyDirSizeLimit?: pulumi.Input<string>;
  /** Source: a CSI driver's inline volume, by the driver's name. Default: none. */
  csiDriver?: pulumi.Input<string>;
  /** Attributes for the CSI driver. Only with `csiDriver`. Default: none. */
  csiDriverAttributes?: Record<string, pulumi.Input<string>>;
  /** Mounts the volume read-only. Default: false. */
  readOnly?: boolean;
}
