import type * as pulumi from "@pulumi/pulumi";
import { PersistentVolumeClaim } from "@pulumi/kubernetes/core/v1/persistentVolumeClaim";
import { PersistentVolumeClaimPatch } from "@pulumi/kubernetes/core/v1/persistentVolumeClaimPatch";
import { MiniClusterResize } from "../core/args";
import { mergeHooks } from "../diagnostics/hooks";
import type { ClaimManifest } from "../core/objects/manifest";
import { warnOfMissingClass } from "./diagnostics";
import type { JobOfBrokers, UniqueOptions } from "../core/register/options";

/**
 * Registers the claim of the volume with the state of the instance. A patch creates it, or takes over the claim of a former
 * cluster, and nothing deletes it.
 */
export function registerStateClaim(
  { name, spec }: JobOfBrokers,
  stateClaim: ClaimManifest,
  options: UniqueOptions,
): pulumi.Resource[] {
  // A patch cannot be rendered to a file.
  const Claim = spec.resize === MiniClusterResize.Manifest ? PersistentVolumeClaim : PersistentVolumeClaimPatch;
  const hooks = mergeHooks(options.hooks, warnOfMissingClass(name, spec, options.parent));
  return [new Claim(`${name}-state`, stateClaim, { ...options, hooks, retainOnDelete: true })];
}
