/** A value for a field of the operator's, and what shows it in the cluster. */
export interface Sample {
  value: unknown;
  /** Fields that the value needs beside it, by path; `.name` is a field beside this one. */
  beside?: Record<string, unknown>;
  /** Stands in the second container, which does not run Flux. */
  inSidecar?: boolean;
  /** Parts of lines that the cluster has with the field, and not without it. */
  shows?: string[];
  /** Parts of lines that the cluster has without the field alone. */
  hides?: string[];
  /** The cluster is the same with the field and without it. */
  changesNothing?: boolean;
  /** What a warning says of it. */
  warns?: RegExp;
  /** What refuses it. */
  refused?: RegExp;
}
