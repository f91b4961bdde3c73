import { configMapName, secretName, volumeNames } from "../names";
import { configDirectory, curveDirectory, softwareDirectory } from "../paths";
import type { ContainerSpec, MiniClusterSpec } from "../spec";
import type { VolumeSource, VolumeSpec } from "../spec/volume";
import type { Volume, VolumeMount } from "./types";

// Readable by whoever the image runs as; the container makes a private copy of the certificate.
const readable = 0o444;
const executable = 0o555;

/** The volumes of a pod: the component's own, then the user's, each once. */
export function buildVolumes(spec: MiniClusterSpec): Volume[] {
  const mounted = [spec.main, ...spec.sidecars].flatMap(({ volumes }) => Object.entries(volumes));
  const user = new Map([...mounted].reverse());
  // A volume that one container writes to is not read-only as a whole.
  const readOnly = (name: string) => mounted.every(([other, volume]) => other !== name || volume.readOnly);
  return [
    { name: volumeNames.shared, emptyDir: {} },
    { name: volumeNames.config, configMap: { name: configMapName(spec), defaultMode: executable } },
    { name: volumeNames.curve, secret: { secretName: secretName(spec), defaultMode: readable } },
    ...[...user].map(([name, volume]) => ({
      name,
      ...sources[volume.source]({ ...volume, readOnly: readOnly(name) }),
    })),
  ];
}

// The schema has seen to it that the property a source is named after is given.
const sources: Record<VolumeSource, (volume: VolumeSpec) => Omit<Volume, "name">> = {
  hostPath: ({ hostPath }) => ({ hostPath: { path: hostPath! } }),
  configMapName: ({ configMapName: name, items }) => ({ configMap: { name, items: items && keyPaths(items) } }),
  claimName: ({ claimName, readOnly }) => ({ persistentVolumeClaim: { claimName: claimName!, readOnly } }),
  secretName: ({ secretName: name }) => ({ secret: { secretName: name } }),
  emptyDir: ({ emptyDirMedium, emptyDirSizeLimit }) => ({
    emptyDir: { medium: emptyDirMedium, sizeLimit: emptyDirSizeLimit },
  }),
  csiDriver: ({ csiDriver, csiDriverAttributes, readOnly }) => ({
    csi: { driver: csiDriver!, volumeAttributes: csiDriverAttributes, readOnly },
  }),
};

const keyPaths = (items: NonNullable<VolumeSpec["items"]>) =>
  Object.entries(items).map(([key, path]) => ({ key, path }));

/** What the init container of the view sees. */
export function viewMounts({ flux }: MiniClusterSpec): VolumeMount[] {
  return [
    { name: volumeNames.shared, mountPath: flux.container.mountPath },
    { name: volumeNames.config, mountPath: configDirectory, readOnly: true },
  ];
}

/** What every other container sees: the view under both of its names, and its own volumes. */
export function containerMounts(spec: MiniClusterSpec, container: ContainerSpec): VolumeMount[] {
  const software = { name: volumeNames.shared, mountPath: softwareDirectory, subPath: "software" };
  return [
    ...viewMounts(spec),
    ...(spec.flux.container.disable ? [] : [software]),
    ...Object.entries(container.volumes).map(([name, { path, readOnly }]) => ({ name, mountPath: path, readOnly })),
  ];
}

/** The certificate, for the container that runs Flux alone. */
export const curveMount: VolumeMount = { name: volumeNames.curve, mountPath: curveDirectory, readOnly: true };
