import { Job } from "@pulumi/kubernetes/batch/v1/job";
import { JobPatch } from "@pulumi/kubernetes/batch/v1/jobPatch";
import type { ResourceHookBinding } from "@pulumi/pulumi";
import { mergeHooks } from "../../diagnostics/hooks";
import { secretWith, waitingFor } from "../../shared/children";
import { whenKnown } from "../../shared/deferred";
import { propertyPath } from "../../shared/errors";
import { sizeHooks } from "../diagnostics/job";
import type { Creations } from "../diagnostics/replacement";
import { reportWhileWaiting, uidOf, waitDiagnostics, WaitOfJob } from "../diagnostics/waiting";
import { certificateHashAnnotation, environmentHashAnnotation } from "../parse/names";
import { isAutoscaled, isResizedByPatch, type MiniClusterSpec } from "../parse/spec";
import type { ResizeOptions } from "./growth";
import { type JobOfBrokers, patchOptions } from "./options";
import { SizeFirst } from "./sizeFirst";

/** Registers the Job of the brokers, and the patch with its size if a resize is a patch. */
export function registerJob(
  { name, spec, features, sourcePathOf, manifests: { job: manifest, jobScale } }: JobOfBrokers,
  {
    onResize,
    growth,
    creations,
    hooks,
    sizeHooks: ofSize,
    ...options
  }: ResizeOptions & { creations: Creations; sizeHooks: ResourceHookBinding },
) {
  const customTimeouts = waitingFor(spec.waitTimeoutSeconds, options);
  const byPatch = isResizedByPatch(spec);
  const { parent } = options;
  const order = new SizeFirst(name, spec);
  const own = new WaitOfJob(name, parent, features, () => order.isFirst);
  const job = new Job(name, manifest, {
    ...options,
    customTimeouts,
    replaceOnChanges: features.flatMap(({ fixedInJob = [] }) => fixedInJob),
    ...((byPatch || isAutoscaled(spec)) && { ignoreChanges: patchedFields(spec) }),
    hooks: mergeHooks(
      hooks,
      creations.hookOnJob(spec),
      ...(byPatch ? [order.hookOnJob(parent), growth.hookOnJob(parent)] : []),
      own.hooks(spec),
    ),
  });
  if (!byPatch) return { job, waiting: job, uid: own.uid };
  reportWhileWaiting(spec, parent, { begun: own.begun, ended: job, uid: own.uid, features });
  const resize = () => ({
    size: propertyPath(sourcePathOf(["size"])),
    isReplaced: creations.includes(spec),
    restart: features.flatMap((feature) => feature.restartOnResize?.(spec) ?? [])[0],
  });
  const patch = new JobPatch(`${name}-size`, jobScale, {
    ...patchOptions(options, job),
    ...order.optionsOfPatch(job),
    customTimeouts,
    hooks: mergeHooks(
      sizeHooks(name, spec, { parent, job, features, onResize, resize, onReached: order.reached }),
      ofSize,
      waitDiagnostics(name, spec, { component: parent, uid: uidOf(job), features }),
    ),
    transforms: secretWith({ metadata: manifest.metadata, spec: manifest.spec.template }, hashAnnotations),
  });
  void whenKnown(patch.urn).then(order.reached);
  growth.follow(patch);
  return { job, waiting: patch, uid: uidOf(job) };
}

/** Annotations of the pods that are hashes of secrets and do not reveal them. */
const hashAnnotations = [certificateHashAnnotation, environmentHashAnnotation];

/** Fields that the patch of the size sets, and that a change of the Job itself must not touch. */
const patchedFields = (spec: MiniClusterSpec) => [
  "spec.completions",
  "spec.parallelism",
  ...(spec.suspendsAtZero ? ["spec.suspend"] : []),
];
