import { z } from "zod";
import { pathOf, propertyPath } from "../shared/errors";
import { nearest } from "../shared/nearest";
import { isPlainObject } from "../shared/objects";
import { map, struct, text, textOrEmpty } from "./fields/common";
import { type MiniClusterV1alpha1, v1alpha1 } from "./fields/v1alpha1";
import { everyV1alpha2, type EveryV1alpha2, v1alpha2 } from "./fields/v1alpha2";
import { kindOf, type ReportPart } from "./problems";

// The API server or a tool writes these fields, so an exported manifest contains them.
const ignored = z.unknown();

const metadata = struct({
  name: text,
  namespace: text,
  labels: map(textOrEmpty),
  annotations: map(textOrEmpty),
  creationTimestamp: ignored,
  deletionGracePeriodSeconds: ignored,
  deletionTimestamp: ignored,
  finalizers: ignored,
  generateName: ignored,
  generation: ignored,
  managedFields: ignored,
  ownerReferences: ignored,
  resourceVersion: ignored,
  selfLink: ignored,
  uid: ignored,
});

/** Metadata of a MiniCluster. */
export type Metadata = z.output<typeof metadata>;

const envelope = { apiVersion: text, kind: text, metadata, status: ignored };

/** A MiniCluster object in each version of the operator's API. */
const manifests = {
  v1alpha1: struct({ ...envelope, spec: v1alpha1 }),
  v1alpha2: struct({ ...envelope, spec: v1alpha2 }),
};

/** A MiniCluster object with the fields of every CRD that the operator has had. */
const everyManifest = { ...manifests, v1alpha2: struct({ ...envelope, spec: everyV1alpha2 }) };

/** A version of the operator's API. */
type Version = keyof typeof manifests;

/**
 * Every field of the operator's v1alpha2 MiniCluster, such as `spec.containers[].volumes.*.hostPath`: `[]` for the items of a list,
 * `*` for a user-defined name.
 */
export const miniClusterManifestFields: readonly string[] = fieldsOf(v1alpha2, "spec").flatMap(({ path, isGroup }) =>
  isGroup ? [] : path,
);

/** A MiniCluster object in one version of the operator's API. */
export type Manifest = { metadata: Metadata } & (
  { version: "v1alpha1"; spec: MiniClusterV1alpha1 } | { version: "v1alpha2"; spec: EveryV1alpha2 }
);

/** The reports of a manifest: its problems, and its unknown fields. */
export interface ManifestReports {
  addIssue: ReportPart;
  unknownField: ReportPart;
}

const group = "flux-framework.org";

/** Reads a MiniCluster object without its invalid parts, or nothing if it is not a MiniCluster of a known version. */
export function readManifest(value: unknown, reports: ManifestReports): Manifest | undefined {
  if (!isPlainObject(value)) {
    reports.addIssue([], "must be a map, the MiniCluster object");
    return undefined;
  }
  const version = versionOf(value, reports.addIssue);
  if (version === "v1alpha1") {
    const { metadata = {}, spec = {} } = readFields(manifests.v1alpha1, value, version, reports) ?? {};
    return { version, metadata, spec };
  }
  if (version === "v1alpha2") {
    const { metadata = {}, spec = {} } = readFields(everyManifest.v1alpha2, value, version, reports) ?? {};
    return { version, metadata, spec };
  }
  return undefined;
}

// Pulumi creates other objects itself.
const otherKinds = ": move other objects to another file, for ConfigFile of @pulumi/kubernetes (yaml/v2)";

function versionOf({ kind, apiVersion }: Record<string, unknown>, addIssue: ReportPart): Version | undefined {
  const found = (value: unknown) => (value ? `is ${shown(value)}` : "is missing");
  if (kind !== "MiniCluster") {
    addIssue(["kind"], `${found(kind)}; must be MiniCluster${kind === undefined ? "" : otherKinds}`);
    // The version of another kind is not a second problem.
    return undefined;
  }
  const versions = ["v1alpha1", "v1alpha2"] as const;
  const version = versions.find((name) => apiVersion === `${group}/${name}`);
  const wanted = versions.map((name) => `${group}/${name}`).join(" or ");
  if (!version) addIssue(["apiVersion"], `${found(apiVersion)}; must be ${wanted}`);
  return version;
}

/** A name in a message. An invalid name may be a secret. */
const shown = (value: unknown) =>
  typeof value === "string" && /^[\w./-]{1,80}$/.test(value) ? JSON.stringify(value) : kindOf(value);

/**
 * Reads the fields of a manifest. A manifest with problems is read a second time without the invalid values, so that no
 * problem hides another.
 */
function readFields<T extends z.ZodType>(
  schema: T,
  value: unknown,
  version: Version,
  { addIssue, unknownField }: ManifestReports,
): z.output<T> | undefined {
  const { data, error } = schema.safeParse(value, onceOnly);
  if (!error) return data;
  for (const issue of error.issues)
    if (issue.code !== "unrecognized_keys") addIssue(issue.path, issue.message, "value");
    else
      for (const name of issue.keys)
        unknownField([...issue.path, name], unknownFieldMessage(name, issue.path, version), "key");
  return schema.safeParse(withoutInvalid(value, error.issues), onceOnly).data;
}

// A program reads few manifests, so compiling the schema would take longer than reading them.
const onceOnly = { jitless: true };

/**
 * A copy without the values that have issues. An item of a list is replaced by a blank value, so that the other items
 * keep their index.
 */
function withoutInvalid(value: unknown, issues: z.core.$ZodIssue[]): unknown {
  const blanks = new Map(issues.flatMap(blanksOf));
  const copy = (inner: unknown, path: string): unknown => {
    if (blanks.has(path)) return blanks.get(path);
    if (Array.isArray(inner)) return inner.map((item: unknown, index) => copy(item, pathOf(path, index)));
    if (!isPlainObject(inner)) return inner;
    const kept = Object.entries(inner).filter(([name]) => !blanks.has(pathOf(path, name)));
    return Object.fromEntries(kept.map(([name, field]) => [name, copy(field, pathOf(path, name))]));
  };
  return copy(value, "");
}

function blanksOf(issue: z.core.$ZodIssue): [path: string, blank: unknown][] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => [propertyPath([...issue.path, key]), undefined]);
  return [[propertyPath(issue.path), issue.code === "invalid_type" ? blankValues[issue.expected] : 0]];
}

const blankValues: Partial<Record<z.core.$ZodInvalidTypeExpected, unknown>> = {
  object: {},
  string: "",
  number: 0,
  int: 0,
};

/** Fields of v1alpha1 that v1alpha2 lacks, and their replacements. */
const replacements: ReadonlyMap<string, string> = new Map([
  ["spec.localDeploy", "has no replacement; remove it"],
  ["spec.test", "write logging.quiet"],
  ["spec.diagnostics", "set commands.script of a container to the flux commands, with launcher: true"],
  ["spec.podLabels", "write pod.labels"],
  ["spec.flux.installRoot", "set flux.container.disable: true, and put Flux on the PATH of the image"],
  ["spec.containers[].preCommand", "write commands.pre"],
  ["spec.containers[].cores", "write resources.limits.cpu"],
  ["spec.containers[].diagnostics", "set commands.script to the flux commands, with launcher: true"],
  ["spec.containers[].fluxUser", "write pod.securityContext.runAsUser"],
  ["spec.containers[].fluxOptionFlags", "write flux.optionFlags"],
  ["spec.containers[].fluxLogLevel", "write flux.logLevel"],
  ["spec.containers[].commands.runFluxAsRoot", "Flux runs as the image's user, or as pod.securityContext.runAsUser"],
]);

/** The message for an unknown field of a version of the API, with the replacement. */
function unknownFieldMessage(name: string, parent: readonly PropertyKey[], version: Version): string {
  const around = fieldAt(manifests[version], parent);
  const path = around.path === "" ? name : `${around.path}.${name}`;
  const replacement =
    version === "v1alpha2" ? replacements.get(path.replace(/^spec\.services/, "spec.containers")) : undefined;
  if (replacement !== undefined) return `unknown field: only v1alpha1 has it; ${replacement}`;
  const meant = nearest(name, Object.keys(shapeOf(around.schema))) ?? elsewhere(name, path, version);
  return meant === undefined ? "unknown field; correct its name or remove it" : `unknown field; did you mean ${meant}?`;
}

/**
 * The path of a field of this name. Of several fields, it is the field with the longest common prefix, then a field of
 * the containers, then the outermost field. `services` is not searched, because its containers have no other fields
 * than `containers`.
 */
function elsewhere(unknown: string, path: string, version: Version): string | undefined {
  const paths = pathsByName(version).get(unknown.toLowerCase()) ?? [];
  const isInService = path.startsWith(services);
  const isContainers = (field: string) => Number(/^spec\.containers\[\]\.\w+$/.test(field));
  return paths
    .filter((field) => isInService || !field.startsWith(services))
    .sort(
      (one, other) =>
        sharedLength(other, path) - sharedLength(one, path) ||
        isContainers(other) - isContainers(one) ||
        one.length - other.length,
    )[0];
}

const services = "spec.services[]";

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

const pathsOf = new Map<Version, ReadonlyMap<string, string[]>>();

/** The paths under `spec` by their last name in lowercase. Collected once, and only for an unknown field. */
function pathsByName(version: Version): ReadonlyMap<string, string[]> {
  const collected = pathsOf.get(version);
  if (collected) return collected;
  const paths = new Map<string, string[]>();
  const spec = fieldAt(manifests[version], ["spec"]);
  for (const { path } of fieldsOf(spec.schema, spec.path)) {
    const name = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
    paths.set(name, [...(paths.get(name) ?? []), path]);
  }
  pathsOf.set(version, paths);
  return paths;
}

/** The path of a field in a schema, such as `spec.containers[].volumes.*.hostPath`. */
interface FieldPath {
  path: string;
  /** True if it has fields. */
  isGroup: boolean;
}

/**
 * Paths of all fields of a schema: `[]` for the items of a list, `*` for a user-defined name. A list or a map of plain values is
 * one field.
 */
function fieldsOf(schema: z.core.$ZodType, path: string): FieldPath[] {
  const own = plain(schema);
  if (own instanceof z.ZodArray) return fieldsOf(own.element, `${path}[]`);
  if (own instanceof z.ZodRecord) return fieldsOf(own.valueType, `${path}.*`);
  return Object.entries(shapeOf(own)).flatMap(([name, field]) => {
    const inner = fieldsOf(field, `${path}.${name}`);
    return [{ path: `${path}.${name}`, isGroup: inner.length > 0 }, ...inner];
  });
}

/** The schema at a path, and the path of its field. */
function fieldAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): { schema: z.core.$ZodType; path: string } {
  return path.reduce<{ schema: z.core.$ZodType; path: string }>(
    (around, step) => {
      const own = plain(around.schema);
      if (own instanceof z.ZodArray) return { schema: own.element, path: `${around.path}[]` };
      const inner = around.path === "" ? String(step) : `${around.path}.${String(step)}`;
      if (own instanceof z.ZodRecord) return { schema: own.valueType, path: `${around.path}.*` };
      return { schema: shapeOf(own)[String(step)] ?? z.unknown(), path: inner };
    },
    { schema, path: "" },
  );
}

/** Schemas of the fields of a struct, and none for any other type. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const own = plain(schema);
  return own instanceof z.ZodObject ? own.shape : {};
}

/** A schema without the steps that prepare or transform its values. */
function plain(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return plain(schema.unwrap());
  if (schema instanceof z.ZodPipe) return plain(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}
