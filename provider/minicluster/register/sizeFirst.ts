import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@pulumi/kubernetes/batch/v1/job";
import * as pulumi from "@pulumi/pulumi";
import { type Inputs, type Remark } from "../../shared/changes";
import { whenKnown } from "../../shared/plain";
import { awaitedInVain } from "./jobRemarks";
import type { MiniClusterSpec } from "../parse/spec";

/** Time in which the engine has to reach the patch. One that works on several resources at a time needs far less. */
const patienceMillis = 20_000;

/**
 * The order of a Job and the patch of its size. The patch comes after the Job. But a refresh marks every Job that runs as
 * unhealthy, and the engine then updates it, even where nothing has changed: the provider waits for the pods that the Job has
 * had so far, and where these cannot all come up, a new size would never be reached. Then the patch goes first.
 */
export class SizeFirst {
  private goAhead: () => void = () => undefined;
  private readonly ahead = new Promise<void>((resolve) => (this.goAhead = resolve));
  /** To be called when the engine has come to the patch. */
  reached: () => void = () => undefined;
  private readonly isReached = new Promise<void>((resolve) => (this.reached = resolve));

  constructor(
    private readonly name: string,
    private readonly spec: MiniClusterSpec,
  ) {}

  /** Before an update of the Job: lets the patch go first where the Job would wait in vain. */
  async beforeJob(seen: Inputs): Promise<Remark[]> {
    const awaited = awaitedInVain(this.spec, seen);
    if (!awaited) return [];
    this.goAhead();
    const over = new AbortController();
    const inTime = await Promise.race([
      this.isReached.then(() => true),
      sleep(patienceMillis, false, { signal: over.signal, ref: false }).catch(() => false),
    ]);
    over.abort();
    return inTime ? [] : [this.tooLate(awaited)];
  }

  /** Options by which the patch depends on the Job and is deleted with it, or on nothing if the patch goes first. */
  optionsOfPatch(job: Job): pulumi.CustomResourceOptions {
    const before = Promise.race([whenKnown(job.urn).then(() => [job]), this.ahead.then(() => [] as Job[])]);
    // The SDK asks no more of this resource than its URN, and takes an empty one for none.
    const urn = pulumi.output(before.then(([made]) => made?.urn ?? ""));
    return { dependsOn: pulumi.output(before), deletedWith: { urn } as pulumi.Resource };
  }

  private tooLate({ pods, ready }: { pods: number; ready: number }): Remark {
    const targets = ["entrypoint-size", "size"].map((patch) => `--target '**::${this.name}-${patch}'`).join(" ");
    const text =
      `the Job ${this.spec.namespace}/${this.spec.name} has ${ready} of ${pods} pods Ready, and the Kubernetes provider would wait for ` +
      `all of them before it sets the size ${this.spec.size}; let the engine work on two resources at a time (--parallel 2), or ` +
      `set the size first: pulumi up ${targets}`;
    return { severity: "error", text };
  }
}
