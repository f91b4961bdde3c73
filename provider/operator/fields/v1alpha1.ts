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
  quantity,
  resources,
  struct,
  text,
  textOrEmpty,
  users,
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
  // The older name of readOnly.
  volumes: map(struct({ path: text, readOnly: flag, readonly: flag })),
  existingVolumes,
  resources,
  securityContext: olderSecurityContext,
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

/** The `spec` in all CRDs of version v1alpha1, with the earlier and the later places of a field. */
export const v1alpha1 = struct({
  containers: list(container),
  services: list(container),
  network: struct({ headlessName: text }),
  users,
  jobLabels: map(textOrEmpty),
  podLabels: map(textOrEmpty),
  interactive: flag,
  // The older place of the containers' diagnostics.
  diagnostics: flag,
  flux,
  volumes: map(createdVolume),
  logging: struct({ ...loggingFields, struct: flag }),
  test: flag,
  localDeploy: flag,
  archive,
  shareProcessNamespace: flag,
  fluxRestful,
  cleanup: flag,
  size: integer,
  maxSize: integer,
  // The only container of the first CRDs.
  image: text,
  command: text,
  workingDir: text,
  imagePullSecret: text,
  pullAlways: flag,
  cores: integer,
  sleeptime: integer,
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
export type VolumeV1alpha1 = z.output<typeof createdVolume>;
