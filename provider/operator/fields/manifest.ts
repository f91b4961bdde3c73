import { z } from "zod";
import { map, struct, text, textOrEmpty } from "./common";
import { v1alpha1 } from "./v1alpha1";
import { v1alpha2 } from "./v1alpha2";

// Written by a server or a tool: a manifest that was exported has it.
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
export const manifests = {
  v1alpha1: struct({ ...envelope, spec: v1alpha1 }),
  v1alpha2: struct({ ...envelope, spec: v1alpha2 }),
};

/** A version of the operator's API. */
export type Version = keyof typeof manifests;

/** The path of a field in a schema, such as `spec.containers[].volumes.*.hostPath`. */
interface FieldPath {
  path: string;
  /** True if there are fields in it. */
  isGroup: boolean;
}

/**
 * Paths of all fields of a schema: `[]` stands for the items of a list, `*` for a name that the user chooses. A list or a map of
 * plain values is one field.
 */
export function fieldsOf(schema: z.core.$ZodType, path: string): FieldPath[] {
  const own = plain(schema);
  if (own instanceof z.ZodArray) return fieldsOf(own.element, `${path}[]`);
  if (own instanceof z.ZodRecord) return fieldsOf(own.valueType, `${path}.*`);
  return Object.entries(shapeOf(own)).flatMap(([name, field]) => {
    const inner = fieldsOf(field, `${path}.${name}`);
    return [{ path: `${path}.${name}`, isGroup: inner.length > 0 }, ...inner];
  });
}

/** The schema of what stands at a path, and the path of its field. */
export function fieldAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
): { schema: z.core.$ZodType; path: string } {
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

/** Schemas of the fields of a struct, and none for anything else. */
export function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const own = plain(schema);
  return own instanceof z.ZodObject ? own.shape : {};
}

/** A schema without what prepares its values and what makes something of them. */
function plain(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return plain(schema.unwrap());
  if (schema instanceof z.ZodPipe) return plain(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}

/**
 * Every field of the operator's v1alpha2 MiniCluster, such as `spec.containers[].volumes.*.hostPath`: `[]` stands for the
 * items of a list, `*` for a name that the user chooses.
 */
export const miniClusterManifestFields: readonly string[] = fieldsOf(v1alpha2, "spec").flatMap(({ path, isGroup }) =>
  isGroup ? [] : path,
);
