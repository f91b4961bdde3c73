import { z } from "zod";
import { isPlainObject } from "../../shared/objects";
import { kindOf } from "../problems";
import { withoutUndefined } from "../values";

/** The message for a value of the wrong type. It never contains the value, which may be a secret. */
function expected(rule: string, remedy?: { ifNull?: string; quoted?: boolean }) {
  return ({ input }: { input?: unknown }) => {
    if (input === null) return `has no value; ${remedy?.ifNull ?? "set a value or remove the field"}`;
    const quotes = remedy?.quoted && typeof input !== "object" ? "; put it in quotes" : "";
    return `must be ${rule}, not ${kindOf(input)}${quotes}`;
  };
}

/** A string, which may be empty. */
export const textOrEmpty = z.string({
  error: expected("a string", { ifNull: 'set a value, or "" for an empty string', quoted: true }),
});

// As in Go, an empty string means that the field is absent.
const unlessEmpty = (text: string) => (text === "" ? undefined : text);

export const text = textOrEmpty.transform(unlessEmpty);

export const integer = z.int({
  error: (issue) => {
    if (typeof issue.input !== "number") return expected("an integer")(issue);
    return `must be an integer, not a number ${Number.isInteger(issue.input) ? "of more than 53 bits" : "with a fraction"}`;
  },
});

export const flag = z.boolean({ error: expected("true or false") });

/** A quantity as Kubernetes reads it: a string or an integer. */
export const quantity = z.union([z.string(), z.int().transform(String)], {
  error: expected("a quantity, as a string or an integer", { quoted: true }),
});

export const quantityOrEmpty = quantity.transform(unlessEmpty);

export const list = <T extends z.core.$ZodType>(items: T) => z.array(items, { error: expected("a list") });

/** Values under user-defined names. */
export const map = <T extends z.core.$ZodType>(values: T) =>
  z.record(z.string(), values, { error: expected("a map of names to values") });

/** Named fields, all optional. A field without a value is omitted, as in Kubernetes. */
export const struct = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z
    .preprocess(
      (given) => (isPlainObject(given) ? withoutNulls(given, shape) : given),
      z.strictObject(shape, { error: expected("a map of fields") }).partial(),
    )
    .transform(withoutUndefined);

const withoutNulls = (given: Record<string, unknown>, shape: object) =>
  Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || !Object.hasOwn(shape, name)));

/** Fields of a container with the same meaning and form in both versions of the API. */
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

export const loggingFields = { quiet: flag, strict: flag, debug: flag, zeromq: flag, timed: flag };

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

/** Security context of a container, in the Kubernetes version with which the operator is built. */
export const securityContextFields = {
  ...identity,
  allowPrivilegeEscalation: flag,
  capabilities: struct({ add: list(textOrEmpty), drop: list(textOrEmpty) }),
  privileged: flag,
  procMount: text,
  readOnlyRootFilesystem: flag,
};

/** Security context of a container in older CRDs, from 2023-10-09 to 2025-10-14 in v1alpha2. */
export const olderSecurityContext = struct({
  ...securityContextFields,
  addCapabilities: list(textOrEmpty),
  fsGroup: integer,
});

export const users = list(struct({ name: text, password: text }));

export const fluxRestful = struct({ branch: text, port: integer, secretKey: text, username: text, token: text });

/** Volumes of a container that exist before the cluster. */
export const existingVolumes = map(
  struct({
    path: text,
    configMapName: text,
    items: map(textOrEmpty),
    claimName: text,
    secretName: text,
    readOnly: flag,
  }),
);

/** A volume that the cluster creates. */
export const createdVolume = struct({
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

/** Security context of a pod, in the same Kubernetes version. */
export const podSecurityContext = struct({
  ...identity,
  fsGroup: integer,
  fsGroupChangePolicy: text,
  supplementalGroups: list(integer),
  sysctls: list(struct({ name: text, value: text })),
});
