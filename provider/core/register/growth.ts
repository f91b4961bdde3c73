import * as pulumi from "@pulumi/pulumi";
import { readerOf } from "../../diagnostics/apiServer";
import { beforeCreate } from "../../diagnostics/hooks";
import { properties } from "../../shared/checks";
import { whenKnown, within } from "../../shared/deferred";
import type { ResizeDiagnostics } from "../diagnostics/featureDiagnostics";
import { hasEnded, type JobState } from "../diagnostics/job";
import { hashAnnotation, leafHashAnnotation } from "../parse/names";
import { isResizedByPatch, type MiniClusterSpec } from "../parse/spec";
import type { JobOfBrokers, UniqueOptions } from "./options";

/** Options of the resized resources. */
export interface ResizeOptions extends UniqueOptions {
  onResize: ResizeDiagnostics;
  growth: Growth;
}

/** Milliseconds in which the engine has to set the size before a Job is created. */
const patienceMillis = 20_000;

/**
 * The order of the two patches that resize a cluster. When its container starts, the lead broker reads from the ConfigMap how
 * many brokers it waits for. If an update is killed between the patches, this number must not exceed the pods of the Job: a
 * restarted lead broker would wait for brokers that never start. So the ConfigMap is patched first, except if a running Job only
 * gets more pods.
 */
export class Growth {
  private readonly isGrowing: Promise<boolean>;
  private replaced: () => void = () => undefined;
  private readonly isReplaced = new Promise<void>((resolve) => (this.replaced = resolve));
  private resolvePatch: (patch: pulumi.Resource) => void = () => undefined;
  private readonly patch = new Promise<pulumi.Resource>((resolve) => (this.resolvePatch = resolve));
  private size: pulumi.Resource | undefined;

  constructor(
    private readonly cluster: JobOfBrokers,
    component: pulumi.Resource,
  ) {
    const { spec, manifests } = cluster;
    this.isGrowing =
      pulumi.runtime.isDryRun() || !isResizedByPatch(spec)
        ? Promise.resolve(false)
        : growsInPlace(spec, component, manifests.jobScale.metadata.annotations).catch(() => false);
  }

  /** Resources besides the ConfigMap that its patch depends on. */
  beforeConfig(): pulumi.Output<pulumi.Resource[]> {
    const patched = this.patch.then(async (patch) => {
      await whenKnown(patch.urn);
      return [patch];
    });
    return pulumi.output(
      this.isGrowing.then((isGrowing) =>
        isGrowing ? Promise.race([patched, this.isReplaced.then((): pulumi.Resource[] => [])]) : [],
      ),
    );
  }

  /** Resources that all other objects depend on: the ConfigMap, and its patch if the patch is first. */
  afterConfig(config: pulumi.Resource, size: pulumi.Resource): pulumi.Output<pulumi.Resource[]> {
    this.size = size;
    return pulumi.output(this.isGrowing.then((isGrowing) => (isGrowing ? [config] : [config, size])));
  }

  /** To be called with the patch of the Job. */
  follow(patch: pulumi.Resource): void {
    this.resolvePatch(patch);
  }

  /** Hook on the Job: a Job that is replaced unexpectedly reads the new size from the ConfigMap. */
  hookOnJob(component: pulumi.Resource): pulumi.ResourceHookBinding {
    return beforeCreate(`minicluster:${this.cluster.name}:growth`, component, async () => {
      const { size } = this;
      if (!size || !(await this.isGrowing)) return [];
      this.replaced();
      const isPatched = whenKnown(size.urn).then(() => true);
      const inTime = await within(patienceMillis, isPatched, false);
      const message =
        "the Job is both replaced and enlarged, and its lead broker needs the new size first; let the engine update two " +
        "resources at a time (--parallel 2)";
      return inTime ? [] : [{ severity: "error", message }];
    });
  }
}

/** True if the Job of a cluster runs, is not replaced, and gets more pods. */
async function growsInPlace(
  { namespace, name, size }: MiniClusterSpec,
  component: pulumi.Resource,
  annotations: Record<string, pulumi.Input<string>>,
): Promise<boolean> {
  const read = await readerOf(component);
  const job = (await read?.(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`)) as JobState | undefined;
  const pods = job?.spec?.parallelism;
  if (!job || pods === undefined || pods >= size || job.spec?.suspend === true || hasEnded(job)) return false;
  const live = properties(job.metadata?.annotations);
  const hashes = [hashAnnotation, leafHashAnnotation].map(async (key) => {
    const wanted = annotations[key];
    return wanted === undefined || live[key] === (await whenKnown(pulumi.output(wanted)));
  });
  return (await Promise.all(hashes)).every((isSame) => isSame);
}
