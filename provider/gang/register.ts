import type * as pulumi from "@pulumi/pulumi";
import { PodGroup as AlphaPodGroup } from "@pulumi/kubernetes/scheduling/v1alpha2/podGroup";
import { PodGroup as BetaPodGroup } from "@pulumi/kubernetes/scheduling/v1beta1/podGroup";
import type { PodGroupManifest } from "../core/objects/manifest";
import type { JobOfBrokers, UniqueOptions } from "../core/register/options";
import { mergeHooks } from "../diagnostics/hooks";
import { MiniClusterGangVersion } from "./args";
import { podGroupHooks } from "./diagnostics";
import type { PodGroupSpec } from "./spec";

const podGroups = {
  [MiniClusterGangVersion.V1alpha2]: AlphaPodGroup,
  [MiniClusterGangVersion.V1beta1]: BetaPodGroup,
};

/** Registers the PodGroup of the pods, before the pods. */
export function registerPodGroup(
  { name }: JobOfBrokers,
  podGroup: PodGroupSpec,
  manifest: PodGroupManifest,
  options: UniqueOptions,
): pulumi.Resource[] {
  const PodGroup = podGroups[podGroup.version];
  const hooks = mergeHooks(options.hooks, podGroupHooks(name, podGroup, options.parent));
  // A PodGroup with pods cannot be deleted: the former one is deleted after its Job.
  return [new PodGroup(`${name}-gang`, manifest, { ...options, hooks, deleteBeforeReplace: false })];
}
