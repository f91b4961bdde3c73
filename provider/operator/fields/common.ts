import { flag, integer, list, map, quantity, struct, text, textOrEmpty } from "./kinds";

/** Fields of a container that both versions of the API have, with the same meaning and form. */
export const containerFields = {
  image: text,
  name: text,
  command: text,
  workingDir: text,
  imagePullSecret: text,
  pullAlways: flag,
  ports: list(integer),
  environment: map(textOrEmpty),
  secrets: map(struct({ name: text, key: text })),
  runFlux: flag,
  launcher: flag,
  batch: flag,
  batchRaw: flag,
  logs: text,
  lifeCycle: struct({ postStartExec: text, preStopExec: text }),
};

export const bursting = struct({
  leadBroker: struct({ address: text, name: text, size: integer, port: integer }),
  hostlist: text,
  clusters: list(struct({ name: text, size: integer })),
});

export const logging = struct({ quiet: flag, strict: flag, debug: flag, zeromq: flag, timed: flag });

export const archive = struct({ path: text });

/** Resources of a container (Kubernetes ResourceRequirements). */
export const resources = struct({ limits: map(quantity), requests: map(quantity) });

const profile = struct({ type: text, localhostProfile: text });

const seLinuxOptions = struct({ level: text, role: text, type: text, user: text });

const windowsOptions = struct({
  gmsaCredentialSpec: text,
  gmsaCredentialSpecName: text,
  hostProcess: flag,
  runAsUserName: text,
});

const identity = {
  runAsUser: integer,
  runAsGroup: integer,
  runAsNonRoot: flag,
  seccompProfile: profile,
  seLinuxOptions,
  windowsOptions,
};

/** Security context of a container, as of the Kubernetes version that the operator is built with. */
export const securityContext = struct({
  ...identity,
  allowPrivilegeEscalation: flag,
  capabilities: struct({ add: list(textOrEmpty), drop: list(textOrEmpty) }),
  privileged: flag,
  procMount: text,
  readOnlyRootFilesystem: flag,
});

/** Security context of a pod, as of the same version. */
export const podSecurityContext = struct({
  ...identity,
  fsGroup: integer,
  fsGroupChangePolicy: text,
  supplementalGroups: list(integer),
  sysctls: list(struct({ name: text, value: text })),
});
