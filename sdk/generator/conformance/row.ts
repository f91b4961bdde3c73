/** A test, by its file and its full title. */
export interface ShownBy {
  file: string;
  title: string;
}

/** What becomes of one field of the Flux Operator's MiniCluster, version v1alpha2. */
export interface ConformanceRow {
  /** Path in the manifest. A field whose type is Kubernetes' own stands for everything in it. */
  field: string;
  /** Paths of the arguments that it becomes. None: it is not taken. */
  args: string[];
  /** What is not as in the operator, or nothing. */
  differs: string;
  tests: ShownBy[];
}

/** What a row says beyond its field. */
export interface RowText {
  /** Paths of the arguments; by default the field's own path, without `spec.`. */
  args?: string[];
  differs?: string;
  /** Tests beside the one that every field has. */
  also?: ShownBy[];
}

/** The test that every row has: reads the field from a manifest and finds it in the objects of the cluster. */
export const fieldTest = (field: string): ShownBy => ({
  file: "tests/unit/sdk/fields.spec.ts",
  title: `what becomes of ${field}`,
});

/** Rows of fields that stand in one place. */
export const rowsIn = (place: string, rows: Record<string, RowText>): ConformanceRow[] =>
  Object.entries(rows).map(([name, { args, differs = "", also = [] }]) => {
    const field = `${place}.${name}`;
    return { field, args: args ?? [field.replace(/^spec\./, "")], differs, tests: [fieldTest(field), ...also] };
  });

/** Tests of one file. */
export const testsOf =
  (file: string) =>
  (title: string): ShownBy => ({ file: `tests/${file}.spec.ts`, title });
