import { flag, integer, list, map, quantity, struct, text } from "./kinds";

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
  capabilities: struct({ add: list(text), drop: list(text) }),
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

/** What a manifest says of itself. Whatever else stands in its metadata was made by a server, or concerns it alone. */
export const metadata = struct({
  name: text,
  namespace: text,
  labels: map(text),
  annotations: map(text),
});

/** Metadata that a server or a tool writes: a manifest that was exported has it. */
export const serverMetadata: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "finalizers",
  "generateName",
  "generation",
  "managedFields",
  "ownerReferences",
  "resourceVersion",
  "selfLink",
  "uid",
]);
