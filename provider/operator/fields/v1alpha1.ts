import type { z } from "zod";
import {
  archive,
  bursting,
  containerFields,
  flag,
  integer,
  list,
  logging,
  map,
  quantity,
  quantityOrEmpty,
  resources,
  struct,
  text,
  textOrEmpty,
} from "./common";

const container = struct({
  ...containerFields,
  cores: integer,
  diagnostics: flag,
  preCommand: text,
  // The older place of lifeCycle.postStartExec.
  postStartExec: text,
  fluxOptionFlags: text,
  fluxLogLevel: integer,
  fluxUser: struct({ name: text, uid: integer }),
  volumes: map(struct({ path: text, readOnly: flag })),
  existingVolumes: map(
    struct({
      path: text,
      configMapName: text,
      items: map(textOrEmpty),
      claimName: text,
      secretName: text,
      readOnly: flag,
    }),
  ),
  resources,
  securityContext: struct({ privileged: flag, addCapabilities: list(textOrEmpty) }),
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
  labels: map(textOrEmpty),
  annotations: map(textOrEmpty),
  claimAnnotations: map(textOrEmpty),
  attributes: map(textOrEmpty),
  volumeHandle: text,
  // The older name of volumeHandle, in the documents.
  volumeName: text,
  storageClass: text,
  // The older name of storageClass.
  class: text,
  driver: text,
  delete: flag,
  secret: text,
  secretNamespace: text,
  capacity: quantityOrEmpty,
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

/** The `spec` in version v1alpha1, over its lifetime: earlier places of a field beside later ones. */
export const v1alpha1 = struct({
  containers: list(container),
  services: list(container),
  network: struct({ headlessName: text }),
  users: list(struct({ name: text, password: text })),
  jobLabels: map(textOrEmpty),
  podLabels: map(textOrEmpty),
  interactive: flag,
  // The older place of the containers' diagnostics.
  diagnostics: flag,
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
    annotations: map(textOrEmpty),
    labels: map(textOrEmpty),
    serviceAccountName: text,
    nodeSelector: map(textOrEmpty),
    resources: map(quantity),
  }),
});

/** A MiniCluster as the operator's version v1alpha1 describes it. */
export type MiniClusterV1alpha1 = z.output<typeof v1alpha1>;
export type ContainerV1alpha1 = z.output<typeof container>;
export type VolumeV1alpha1 = z.output<typeof volume>;
