import type { z } from "zod";
import { pathOf, propertyPath } from "../shared/errors";
import { isPlainObject } from "../shared/objects";
import { manifests, type Metadata, type Version } from "./fields/manifest";
import type { MiniClusterV1alpha1 } from "./fields/v1alpha1";
import type { MiniClusterV1alpha2 } from "./fields/v1alpha2";
import type { ReportPart } from "./problems";
import { unknownFieldMessage } from "./unknownField";

/** A MiniCluster object as one version of the operator's API describes it. */
export type Manifest = { metadata: Metadata } & (
  { version: "v1alpha1"; spec: MiniClusterV1alpha1 } | { version: "v1alpha2"; spec: MiniClusterV1alpha2 }
);

/** The reports of a manifest: its problems, and the fields that it should not have. */
export interface ManifestReports {
  addIssue: ReportPart;
  unknownField: ReportPart;
}

const group = "flux-framework.org";

/** Reads a MiniCluster object without what is wrong in it, or nothing where it is not a MiniCluster of a known version. */
export function readManifest(value: unknown, reports: ManifestReports): Manifest | undefined {
  if (!isPlainObject(value)) {
    reports.addIssue([], "is no map of fields; a MiniCluster was expected");
    return undefined;
  }
  const version = versionOf(value, reports.addIssue);
  if (version === "v1alpha1") {
    const { metadata = {}, spec = {} } = readFields(manifests.v1alpha1, value, version, reports) ?? {};
    return { version, metadata, spec };
  }
  if (version === "v1alpha2") {
    const { metadata = {}, spec = {} } = readFields(manifests.v1alpha2, value, version, reports) ?? {};
    return { version, metadata, spec };
  }
  return undefined;
}

function versionOf({ kind, apiVersion }: Record<string, unknown>, addIssue: ReportPart): Version | undefined {
  const found = (value: unknown) => (value ? `is ${JSON.stringify(value)}` : "is missing");
  if (kind !== "MiniCluster") {
    addIssue(["kind"], `${found(kind)}; only a MiniCluster can be read here`);
    // The version of another kind is no mistake of its own.
    return undefined;
  }
  const versions = ["v1alpha1", "v1alpha2"] as const;
  const version = versions.find((name) => apiVersion === `${group}/${name}`);
  const wanted = versions.map((name) => `${group}/${name}`).join(" or ");
  if (!version) addIssue(["apiVersion"], `${found(apiVersion)}; must be ${wanted}`);
  return version;
}

/** Reads the fields of a manifest, twice where something is wrong: the second time without that, so that no problem hides another. */
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

// A program reads a handful of manifests: to compile the schema first would take longer than to read them.
const onceOnly = { jitless: true };

/** A copy without the values that have issues. An item of a list leaves a blank, so that the others keep their index. */
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
