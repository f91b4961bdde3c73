import * as fs from "node:fs";
import type { EngineEvent, OpMap, OpType } from "@pulumi/pulumi/automation";

import { differingPaths, valueAt } from "./propertyPaths";

type StepMetadata = NonNullable<EngineEvent["resourcePreEvent"]>["metadata"];
type ResourceState = NonNullable<StepMetadata["new"]>;
type PropertyDiff = NonNullable<StepMetadata["detailedDiff"]>[string];

/** The value in an event in place of one that a preview does not know. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** One property that a step changes. */
export interface PropertyChange {
  /** In the engine's notation, for example `spec.completions`. */
  path: string;
  old: unknown;
  new: unknown;
}

/** The engine's action on one resource, planned or done. */
export interface Step {
  op: OpType;
  type: string;
  name: string;
  urn: string;
  /** Paths of the properties that change. */
  diffs: string[];
  /** The values at those paths. */
  changes: PropertyChange[];
  old: ResourceState | undefined;
  new: ResourceState | undefined;
}

/** A message of the engine, a provider or the program. */
export interface Diagnostic {
  severity: "info" | "info#err" | "warning" | "error";
  message: string;
  urn: string | undefined;
}

/** The steps and messages of one operation. */
export interface OperationResult {
  steps: Step[];
  /** The steps that are more than "same", without the default providers, which the engine does not count either. */
  changedSteps: Step[];
  /** Numbers of created, updated and other resources, from the engine's summary. */
  summary: OpMap;
  diagnostics: Diagnostic[];
  /** The text for users. */
  stdout: string;
  stderr: string;
  durationMs: number;
}

/** A failed operation, with its result until then. */
export class OperationError extends Error {
  constructor(
    operation: string,
    readonly result: OperationResult,
    cause: unknown,
  ) {
    const errors = result.diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
    const reason = errors.length > 0 ? errors.join("\n") : cause instanceof Error ? cause.message : String(cause);
    super(`pulumi ${operation} failed: ${reason}`, { cause });
  }
}

/** Converts the stream of engine events into a result. */
export class EventCollector {
  private readonly steps = new Map<string, Step>();
  private readonly diagnostics: Diagnostic[] = [];
  private summary: OpMap = {};

  /** Adds one event. */
  add(event: EngineEvent): void {
    for (const about of [event.resourcePreEvent, event.resOutputsEvent, event.resOpFailedEvent])
      if (about) this.addStep(about.metadata);
    if (event.summaryEvent) this.summary = event.summaryEvent.resourceChanges ?? {};
    if (event.diagnosticEvent) this.addDiagnostic(event.diagnosticEvent);
  }

  /** The result so far. */
  result(texts: { stdout: string; stderr: string; durationMs: number }): OperationResult {
    const steps = [...this.steps.values()];
    const changedSteps = steps.filter((step) => step.op !== "same" && !isDefaultProvider(step));
    return { steps, changedSteps, summary: this.summary, diagnostics: this.diagnostics, ...texts };
  }

  private addDiagnostic({ severity, message, urn }: NonNullable<EngineEvent["diagnosticEvent"]>): void {
    // The SDK reports each of its calls as "debug", a severity that its own type lacks.
    if ((severity as string) === "debug") return;
    // A provider removes a status with an empty one.
    const text = withoutColour(message);
    if (text !== "") this.diagnostics.push({ severity, message: text, urn: urn || undefined });
  }

  // A step is announced and later concluded. The conclusion has more, and only it has the result of a refresh.
  private addStep(metadata: StepMetadata): void {
    const announced = `${metadata.urn} refresh`;
    const key = this.steps.has(announced) ? announced : `${metadata.urn} ${metadata.op}`;
    const known = this.steps.get(key);
    const step = toStep(metadata);
    // The conclusion of an update does not repeat the differences.
    if (known && step.changes.length === 0) Object.assign(step, { diffs: known.diffs, changes: known.changes });
    this.steps.set(key, step);
  }
}

function toStep(metadata: StepMetadata): Step {
  const detailedDiff = metadata.detailedDiff ?? {};
  const paths = Object.keys(detailedDiff);
  return {
    op: metadata.op,
    type: metadata.type,
    name: metadata.urn.slice(metadata.urn.lastIndexOf("::") + 2),
    urn: metadata.urn,
    diffs: paths.length > 0 ? paths : (metadata.diffs ?? []),
    changes: paths.length > 0 ? detailedChanges(metadata, detailedDiff) : inputChanges(metadata),
    old: metadata.old,
    new: metadata.new,
  };
}

function detailedChanges(metadata: StepMetadata, detailedDiff: Record<string, PropertyDiff>): PropertyChange[] {
  return Object.entries(detailedDiff).map(([path, diff]) => {
    // A difference that is not one of inputs compares the new inputs with what the provider last saw.
    const before = diff.inputDiff ? metadata.old?.inputs : metadata.old?.outputs;
    return { path, old: valueAt(before, path), new: valueAt(metadata.new?.inputs, path) };
  });
}

// A provider may report only which top-level properties differ.
function inputChanges({ diffs = [], old, new: next }: StepMetadata): PropertyChange[] {
  const paths = diffs.flatMap((key) => differingPaths(old?.inputs[key], next?.inputs[key], key));
  return paths.map((path) => {
    const before = valueAt(old?.inputs, path);
    const after = valueAt(next?.inputs, path);
    return { path, old: before, new: after };
  });
}

function isDefaultProvider({ type, name }: Step): boolean {
  return type.startsWith("pulumi:providers:") && name.startsWith("default");
}

function withoutColour(message: string): string {
  return message.replace(/<\{%[^%]*%\}>/g, "").trim();
}

/** Paths of matching values in the inputs of every resource. */
export function inputPaths(result: OperationResult, matches: (value: unknown) => boolean): string[] {
  const found: string[] = [];
  const walk = (value: unknown, path: string) => {
    if (matches(value)) found.push(path);
    else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, `${path}.${key}`);
  };
  for (const { type, new: state } of result.steps)
    if (!type.startsWith("pulumi:")) walk(state?.inputs ?? {}, type.split(":").at(-1) as string);
  return [...new Set(found)].sort();
}

/** Whether a value of a preview is not known yet. */
export const isUnknown = (value: unknown) => value === unknownValue;

/** Whether the state names an operation on a resource of a kind that has begun and not ended. */
export function isPending(statePath: string, kind: string): boolean {
  if (!fs.existsSync(statePath)) return false;
  const text = fs.readFileSync(statePath, "utf8");
  // The engine may be writing it at this moment.
  return (
    /"pending_operations":[^]*\}\s*$/.test(text) && text.slice(text.indexOf("pending_operations")).includes(`:${kind}`)
  );
}
