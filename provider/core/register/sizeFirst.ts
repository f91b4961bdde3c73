import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import * as pulumi from "@pulumi/pulumi";
import { beforeUpdate, type Diagnostic } from "../../diagnostics/hooks";
import { properties } from "../../shared/checks";
import { whenKnown, within } from "../../shared/deferred";
import { MiniClusterWait } from "../args";
import { hasEnded, type JobState } from "../diagnostics/job";
import { autoscaled, hashAnnotation } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";

/** Milliseconds in which the engine has to reach the patch. An engine that updates several resources at a time needs far less. */
const patienceMillis = 20_000;

/**
 * The order of a Job and the patch of its size. The patch comes after the Job. But a refresh marks every running Job as
 * unhealthy, and the engine then updates it, even if nothing has changed. The provider waits for the pods of the former size, and
 * if these cannot all become Ready, the new size is never set. In this case the patch comes first.
 */
export class SizeFirst {
  private goAhead: () => void = () => undefined;
  private readonly ahead = new Promise<void>((resolve) => (this.goAhead = resolve));
  /** To be called when the engine has reached the patch. */
  reached: () => void = () => undefined;
  private readonly isReached = new Promise<void>((resolve) => (this.reached = resolve));

  /** True once the patch comes first: the Job then waits for the same pods. */
  isFirst = false;

  constructor(
    private readonly name: string,
    private readonly spec: MiniClusterSpec,
  ) {}

  /** Hook on the Job that puts the patch first if an update of the Job waits for pods that cannot become Ready. */
  hookOnJob(component: pulumi.Resource): pulumi.ResourceHookBinding {
    return beforeUpdate(`minicluster:${this.name}:job`, component, (_before, _after, recorded) =>
      this.beforeJob(recorded),
    );
  }

  private async beforeJob(job: JobState): Promise<Diagnostic[]> {
    const awaited = blockedWait(this.spec, job);
    if (!awaited) return [];
    this.goAhead();
    this.isFirst = true;
    const isReached = this.isReached.then(() => true);
    const inTime = await within(patienceMillis, isReached, false);
    return inTime ? [] : [this.tooLate(awaited)];
  }

  /** Options by which the patch depends on the Job and is deleted with it, or on nothing if the patch comes first. */
  optionsOfPatch(job: Job): pulumi.CustomResourceOptions {
    const before = Promise.race([whenKnown(job.urn).then(() => [job]), this.ahead.then(() => [] as Job[])]);
    // The SDK reads only the URN of this resource, and ignores an empty URN.
    const urn = pulumi.output(before.then(([job]) => job?.urn ?? ""));
    return { dependsOn: pulumi.output(before), deletedWith: { urn } as pulumi.Resource };
  }

  private tooLate({ pods, ready }: { pods: number; ready: number }): Diagnostic {
    const targets = ["entrypoint-size", "size"].map((patch) => `--target '**::${this.name}-${patch}'`).join(" ");
    const message =
      `the Job ${this.spec.namespace}/${this.spec.name} has ${ready} of ${pods} pods Ready, and the Kubernetes provider would wait for ` +
      `all of them before it sets the size ${this.spec.size}; let the engine update two resources at a time (--parallel 2), or ` +
      `set the size first: pulumi up ${targets}`;
    return { severity: "error", message };
  }
}

/**
 * Pods of the former size that an update of the Job waits for, if the patch sets another size: without the patch, which comes
 * after the update, the wait might never end.
 */
function blockedWait(spec: MiniClusterSpec, job: JobState): { pods: number; ready: number } | undefined {
  const pods = job.spec?.parallelism;
  const ready = job.status?.ready ?? 0;
  // The outputs of the create are out of date: only a refresh records the Job together with its patch.
  const hash = properties(job.metadata?.annotations)[hashAnnotation];
  const isRefreshed = hash !== undefined && hash !== autoscaled;
  const isOver = hasEnded(job) || job.spec?.suspend === true || spec.wait === MiniClusterWait.None || ready === pods;
  const isBlocked = isRefreshed && !isOver && pods !== Math.max(1, spec.size);
  return isBlocked && pods !== undefined ? { pods, ready } : undefined;
}
