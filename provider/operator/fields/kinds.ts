/** What a manifest may hold at one place. */
export type Field = Scalar | ListField | MapField | StructField;

/** A single value. A quantity is a string or an integer, as Kubernetes reads it. */
export interface Scalar {
  kind: "string" | "integer" | "boolean" | "quantity";
  /** An empty string says something. Elsewhere it means that nothing was given, as in Go. */
  keepsEmpty?: boolean;
}

/** Values in a row. */
export interface ListField {
  kind: "list";
  items: Field;
}

/** Values under names that the user chooses. */
export interface MapField {
  kind: "map";
  values: Field;
}

/** Fields with names of their own. */
export interface StructField {
  kind: "struct";
  fields: Readonly<Record<string, Field>>;
}

/** What is read of a field: everything may be left out. */
export type ValueOf<F> = F extends { kind: "string" | "quantity" }
  ? string
  : F extends { kind: "integer" }
    ? number
    : F extends { kind: "boolean" }
      ? boolean
      : F extends { kind: "list"; items: infer I }
        ? ValueOf<I>[]
        : F extends { kind: "map"; values: infer V }
          ? Record<string, ValueOf<V>>
          : F extends { kind: "struct"; fields: infer S }
            ? { -readonly [K in keyof S]?: ValueOf<S[K]> }
            : never;

export const text = { kind: "string" } as const;
export const textOrEmpty = { kind: "string", keepsEmpty: true } as const;
export const integer = { kind: "integer" } as const;
export const flag = { kind: "boolean" } as const;
export const quantity = { kind: "quantity" } as const;
export const list = <I extends Field>(items: I) => ({ kind: "list", items }) as const;
export const map = <V extends Field>(values: V) => ({ kind: "map", values }) as const;
export const struct = <S extends Record<string, Field>>(fields: S) => ({ kind: "struct", fields }) as const;

/**
 * The path of every field that holds values, such as `spec.containers[].volumes.*.hostPath`: `[]` stands for the items of a
 * list, `*` for a name that the user chooses. A list or a map of plain values is one field.
 */
export function fieldPaths(field: Field, path = ""): string[] {
  switch (field.kind) {
    case "struct":
      return Object.entries(field.fields).flatMap(([name, inner]) =>
        fieldPaths(inner, path ? `${path}.${name}` : name),
      );
    case "list":
      return holdsFields(field.items) ? fieldPaths(field.items, `${path}[]`) : [path];
    case "map":
      return holdsFields(field.values) ? fieldPaths(field.values, `${path}.*`) : [path];
    default:
      return [path];
  }
}

function holdsFields(field: Field): boolean {
  if (field.kind === "list") return holdsFields(field.items);
  if (field.kind === "map") return holdsFields(field.values);
  return field.kind === "struct";
}
