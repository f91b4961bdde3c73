import type { z } from "zod";
import {
  archive,
  bursting,
  containerFields,
  createdVolume,
  existingVolumes,
  flag,
  fluxRestful,
  integer,
  list,
  loggingFields,
  map,
  olderSecurityContext,
  podSecurityContext,
  quantity,
  resources,
  securityContextFields,
  struct,
  text,
  textOrEmpty,
  users,
} from "./common";

const volume = struct({
  path: text,
  hostPath: text,
  configMapName: text,
  items: map(textOrEmpty),
  claimName: text,
  secretName: text,
  readOnly: flag,
  emptyDir: flag,
  emptyDirMedium: text,
  emptyDirSizeLimit: text,
  csiDriver: text,
  csiDriverAttributes: map(textOrEmpty),
});

const commands = struct({
  prefix: text,
  script: text,
  init: text,
  pre: text,
  post: text,
  workerPre: text,
  brokerPre: text,
  servicePre: text,
});

const ownContainerFields = {
  ...containerFields,
  imagePullPolicy: text,
  noWrapEntrypoint: flag,
  volumes: map(volume),
  resources,
  commands,
  securityContext: struct(securityContextFields),
};

const container = struct(ownContainerFields);

/** A container with the fields that older CRDs of this version have. */
const olderContainer = struct({ ...ownContainerFields, existingVolumes, securityContext: olderSecurityContext });

const fluxContainerFields = {
  disable: flag,
  name: text,
  image: text,
  mountPath: text,
  workingDir: text,
  pythonPath: text,
  imagePullSecret: text,
  pullAlways: flag,
  resources,
  securityContext: struct(securityContextFields),
};

const fluxFields = {
  container: struct(fluxContainerFields),
  arch: text,
  submitCommand: text,
  wrap: text,
  // The default is "5s", and an empty text omits the option.
  connectTimeout: textOrEmpty,
  optionFlags: text,
  minimalService: flag,
  disableSocket: flag,
  topology: text,
  noWaitSocket: flag,
  completeWorkers: flag,
  logLevel: integer,
  curveCert: text,
  scheduler: struct({ simple: flag, queuePolicy: text }),
  mungeSecret: text,
  bursting,
  brokerConfig: text,
  environment: map(textOrEmpty),
};

const pod = struct({
  annotations: map(textOrEmpty),
  labels: map(textOrEmpty),
  restartPolicy: text,
  serviceAccountName: text,
  runtimeClassName: text,
  automountServiceAccountToken: flag,
  schedulerName: text,
  nodeSelector: map(textOrEmpty),
  nodeAffinity: map(list(textOrEmpty)),
  tolerations: list(struct({ key: text, effect: text, operator: text, value: text })),
  dnsPolicy: text,
  hostIPC: flag,
  hostPID: flag,
  resources: map(quantity),
  securityContext: podSecurityContext,
});

/** Fields of the `spec` of the operator's MiniCluster in version v1alpha2. */
const specFields = {
  containers: list(container),
  services: list(container),
  network: struct({ headlessName: text, disableAffinity: flag }),
  jobLabels: map(textOrEmpty),
  interactive: flag,
  flux: struct(fluxFields),
  logging: struct(loggingFields),
  archive,
  shareProcessNamespace: flag,
  cleanup: flag,
  size: integer,
  maxSize: integer,
  backoffLimit: integer,
  minSize: integer,
  tasks: integer,
  deadlineSeconds: integer,
  pod,
};

/** The `spec` of the newest CRD. */
export const v1alpha2 = struct(specFields);

/** The `spec` with the fields of all CRDs of this version. */
export const everyV1alpha2 = struct({
  ...specFields,
  containers: list(olderContainer),
  services: list(olderContainer),
  flux: struct({
    ...fluxFields,
    container: struct({ ...fluxContainerFields, cores: integer }),
    curveCertSecret: text,
  }),
  volumes: map(createdVolume),
  users,
  fluxRestful,
});

/** A MiniCluster as the operator's version v1alpha2 describes it. */
export type MiniClusterV1alpha2 = z.output<typeof v1alpha2>;
export type EveryV1alpha2 = z.output<typeof everyV1alpha2>;
export type ContainerV1alpha2 = z.output<typeof container>;
export type VolumeV1alpha2 = z.output<typeof volume>;
