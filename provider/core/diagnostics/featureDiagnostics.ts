import type * as pulumi from "@pulumi/pulumi";
import type { Read } from "../../diagnostics/apiServer";
import type { Diagnostic, Inputs } from "../../diagnostics/hooks";
import type { MiniClusterSpec } from "../parse/spec";
import type { JobReader } from "./pods";

/** Diagnostics on a resize from one size to another. */
export type ResizeDiagnostics = (sizes: (number | string | undefined)[]) => Promise<Diagnostic[]>;

/** The pods of a Job before and after a resize in place. */
export interface ResizeInPlace {
  old: number;
  changed: number;
}

/** The diagnostics of a feature. */
export interface FeatureDiagnostics {
  /** Fields of the Job whose change the API server rejects while the Job runs, so that the change replaces the Job. */
  fixedInJob?: string[];
  /** Errors on a resize that the API server will reject. One resize patches several resources. */
  onResize?(spec: MiniClusterSpec, connect: () => Promise<Read | undefined>): ResizeDiagnostics;
  /** Called before the engine resizes a Job in place, also in a preview. It delays the resize, so it returns at once. */
  beforeResize?(spec: MiniClusterSpec, resize: ResizeInPlace, component: pulumi.Resource): void;
  /** What a controller does with all pods of a Job for another size. Undefined if the remaining pods keep running. */
  restartOnResize?(spec: MiniClusterSpec): string | undefined;
  /** Warnings of a change of the patch of the Job that replaces the Job. */
  replacementWarnings?(spec: MiniClusterSpec, before: Inputs, after: Inputs): Diagnostic[];
  /** The reason why an operation on the Job has failed, if the errors of the API server do not state it. */
  explain?(spec: MiniClusterSpec, errors: string[]): string | undefined;
  /** Reasons why the pods of a Job are not Ready, one sentence each. */
  waitReasons?(job: JobReader, spec: MiniClusterSpec, podProblems: string[]): Promise<string[]>;
  /** Hooks on the ConfigMap of the programs. */
  hooksOnPrograms?(name: string, spec: MiniClusterSpec, parent: pulumi.Resource): pulumi.ResourceHookBinding;
}
