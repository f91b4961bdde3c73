import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import type * as pulumi from "@pulumi/pulumi";
import { afterUpdate, beforeUpdate, type Diagnostic, type Inputs, mergeHooks } from "../../diagnostics/hooks";
import { properties } from "../../shared/checks";
import { whenKnown } from "../../shared/deferred";
import { isPlainObject, numberAt } from "../../shared/objects";
import { version } from "../../shared/version";
import { hashAnnotation, scriptsAnnotation, sizeKey } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";
import type { FeatureDiagnostics, ResizeDiagnostics } from "./featureDiagnostics";
import { rejectRenderedPatches } from "./renderedPatches";
import { podsIn, type Resize, resizeNotices, terminatingNotices } from "./resize";

/** The fields of a Job, live or in the outputs of its resource, that are read here. */
export interface JobState {
  metadata?: { uid?: string; annotations?: Record<string, unknown> };
  spec?: { parallelism?: number; suspend?: boolean };
  status?: { ready?: number; completionTime?: string; conditions?: { type?: string; status?: string }[] };
}

const endings = ["Complete", "Failed"];

/** True for a Job that is complete or has failed. */
export const hasEnded = ({ status = {} }: JobState) =>
  status.completionTime !== undefined ||
  (status.conditions ?? []).some(({ type = "", status: state }) => endings.includes(type) && state === "True");

interface SizeHooksOptions {
  parent: pulumi.Resource;
  job: Job;
  features: readonly FeatureDiagnostics[];
  onResize: ResizeDiagnostics;
  /** The argument of the size, and whether the Job is replaced. */
  resize: () => Resize;
  /** Called when the engine reaches the patch. */
  onReached: () => void;
}

/** Hooks on the patch of the Job's size: what the resize changes, and an error if the Job cannot be resized. */
export function sizeHooks(
  name: string,
  spec: MiniClusterSpec,
  { parent, job, features, onResize, resize, onReached }: SizeHooksOptions,
): pulumi.ResourceHookBinding {
  const endedErrors = async (before: Inputs, after: Inputs, recorded: Inputs) => {
    const errors = endedDiagnostics(spec, { before, after, job: recorded }, "error");
    // A Job that is replaced has not ended. The uid is read only after the Job has ended, because only then it is certain to be
    // known.
    const isSame = errors.length > 0 && (await whenKnown(job.metadata.uid)) === (recorded as JobState).metadata?.uid;
    return isSame ? errors : [];
  };
  const announceResize = (before: Inputs, after: Inputs) => {
    const [old, changed] = [before, after].map(podsIn);
    if (old === undefined || changed === undefined || old === changed || resize().isReplaced) return;
    for (const feature of features) feature.beforeResize?.(spec, { old, changed }, parent);
  };
  return mergeHooks(
    beforeUpdate(`minicluster:${name}:size`, parent, async (before, after, recorded) => {
      onReached();
      const counts = [before, after].map((inputs) => numberAt(inputs, "spec", "parallelism"));
      const errors = [...(await onResize(counts)), ...(await endedErrors(before, after, recorded))];
      if (errors.length === 0) announceResize(before, after);
      return [
        ...replacementWarnings(spec, features, before, after),
        ...(errors.length > 0 ? [] : resizeNotices(spec, resize(), before, after)),
        ...errors,
      ];
    }),
    // The end of the Job may be missing from the state.
    afterUpdate(`minicluster:${name}:resized`, parent, (before, after, updated) => [
      ...endedDiagnostics(spec, { before, after, job: updated }, "warning"),
      ...terminatingNotices(before, after, updated),
    ]),
  );
}

/**
 * Hooks on the patch of the ConfigMap's size: an error for a patch that would be rendered to a file or that the API server would
 * reject for the Job, and a warning if another version of this package replaces the Job.
 */
export function configSizeHooks(
  name: string,
  spec: MiniClusterSpec,
  onResize: ResizeDiagnostics,
  parent: pulumi.Resource,
): pulumi.ResourceHookBinding {
  return mergeHooks(
    rejectRenderedPatches(name, parent),
    beforeUpdate(`minicluster:${name}:configSize`, parent, async (before, after) => {
      const sizes = [before, after].map(({ data }) => (isPlainObject(data) ? String(data[sizeKey]) : undefined));
      return [...scriptWarnings(spec, before, after), ...(await onResize(sizes))];
    }),
  );
}

/** Diagnostics on a resize of a Job that has ended, which starts no further pods. */
function endedDiagnostics(
  spec: MiniClusterSpec,
  { before, after, job }: { before: Inputs; after: Inputs; job: JobState },
  severity: Diagnostic["severity"],
): Diagnostic[] {
  const [old, changed] = [before, after].map((inputs) => numberAt(inputs, "spec", "completions"));
  if (old === undefined || changed === undefined || old === changed || !hasEnded(job)) return [];
  const message =
    `the Job ${spec.namespace}/${spec.name} has ended, and a resize does not restart it; to run it again at this size, ` +
    `replace it: pulumi up --replace '**batch/v1:Job::*'`;
  return [{ severity, message }];
}

/**
 * Warnings of a change that replaces the Job, such as a change of the size without `maxSize`, because the hosts of the instance
 * then depend on the size. The preview shows the replacement without its reason.
 */
export function replacementWarnings(
  spec: MiniClusterSpec,
  features: readonly FeatureDiagnostics[],
  before: Inputs,
  after: Inputs,
): Diagnostic[] {
  const ofFeatures = features.flatMap((feature) => feature.replacementWarnings?.(spec, before, after) ?? []);
  return ofFeatures.length > 0 ? ofFeatures : sizeWarnings(spec, before, after);
}

function sizeWarnings(spec: MiniClusterSpec, before: Inputs, after: Inputs): Diagnostic[] {
  const [old, changed] = [before, after].map((inputs) => numberAt(inputs, "spec", "completions"));
  const [oldHash, hash] = [before, after].map((inputs) => annotationsIn(inputs)[hashAnnotation]);
  if (spec.role === "follower" || spec.hasMaxSize) return [];
  if (old === undefined || changed === undefined || old === changed || oldHash === hash) return [];
  return [replacementWarning(spec, "size", { old, changed })];
}

/** The warning of a size whose change replaces the Job. */
export function replacementWarning(
  spec: MiniClusterSpec,
  what: "size" | "max",
  { old, changed }: Record<"old" | "changed", number | string>,
): Diagnostic {
  const message =
    `${what === "max" ? "autoscale.max" : what} ${old} => ${changed} replaces the Job and restarts every broker, because ` +
    `maxSize is not set; ${lostJobs(spec)}; set maxSize in the same update to the largest ${what} that you plan, so that later ` +
    "changes are made in place";
  return { severity: "warning", message };
}

/** What a restart of the lead broker ends. Without `isStored`, it is not known whether the lead broker that runs has a volume. */
export function lostJobs({ additions }: MiniClusterSpec, isStored?: boolean): string {
  if (additions.stateDirectory.path === undefined || isStored === false) return "pending and running jobs are lost";
  return isStored
    ? "running jobs are lost, and pending jobs are kept"
    : "running jobs are lost, and also pending jobs if the running lead broker has no lead.storage";
}

/** Annotations in the inputs of an object. */
export const annotationsIn = (inputs: Inputs) => properties((inputs as JobState).metadata?.annotations);

/**
 * Warnings on the patch of a ConfigMap whose scripts another version of this package has changed: a changed script replaces the Job,
 * although no argument has changed.
 */
export function scriptWarnings({ namespace, name }: MiniClusterSpec, before: Inputs, after: Inputs): Diagnostic[] {
  const [old, changed] = [before, after].map(annotationsIn);
  // A version with other scripts has created a cluster without the annotation.
  if (old?.[scriptsAnnotation] === changed?.[scriptsAnnotation]) return [];
  const message =
    `new scripts of version ${version} replace the Job ${namespace}/${name} and restart every broker; to keep the running jobs, ` +
    "use the former version until they have ended";
  return [{ severity: "warning", message }];
}
