import { flag, integer, list, map, quantity, struct, text, textOrEmpty, type ValueOf } from "./kinds";
import { resources } from "./kubernetes";
import { archive, bursting, containerFields, logging } from "./shared";

const container = struct({
  ...containerFields,
  cores: integer,
  diagnostics: flag,
  preCommand: text,
  fluxOptionFlags: text,
  fluxLogLevel: integer,
  fluxUser: struct({ name: text, uid: integer }),
  volumes: map(struct({ path: text, readOnly: flag })),
  existingVolumes: map(
    struct({
      path: text,
      configMapName: text,
      items: map(text),
      claimName: text,
      secretName: text,
      readOnly: flag,
    }),
  ),
  resources,
  securityContext: struct({ privileged: flag, addCapabilities: list(text) }),
  commands: struct({
    runFluxAsRoot: flag,
    prefix: text,
    init: text,
    pre: text,
    post: text,
    workerPre: text,
    brokerPre: text,
  }),
});

const volume = struct({
  path: text,
  labels: map(text),
  annotations: map(text),
  claimAnnotations: map(text),
  attributes: map(text),
  volumeHandle: text,
  // The older name of volumeHandle, in the documents.
  volumeName: text,
  storageClass: text,
  driver: text,
  delete: flag,
  secret: text,
  secretNamespace: text,
  capacity: quantity,
});

const flux = struct({
  installRoot: text,
  submitCommand: text,
  wrap: text,
  connectTimeout: textOrEmpty,
  optionFlags: text,
  minimalService: flag,
  logLevel: integer,
  curveCert: text,
  curveCertSecret: text,
  scheduler: struct({ queuePolicy: text }),
  mungeSecret: text,
  bursting,
  brokerConfig: text,
});

/** What stands under `spec` in version v1alpha1, over the time that it lived: earlier places of a field beside later ones. */
export const v1alpha1 = struct({
  containers: list(container),
  services: list(container),
  network: struct({ headlessName: text }),
  users: list(struct({ name: text, password: text })),
  jobLabels: map(text),
  podLabels: map(text),
  interactive: flag,
  flux,
  volumes: map(volume),
  logging,
  test: flag,
  localDeploy: flag,
  archive,
  shareProcessNamespace: flag,
  fluxRestful: struct({ branch: text, port: integer, secretKey: text, username: text, token: text }),
  cleanup: flag,
  size: integer,
  maxSize: integer,
  tasks: integer,
  deadlineSeconds: integer,
  pod: struct({
    annotations: map(text),
    labels: map(text),
    serviceAccountName: text,
    nodeSelector: map(text),
    resources: map(quantity),
  }),
});

/** A MiniCluster as the operator's version v1alpha1 describes it. */
export type MiniClusterV1alpha1 = ValueOf<typeof v1alpha1>;
export type ContainerV1alpha1 = ValueOf<typeof container>;
export type VolumeV1alpha1 = ValueOf<typeof volume>;
