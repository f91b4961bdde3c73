import { isDeferred } from "../shared/deferred";
import { isPlainObject } from "../shared/objects";
import { kindOf, unknownProperty } from "../shared/checks";
import type { AddIssue } from "../shared/rules";
import { quantityOf } from "./quantity";

/**
 * Fields of a pod template and of all its parts, with the types other than string. Source: the OpenAPI schema of Kubernetes,
 * `io.k8s.api.core.v1.PodTemplateSpec`.
 */
const declarations = `
AWSElasticBlockStoreVolumeSource: fsType partition:int32 readOnly:boolean volumeID
Affinity: nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity
AppArmorProfile: localhostProfile type
AzureDiskVolumeSource: cachingMode diskName diskURI fsType kind readOnly:boolean
AzureFileVolumeSource: readOnly:boolean secretName shareName
CSIVolumeSource: driver fsType nodePublishSecretRef:LocalObjectReference readOnly:boolean volumeAttributes:{string}
Capabilities: add:string[] drop:string[]
CephFSVolumeSource: monitors:string[] path readOnly:boolean secretFile secretRef:LocalObjectReference user
CinderVolumeSource: fsType readOnly:boolean secretRef:LocalObjectReference volumeID
ClusterTrustBundleProjection: labelSelector:LabelSelector name optional:boolean path signerName
ConfigMapEnvSource: name optional:boolean
ConfigMapKeySelector: key name optional:boolean
ConfigMapProjection: items:KeyToPath[] name optional:boolean
ConfigMapVolumeSource: defaultMode:int32 items:KeyToPath[] name optional:boolean
Container: args:string[] command:string[] env:EnvVar[] envFrom:EnvFromSource[] image imagePullPolicy
  lifecycle:Lifecycle livenessProbe:Probe name ports:ContainerPort[] readinessProbe:Probe
  resizePolicy:ContainerResizePolicy[] resources:ResourceRequirements restartPolicy
  restartPolicyRules:ContainerRestartRule[] securityContext:SecurityContext startupProbe:Probe stdin:boolean
  stdinOnce:boolean terminationMessagePath terminationMessagePolicy tty:boolean volumeDevices:VolumeDevice[]
  volumeMounts:VolumeMount[] workingDir
ContainerPort: containerPort:int32 hostIP hostPort:int32 name protocol
ContainerResizePolicy: resourceName restartPolicy
ContainerRestartRule: action exitCodes:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: operator values:int32[]
DownwardAPIProjection: items:DownwardAPIVolumeFile[]
DownwardAPIVolumeFile: fieldRef:ObjectFieldSelector mode:int32 path resourceFieldRef:ResourceFieldSelector
DownwardAPIVolumeSource: defaultMode:int32 items:DownwardAPIVolumeFile[]
EmptyDirVolumeSource: medium sizeLimit:quantity
EnvFromSource: configMapRef:ConfigMapEnvSource prefix secretRef:SecretEnvSource
EnvVar: name value valueFrom:EnvVarSource
EnvVarSource: configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector fileKeyRef:FileKeySelector
  resourceFieldRef:ResourceFieldSelector secretKeyRef:SecretKeySelector
EphemeralContainer: args:string[] command:string[] env:EnvVar[] envFrom:EnvFromSource[] image imagePullPolicy
  lifecycle:Lifecycle livenessProbe:Probe name ports:ContainerPort[] readinessProbe:Probe
  resizePolicy:ContainerResizePolicy[] resources:ResourceRequirements restartPolicy
  restartPolicyRules:ContainerRestartRule[] securityContext:SecurityContext startupProbe:Probe stdin:boolean
  stdinOnce:boolean targetContainerName terminationMessagePath terminationMessagePolicy tty:boolean
  volumeDevices:VolumeDevice[] volumeMounts:VolumeMount[] workingDir
EphemeralVolumeSource: volumeClaimTemplate:PersistentVolumeClaimTemplate
ExecAction: command:string[]
FCVolumeSource: fsType lun:int32 readOnly:boolean targetWWNs:string[] wwids:string[]
FileKeySelector: key optional:boolean path volumeName
FlexVolumeSource: driver fsType options:{string} readOnly:boolean secretRef:LocalObjectReference
FlockerVolumeSource: datasetName datasetUUID
GCEPersistentDiskVolumeSource: fsType partition:int32 pdName readOnly:boolean
GRPCAction: port:int32 service
GitRepoVolumeSource: directory repository revision
GlusterfsVolumeSource: endpoints path readOnly:boolean
HTTPGetAction: host httpHeaders:HTTPHeader[] path port:port scheme
HTTPHeader: name value
HostAlias: hostnames:string[] ip
HostPathVolumeSource: path type
ISCSIVolumeSource: chapAuthDiscovery:boolean chapAuthSession:boolean fsType initiatorName iqn iscsiInterface lun:int32
  portals:string[] readOnly:boolean secretRef:LocalObjectReference targetPortal
ImageVolumeSource: pullPolicy reference
KeyToPath: key mode:int32 path
LabelSelector: matchExpressions:LabelSelectorRequirement[] matchLabels:{string}
LabelSelectorRequirement: key operator values:string[]
Lifecycle: postStart:LifecycleHandler preStop:LifecycleHandler stopSignal
LifecycleHandler: exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction tcpSocket:TCPSocketAction
LocalObjectReference: name
ManagedFieldsEntry: apiVersion fieldsType fieldsV1:any manager operation subresource time
NFSVolumeSource: path readOnly:boolean server
NodeAffinity: preferredDuringSchedulingIgnoredDuringExecution:PreferredSchedulingTerm[]
  requiredDuringSchedulingIgnoredDuringExecution:NodeSelector
NodeSelector: nodeSelectorTerms:NodeSelectorTerm[]
NodeSelectorRequirement: key operator values:string[]
NodeSelectorTerm: matchExpressions:NodeSelectorRequirement[] matchFields:NodeSelectorRequirement[]
ObjectFieldSelector: apiVersion fieldPath
ObjectMeta: annotations:{string} creationTimestamp deletionGracePeriodSeconds:int64 deletionTimestamp
  finalizers:string[] generateName generation:int64 labels:{string} managedFields:ManagedFieldsEntry[] name namespace
  ownerReferences:OwnerReference[] resourceVersion selfLink uid
OwnerReference: apiVersion blockOwnerDeletion:boolean controller:boolean kind name uid
PersistentVolumeClaimSpec: accessModes:string[] dataSource:TypedLocalObjectReference
  dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements selector:LabelSelector storageClassName
  volumeAttributesClassName volumeMode volumeName
PersistentVolumeClaimTemplate: metadata:ObjectMeta spec:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource: claimName readOnly:boolean
PhotonPersistentDiskVolumeSource: fsType pdID
PodAffinity: preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[]
  requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[]
PodAffinityTerm: labelSelector:LabelSelector matchLabelKeys:string[] mismatchLabelKeys:string[]
  namespaceSelector:LabelSelector namespaces:string[] topologyKey
PodAntiAffinity: preferredDuringSchedulingIgnoredDuringExecution:WeightedPodAffinityTerm[]
  requiredDuringSchedulingIgnoredDuringExecution:PodAffinityTerm[]
PodCertificateProjection: certificateChainPath credentialBundlePath keyPath keyType maxExpirationSeconds:int32
  signerName userAnnotations:{string}
PodDNSConfig: nameservers:string[] options:PodDNSConfigOption[] searches:string[]
PodDNSConfigOption: name value
PodOS: name
PodReadinessGate: conditionType
PodResourceClaim: name resourceClaimName resourceClaimTemplateName
PodSchedulingGate: name
PodSchedulingGroup: podGroupName
PodSecurityContext: appArmorProfile:AppArmorProfile fsGroup:int64 fsGroupChangePolicy runAsGroup:int64
  runAsNonRoot:boolean runAsUser:int64 seLinuxChangePolicy seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile
  supplementalGroups:int64[] supplementalGroupsPolicy sysctls:Sysctl[] windowsOptions:WindowsSecurityContextOptions
PodSpec: activeDeadlineSeconds:int64 affinity:Affinity automountServiceAccountToken:boolean containers:Container[]
  dnsConfig:PodDNSConfig dnsPolicy enableServiceLinks:boolean ephemeralContainers:EphemeralContainer[]
  hostAliases:HostAlias[] hostIPC:boolean hostNetwork:boolean hostPID:boolean hostUsers:boolean hostname
  hostnameOverride imagePullSecrets:LocalObjectReference[] initContainers:Container[] nodeName nodeSelector:{string}
  os:PodOS overhead:{quantity} preemptionPolicy priority:int32 priorityClassName readinessGates:PodReadinessGate[]
  resourceClaims:PodResourceClaim[] resources:ResourceRequirements restartPolicy runtimeClassName schedulerName
  schedulingGates:PodSchedulingGate[] schedulingGroup:PodSchedulingGroup securityContext:PodSecurityContext
  serviceAccount serviceAccountName setHostnameAsFQDN:boolean shareProcessNamespace:boolean subdomain
  terminationGracePeriodSeconds:int64 tolerations:Toleration[] topologySpreadConstraints:TopologySpreadConstraint[]
  volumes:Volume[]
PodTemplateSpec: metadata:ObjectMeta spec:PodSpec
PortworxVolumeSource: fsType readOnly:boolean volumeID
PreferredSchedulingTerm: preference:NodeSelectorTerm weight:int32
Probe: exec:ExecAction failureThreshold:int32 grpc:GRPCAction httpGet:HTTPGetAction initialDelaySeconds:int32
  periodSeconds:int32 successThreshold:int32 tcpSocket:TCPSocketAction terminationGracePeriodSeconds:int64
  timeoutSeconds:int32
ProjectedVolumeSource: defaultMode:int32 sources:VolumeProjection[]
QuobyteVolumeSource: group readOnly:boolean registry tenant user volume
RBDVolumeSource: fsType image keyring monitors:string[] pool readOnly:boolean secretRef:LocalObjectReference user
ResourceClaim: name request
ResourceFieldSelector: containerName divisor:quantity resource
ResourceRequirements: claims:ResourceClaim[] limits:{quantity} requests:{quantity}
SELinuxOptions: level role type user
ScaleIOVolumeSource: fsType gateway protectionDomain readOnly:boolean secretRef:LocalObjectReference
  sslEnabled:boolean storageMode storagePool system volumeName
SeccompProfile: localhostProfile type
SecretEnvSource: name optional:boolean
SecretKeySelector: key name optional:boolean
SecretProjection: items:KeyToPath[] name optional:boolean
SecretVolumeSource: defaultMode:int32 items:KeyToPath[] optional:boolean secretName
SecurityContext: allowPrivilegeEscalation:boolean appArmorProfile:AppArmorProfile capabilities:Capabilities
  privileged:boolean procMount readOnlyRootFilesystem:boolean runAsGroup:int64 runAsNonRoot:boolean runAsUser:int64
  seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile windowsOptions:WindowsSecurityContextOptions
ServiceAccountTokenProjection: audience expirationSeconds:int64 path
SleepAction: seconds:int64
StorageOSVolumeSource: fsType readOnly:boolean secretRef:LocalObjectReference volumeName volumeNamespace
Sysctl: name value
TCPSocketAction: host port:port
Toleration: effect key operator tolerationSeconds:int64 value
TopologySpreadConstraint: labelSelector:LabelSelector matchLabelKeys:string[] maxSkew:int32 minDomains:int32
  nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable
TypedLocalObjectReference: apiGroup kind name
TypedObjectReference: apiGroup kind name namespace
Volume: awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource
  azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource configMap:ConfigMapVolumeSource
  csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource emptyDir:EmptyDirVolumeSource
  ephemeral:EphemeralVolumeSource fc:FCVolumeSource flexVolume:FlexVolumeSource flocker:FlockerVolumeSource
  gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource glusterfs:GlusterfsVolumeSource
  hostPath:HostPathVolumeSource image:ImageVolumeSource iscsi:ISCSIVolumeSource name nfs:NFSVolumeSource
  persistentVolumeClaim:PersistentVolumeClaimVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource
  portworxVolume:PortworxVolumeSource projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource
  scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource
  vsphereVolume:VsphereVirtualDiskVolumeSource
VolumeDevice: devicePath name
VolumeMount: mountPath mountPropagation name readOnly:boolean recursiveReadOnly subPath subPathExpr
VolumeProjection: clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection
  downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection secret:SecretProjection
  serviceAccountToken:ServiceAccountTokenProjection
VolumeResourceRequirements: limits:{quantity} requests:{quantity}
VsphereVirtualDiskVolumeSource: fsType storagePolicyID storagePolicyName volumePath
WeightedPodAffinityTerm: podAffinityTerm:PodAffinityTerm weight:int32
WindowsSecurityContextOptions: gmsaCredentialSpec gmsaCredentialSpecName hostProcess:boolean runAsUserName
`;

/** Types of the fields of each part. */
export const structure: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  declarations
    .replaceAll("\n  ", " ")
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", ...fields] = line.split(" ");
      const types = fields.map((field): [string, string] => {
        const [key = "", ...type] = field.split(":");
        return [key, type.join(":") || "string"];
      });
      return [name.slice(0, -1), new Map(types)];
    }),
);

const int32 = 2 ** 31;
const isInteger = (value: unknown, limit: number) =>
  Number.isInteger(value) && Math.abs(value as number) <= limit && value !== limit;

/** Description of each type without fields. */
const leaves: Record<string, [name: string, holds: (value: unknown) => boolean]> = {
  string: ["a string", (value) => typeof value === "string"],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  int32: ["an integer of 32 bits", (value) => isInteger(value, int32)],
  int64: ["an integer", (value) => isInteger(value, Number.MAX_SAFE_INTEGER)],
  port: ["a port: a number or a name", (value) => typeof value === "string" || isInteger(value, int32)],
  quantity: [
    'a Kubernetes quantity such as "4", "500m" or "8Gi", never "8GB"',
    (value) => quantityOf(value) !== undefined,
  ],
  any: ["an object", isPlainObject],
};

/** The rule on the form of a part of an object: every field is one of Kubernetes and has its type. Values known only later are accepted. */
export function structureRule(value: unknown, type: string, addIssue: AddIssue, path: PropertyKey[] = []): void {
  if (value === undefined || isDeferred(value)) return;
  const item = /^(.+)\[\]$/.exec(type)?.[1];
  const values = /^\{(.+)\}$/.exec(type)?.[1];
  const leaf = leaves[type];
  if (leaf) {
    const [rule, holds] = leaf;
    const isShown = typeof value === "number" || (type === "quantity" && typeof value === "string");
    if (!holds(value))
      addIssue(path, isShown ? `${JSON.stringify(value)} must be ${rule}` : `is ${kindOf(value)}; must be ${rule}`);
  } else if (item !== undefined) {
    if (!Array.isArray(value)) return addIssue(path, `is ${kindOf(value)}; must be a list`);
    value.forEach((each, index) => structureRule(each ?? null, item, addIssue, [...path, index]));
  } else if (!isPlainObject(value)) addIssue(path, `is ${kindOf(value)}; must be an object with properties`);
  else if (values !== undefined)
    for (const [key, each] of Object.entries(value)) structureRule(each, values, addIssue, [...path, key]);
  else fieldsRule(value, type, addIssue, path);
}

function fieldsRule(value: Record<string, unknown>, type: string, addIssue: AddIssue, path: PropertyKey[]): void {
  const fields = structure.get(type);
  if (!fields) throw new Error(`no type ${type}`);
  for (const [key, each] of Object.entries(value)) {
    const inner = fields.get(key);
    if (each === undefined) continue;
    if (inner === undefined) addIssue([...path, key], unknownProperty(key, [...fields.keys()]));
    else structureRule(each, inner, addIssue, [...path, key]);
  }
}
