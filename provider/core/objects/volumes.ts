import { hasStartScript } from "../flux/configFiles";
import type { VolumeSource, VolumeSpec } from "../parse/container";
import { configMapName, programsName, secretName, volumeNames } from "../parse/names";
import {
  certificateDirectory,
  configDirectory,
  curveDirectory,
  imageDirectory,
  mungeKeyFile,
  mungeKeyPath,
  programsDirectory,
  softwareDirectory,
} from "../parse/paths";
import type { ContainerSpec, MiniClusterSpec } from "../parse/spec";
import type { Volume, VolumeMount } from "./manifest";

type LocalDisk = NonNullable<MiniClusterSpec["pool"]>["localDisk"];

// Readable by the user of the image; the container makes a private copy of the certificate.
const readable = 0o444;
const executable = 0o555;
const ownerOnly = 0o400;

/** The volumes of the brokers' pods: the component's own, then the user's, each once. */
export function buildVolumes(spec: MiniClusterSpec): Volume[] {
  return [
    { name: volumeNames.shared, emptyDir: {} },
    ...imageVolume(spec),
    configVolume(spec),
    { name: volumeNames.curve, secret: { secretName: secretName(spec), defaultMode: readable } },
    // Like a Secret, the copy is never written to disk.
    { name: volumeNames.certificate, emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
    ...mungeVolume(spec),
    ...(spec.role === "lead" ? [programsVolume(spec)] : []),
    ...Object.entries(spec.additions.volumes).map(([name, source]) => ({ name, ...source })),
    ...userVolumes([spec.main, ...spec.sidecars], spec.pool?.localDisk),
  ];
}

/** The volumes of the services pod. */
export function buildServiceVolumes(spec: MiniClusterSpec): Volume[] {
  return [
    ...(spec.services.some(hasStartScript) ? [configVolume(spec)] : []),
    ...userVolumes(spec.services, undefined),
  ];
}

const configVolume = (spec: MiniClusterSpec): Volume => ({
  name: volumeNames.config,
  configMap: { name: configMapName(spec), defaultMode: executable },
});

/** Volume of the program of the lead broker's pod. */
const programsVolume = (spec: MiniClusterSpec): Volume => ({
  name: volumeNames.programs,
  // The pods stay when the program is enabled or disabled.
  configMap: { name: programsName(spec), optional: true },
});

function imageVolume({ flux }: MiniClusterSpec): Volume[] {
  const { image: reference, imagePullPolicy: pullPolicy, imageVolume: isMounted } = flux.container;
  return isMounted ? [{ name: volumeNames.image, image: { reference, pullPolicy } }] : [];
}

/** Volume of the munge key. munge accepts only a key that its owner alone can read. */
function mungeVolume({ flux }: MiniClusterSpec): Volume[] {
  const items = [{ key: mungeKeyFile, path: mungeKeyFile }];
  const { mungeSecret } = flux;
  return mungeSecret
    ? [{ name: volumeNames.munge, secret: { secretName: mungeSecret, defaultMode: ownerOnly, items } }]
    : [];
}

function userVolumes(containers: ContainerSpec[], localDisk: LocalDisk): Volume[] {
  const mounted = containers.flatMap(({ volumes }) => Object.entries(volumes));
  // The first container that names a volume defines it.
  const volumes = new Map([...mounted].reverse());
  // A volume that one container writes to is not read-only as a whole.
  const readOnly = (name: string) => mounted.every(([other, volume]) => other !== name || volume.readOnly);
  return [...volumes].map(([name, volume]) => ({
    name,
    ...sources[volume.source]({ ...volume, readOnly: readOnly(name) }, localDisk),
  }));
}

// The schema requires the property that the source is named after.
const sources: Record<VolumeSource, (volume: VolumeSpec, localDisk: LocalDisk) => Omit<Volume, "name">> = {
  hostPath: ({ hostPath }) => ({ hostPath: { path: hostPath! } }),
  configMapName: ({ configMapName: name, items }) => ({ configMap: { name, items: items && keyPaths(items) } }),
  claimName: ({ claimName, readOnly }) => ({ persistentVolumeClaim: { claimName: claimName!, readOnly } }),
  secretName: ({ secretName: name }) => ({ secret: { secretName: name } }),
  emptyDir: ({ emptyDirMedium, emptyDirSizeLimit }) => ({
    emptyDir: { medium: emptyDirMedium, sizeLimit: emptyDirSizeLimit },
  }),
  localDisk: ({ localDiskSize }, localDisk) =>
    localDisk?.storageClass === undefined
      ? { emptyDir: { sizeLimit: localDiskSize } }
      : { ephemeral: { volumeClaimTemplate: { spec: claimOf(localDisk, localDiskSize) } } },
  csiDriver: ({ csiDriver, csiDriverAttributes, readOnly }) => ({
    csi: { driver: csiDriver!, volumeAttributes: csiDriverAttributes, readOnly },
  }),
};

/** Claim of a volume on local disks, which is created and deleted with its pod. */
const claimOf = ({ gb, storageClass }: NonNullable<LocalDisk>, size: VolumeSpec["localDiskSize"]) => ({
  accessModes: ["ReadWriteOnce"],
  storageClassName: storageClass,
  // File systems and drivers keep some of a disk for themselves.
  resources: { requests: { storage: size ?? `${Math.max(1, Math.floor(gb * 0.9))}G` } },
});

const keyPaths = (items: NonNullable<VolumeSpec["items"]>) =>
  Object.entries(items).map(([key, path]) => ({ key, path }));

const configMount: VolumeMount = { name: volumeNames.config, mountPath: configDirectory, readOnly: true };

/** Mounts of the init container of the view. */
export function viewMounts({ flux }: MiniClusterSpec): VolumeMount[] {
  return [{ name: volumeNames.shared, mountPath: flux.container.mountPath }, configMount];
}

/** Mounts of every container of the brokers' pods: the view, the software that it links to, and its own volumes. */
export function containerMounts(spec: MiniClusterSpec, container: ContainerSpec): VolumeMount[] {
  return [...viewMounts(spec), ...softwareMounts(spec.flux.container), ...userMounts(container)];
}

function softwareMounts({ disable, imageVolume: isMounted }: MiniClusterSpec["flux"]["container"]): VolumeMount[] {
  if (disable) return [];
  if (!isMounted) return [{ name: volumeNames.shared, mountPath: softwareDirectory, subPath: "software" }];
  const mount = { name: volumeNames.image, readOnly: true };
  return [
    { ...mount, mountPath: imageDirectory },
    { ...mount, mountPath: softwareDirectory, subPath: softwareDirectory.slice(1) },
  ];
}

/**
 * Mounts of the container that runs Flux: the mounts of every container, and the Secrets and the certificate that other
 * containers must not read.
 */
export function brokerMounts(spec: MiniClusterSpec): VolumeMount[] {
  const curve = { name: volumeNames.curve, mountPath: curveDirectory, readOnly: true };
  const certificate = { name: volumeNames.certificate, mountPath: certificateDirectory };
  const munge = { name: volumeNames.munge, mountPath: mungeKeyPath, subPath: mungeKeyFile, readOnly: true };
  const programs = { name: volumeNames.programs, mountPath: programsDirectory, readOnly: true };
  return [
    ...containerMounts(spec, spec.main),
    curve,
    certificate,
    ...(spec.role === "lead" ? [programs] : []),
    ...Object.entries(spec.additions.mountPaths).map(([name, mountPath]) => ({ name, mountPath })),
    ...(spec.flux.mungeSecret ? [munge] : []),
  ];
}

/** Mounts of a container of the services pod. */
export function serviceMounts(container: ContainerSpec): VolumeMount[] {
  return [...(hasStartScript(container) ? [configMount] : []), ...userMounts(container)];
}

const userMounts = ({ volumes }: ContainerSpec): VolumeMount[] =>
  Object.entries(volumes).map(([name, { path, readOnly }]) => ({ name, mountPath: path, readOnly }));
