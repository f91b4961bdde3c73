import type { types } from "@pulumi/kubernetes";
import { dnsLabel, quantity } from "../../shared/checks";
import { prefixPath } from "../../shared/rules";
import type { Metadata } from "../manifest";
import type { MiniClusterV1alpha1, VolumeV1alpha1 } from "../fields/v1alpha1";
import type { Report } from "../problems";
import { operatorDefaults, withoutUndefined } from "../values";

/** A volume of a v1alpha1 cluster: the storage itself, and the claim that the cluster's pods mount. */
export interface MiniClusterManifestVolume {
  /** Name in the manifest. */
  name: string;
  persistentVolume: types.input.core.v1.PersistentVolume;
  claim: types.input.core.v1.PersistentVolumeClaim;
  /** True if the storage is kept when the stack is destroyed (`delete: false`). */
  retain: boolean;
}

/** Name of the claim of a volume. The operator's `<volume>-claim` would be the same for all clusters of a namespace. */
export const claimName = ({ name = "" }: Metadata, volume: string) => `${name}-${volume}`;

/** The storage of a v1alpha1 cluster. */
export function buildVolumes(
  metadata: Metadata,
  spec: MiniClusterV1alpha1,
  addIssue: Report,
): MiniClusterManifestVolume[] {
  return Object.entries(spec.volumes ?? {}).map(([name, given]) => {
    const volume = inLaterForm(given);
    checkVolume(name, volume, prefixPath(addIssue, "spec", "volumes", name));
    return buildVolume(metadata, name, volume);
  });
}

const { storageClass: hostPathClass, capacity: defaultCapacity } = operatorDefaults.v1alpha1;

/**
 * A volume without the `class` of the first CRDs, which the operator of that time supported for one CSI driver and one
 * handle. Its annotations were the annotations of the claim.
 */
function inLaterForm({ class: storageClass, ...volume }: VolumeV1alpha1): VolumeV1alpha1 {
  if (storageClass === undefined || volume.storageClass !== undefined) return volume;
  const { annotations, claimAnnotations = annotations, ...source } = volume;
  const csi = storageClass === hostPathClass ? {} : { driver: "gcs.csi.ofek.dev", volumeHandle: "csi-gcs" };
  return { ...csi, ...source, storageClass, ...(claimAnnotations && { claimAnnotations }) };
}

function checkVolume(name: string, volume: VolumeV1alpha1, addIssue: Report): void {
  const { path, capacity = defaultCapacity, storageClass = hostPathClass, driver } = volume;
  const nameProblem = dnsLabel.safeParse(name).error?.issues[0];
  if (nameProblem) addIssue([], nameProblem.message);
  const capacityProblem = quantity.safeParse(capacity).error?.issues[0];
  if (capacityProblem) addIssue(["capacity"], capacityProblem.message);
  if (storageClass === hostPathClass && path === undefined)
    addIssue(["path"], "is missing; set it to a directory of the node");
  if (storageClass !== hostPathClass && driver === undefined)
    addIssue(["driver"], `is missing; set it to the CSI driver of the storage class ${JSON.stringify(storageClass)}`);
}

function buildVolume(metadata: Metadata, name: string, volume: VolumeV1alpha1): MiniClusterManifestVolume {
  const { storageClass = hostPathClass, capacity = defaultCapacity, labels, annotations, claimAnnotations } = volume;
  const namespace = metadata.namespace ?? "default";
  const claim = claimName(metadata, name);
  // A PersistentVolume belongs to no namespace.
  const persistentVolume = `${namespace}-${claim}`;
  const retain = volume.delete === false;
  const common = { accessModes: ["ReadWriteMany"], storageClassName: storageClass };
  return {
    name,
    retain,
    persistentVolume: {
      metadata: withoutUndefined({ name: persistentVolume, labels, annotations }),
      spec: {
        ...common,
        capacity: { storage: capacity },
        persistentVolumeReclaimPolicy: retain ? "Retain" : "Delete",
        ...(storageClass === hostPathClass
          ? { hostPath: { path: volume.path ?? "" } }
          : { csi: csiSource(storageClass, volume) }),
      },
    },
    claim: {
      metadata: withoutUndefined({ name: claim, namespace, annotations: claimAnnotations }),
      spec: { ...common, volumeName: persistentVolume, resources: { requests: { storage: capacity } } },
    },
  };
}

function csiSource(storageClass: string, volume: VolumeV1alpha1): types.input.core.v1.CSIPersistentVolumeSource {
  const { driver = "", volumeHandle, volumeName, attributes, secret, secretNamespace = "default" } = volume;
  const reference = secret === undefined ? undefined : { name: secret, namespace: secretNamespace };
  return withoutUndefined({
    driver,
    volumeHandle: volumeHandle ?? volumeName ?? storageClass,
    volumeAttributes: attributes,
    nodePublishSecretRef: reference,
    controllerPublishSecretRef: reference,
    nodeStageSecretRef: reference,
  });
}
