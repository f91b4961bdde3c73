export * from "./minicluster/args";
export { MiniCluster } from "./minicluster/miniCluster";
export * from "./manifest/args";
export type { MiniClusterFromManifest } from "./manifest/cluster";
export type { MiniClusterManifestVolume } from "./manifest/convert/volumes";
export { miniClusterManifestFields } from "./manifest/fields/v1alpha2";
export { MiniClusterManifest } from "./manifest/miniClusterManifest";
export type { MiniClusterManifestWarning } from "./manifest/problems";
export { readMiniClusterManifest, readMiniClusterManifestFile } from "./manifest/read";
