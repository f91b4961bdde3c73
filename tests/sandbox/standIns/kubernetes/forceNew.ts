import { isObject, type Json, type Obj } from "../rpc/values";
import { apiVersionOf, isAnnotationTrue, kindOf } from "./objects";
import type { Step } from "./paths";

/** Provider settings that make data changes of these kinds an update. */
export interface Mutability {
  configMapMutable: boolean;
  secretMutable: boolean;
}

const selector = ["spec.selector"];

const container =
  "args command env image imagePullPolicy lifecycle livenessProbe ports readinessProbe resources securityContext " +
  "stdin " +
  "stdinOnce terminationMessagePath terminationMessagePolicy tty volumeDevices volumeMounts workingDir";

const podSpec =
  "affinity automountServiceAccountToken dnsConfig dnsPolicy enableServiceLinks hostAliases hostIPC hostNetwork " +
  "hostPID " +
  "hostname imagePullSecrets nodeName nodeSelector overhead preemptionPolicy priority priorityClassName " +
  "readinessGates " +
  "restartPolicy runtimeClassName schedulerName securityContext serviceAccount serviceAccountName " +
  "shareProcessNamespace subdomain terminationGracePeriodSeconds volumes";

const volumeSources =
  "awsElasticBlockStore azureDisk azureFile cephfs cinder csi fc flexVolume flocker gcePersistentDisk glusterfs " +
  "hostPath iscsi local nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume";

const below = (prefix: string, keys: string) => keys.split(" ").map((key) => `${prefix}.${key}`);

/**
 * Paths whose change needs a new object, by API version and kind. A path includes everything below it. The real
 * plugin replaces on these even where the API server would allow an update.
 */
const table: Record<string, string[]> = {
  "batch/v1/Job": ["spec.completions", "spec.parallelism", "spec.selector", "spec.template"],
  "apps/v1/DaemonSet": selector,
  "apps/v1/Deployment": selector,
  "apps/v1/StatefulSet": below(
    "spec",
    "podManagementPolicy revisionHistoryLimit selector serviceName volumeClaimTemplates",
  ),
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": ["roleRef"],
  "rbac.authorization.k8s.io/v1/RoleBinding": ["roleRef"],
  "storage.k8s.io/v1/StorageClass": ["parameters", "provisioner"],
  "v1/PersistentVolume": below("spec", volumeSources),
  "v1/PersistentVolumeClaim": below("spec", "accessModes selector storageClassName volumeName"),
  "v1/Pod": [
    ...below("spec", podSpec),
    ...below("spec.containers.*", container),
    ...below("spec.initContainers.*", container),
  ],
  "v1/ResourceQuota": ["spec.scopes"],
  "v1/Secret": ["type"],
  "v1/Service": ["spec.clusterIP"],
};

const identity = ["metadata.name", "metadata.namespace"];

/** The paths that force a replacement of this object. A Patch resource can change anything but what it patches. */
export function forceNewPaths(inputs: Obj, isPatch: boolean, options: Mutability): string[] {
  if (isPatch) return identity;
  const key = `${apiVersionOf(inputs)}/${kindOf(inputs)}`;
  const immutable = inputs.immutable === true;
  if (key === "v1/Secret" && (!options.secretMutable || immutable)) return [...identity, "type", "stringData", "data"];
  if (key === "v1/ConfigMap" && (!options.configMapMutable || immutable)) return [...identity, "binaryData", "data"];
  return [...identity, ...(table[key] ?? [])];
}

/**
 * True when a change of the value at `path` touches a force-new path: at it, below it, or above it while the value has
 * it inside.
 */
export function forcesNew(path: readonly Step[], value: Json, forceNew: readonly string[]): boolean {
  const changed = path.reduceRight<Json>((v, key) => (typeof key === "number" ? [v] : { [key]: v }), value);
  return forceNew.some((pattern) => reaches(changed, pattern.split(".")));
}

function reaches(value: Json | undefined, [key, ...rest]: string[]): boolean {
  if (key === undefined) return true;
  if (key === "*") return Array.isArray(value) && value.some((item) => reaches(item, rest));
  return isObject(value) && key in value && reaches(value[key], rest);
}

/** True for an object whose name the plugin made up. */
export const isAutonamed = (object: Obj) => isAnnotationTrue(object, "pulumi.com/autonamed");
