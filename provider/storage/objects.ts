import { type ClaimManifest, isCreated, metadata } from "../core/objects/manifest";
import type { MiniClusterSpec } from "../core/parse/spec";
import { stateClaimName, storageOf } from "./spec";

/** The claim of the volume with the state of the instance, unless the claim exists. */
export function buildStateClaim(spec: MiniClusterSpec): ClaimManifest | undefined {
  const { claimName, own } = storageOf(spec) ?? {};
  if (claimName === undefined || own === undefined) return undefined;
  const { size, storageClassName } = own;
  return {
    // It may be bound only once the pod has a node.
    metadata: metadata(spec, stateClaimName(spec), { "pulumi.com/waitFor": isCreated }),
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: size } }, storageClassName },
  };
}
