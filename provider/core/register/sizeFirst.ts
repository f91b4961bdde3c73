import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import * as pulumi from "@pulumi/pulumi";
import { beforeUpdate, type Diagnostic } from "../../diagnostics/hooks";
import { properties } from "../../shared/checks";
import { whenKnown, within } from "../../shared/deferred";
import { MiniClusterWait } from "../args";
import { hasEnded, type JobState } from "../diagnostics/job";
import { autoscaled, hashAnnotation } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";

/** Time in which the engine has to reach the patch. One that works on several resources at a time needs far less. */
const patienceMillis = 20_000;

/**
 * The order of a Job and the patch of its size. The patch comes after the Job. But a refresh marks every running Job as
 * unhealthy, and the engine then updates it, even where nothing has changed: the provider waits for the pods of the former
 * size, and where these cannot all become Ready, the new size would never be set. Then the patch goes first.
 */
export class SizeFirst {
  private goAhead: () => void = () => undefined;
  private readonly ahead = new Promise<void>((resolve) => (this.goAhead = resolve));
  /** To be called when the engine has reached the patch. */
  reached: () => void = () => undefined;
  private readonly isReached = new Promise<void>((resolve) => (this.reached = resolve));

  /** True once the patch goes first: the Job then waits for the same pods. */
  isFirst = false;

  constructor(
    private readonly name: string,
    private readonly spec: MiniClusterSpec,
  ) {}

  /** Hook on the Job that lets the patch go first where an update of the Job would wait in vain. */
  hookOnJob(component: pulumi.Resource): pulumi.ResourceHookBinding {
    return beforeUpdate(`minicluster:${this.name}:job`, component, (_before, _after, recorded) =>
      this.beforeJob(recorded),
    );
  }

  private async beforeJob(job: JobState): Promise<Diagnostic[]> {
    const awaited = awaitedInVain(this.spec, job);
    if (!awaited) return [];
    this.goAhead();
    this.isFirst = true;
    const isReached = this.isReached.then(() => true);
    const inTime = await within(patienceMillis, isReached, false);
    return inTime ? [] : [this.tooLate(awaited)];
  }

  /** Options by which the patch depends on the Job and is deleted with it, or on nothing if the patch goes first. */
  optionsOfPatch(job: Job): pulumi.CustomResourceOptions {
    const before = Promise.race([whenKnown(job.urn).then(() => [job]), this.ahead.then(() => [] as Job[])]);
    // The SDK reads only the URN of this resource, and an empty one counts as none.
    const urn = pulumi.output(before.then(([job]) => job?.urn ?? ""));
    return { dependsOn: pulumi.output(before), deletedWith: { urn } as pulumi.Resource };
  }

  private tooLate({ pods, ready }: { pods: number; ready: number }): Diagnostic {
    const targets = ["entrypoint-size", "size"].map((patch) => `--target '**::${this.name}-${patch}'`).join(" ");
    const message =
      `the Job ${this.spec.namespace}/${this.spec.name} has ${ready} of ${pods} pods Ready, and the Kubernetes provider would wait for ` +
      `all of them before it sets the size ${this.spec.size}; let the engine work on two resources at a time (--parallel 2), or ` +
      `set the size first: pulumi up ${targets}`;
    return { severity: "error", message };
  }
}

/**
 * Pods that an update of the Job would wait for in vain, because the cluster is to have another number: only the patch
 * that comes after the update could end the wait.
 */
function awaitedInVain(spec: MiniClusterSpec, job: JobState): { pods: number; ready: number } | undefined {
  const pods = job.spec?.parallelism;
  const ready = job.status?.ready ?? 0;
  // The outputs of the create are out of date: only a refresh records the Job together with its patch.
  const hash = properties(job.metadata?.annotations)[hashAnnotation];
  const isRefreshed = hash !== undefined && hash !== autoscaled;
  const isOver = hasEnded(job) || job.spec?.suspend === true || spec.wait === MiniClusterWait.None || ready === pods;
  const isVain = isRefreshed && !isOver && pods !== Math.max(1, spec.size);
  return isVain && pods !== undefined ? { pods, ready } : undefined;
}
