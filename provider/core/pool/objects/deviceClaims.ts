import { withoutEmpty } from "../../../shared/objects";
import { channelTemplateName, claimTemplateName, computeDomainName } from "../../parse/names";
import type { MiniClusterSpec } from "../../parse/spec";
import { type ClaimTemplateManifest, metadata } from "../../objects/manifest";

/** Names of the claims in the pods: of the devices, and of the channel to the other pods' GPUs. */
const [deviceClaim, channelClaim] = ["pool-devices", "compute-domain"];

/** Devices that the pods claim: each pod has separate claims, created from this template and deleted with the pod. */
export function buildClaimTemplate(spec: MiniClusterSpec): ClaimTemplateManifest | undefined {
  const { claims = [], matchAttributes = [] } = spec.pool ?? {};
  if (claims.length === 0) return undefined;
  const requests = claims.map(({ name, deviceClass, count }) => ({
    name,
    exactly: { deviceClassName: deviceClass, allocationMode: "ExactCount", count },
  }));
  // Without names of requests a constraint applies to all of them.
  const constraints = matchAttributes.map((matchAttribute) => ({ matchAttribute }));
  const devices = withoutEmpty({ requests, constraints });
  return { metadata: metadata(spec, claimTemplateName(spec)), spec: { spec: { devices } } };
}

/**
 * The ComputeDomain of a cluster whose pods reach each other's GPUs. NVIDIA's driver creates the template of the claims of its
 * channel.
 */
export function buildComputeDomain(spec: MiniClusterSpec) {
  if (!spec.pool?.computeDomain) return undefined;
  return {
    apiVersion: "resource.nvidia.com/v1beta1",
    kind: "ComputeDomain",
    metadata: metadata(spec, computeDomainName(spec)),
    // Nodes join with the pods, so the domain has no fixed number of nodes.
    spec: { numNodes: 0, channel: { resourceClaimTemplate: { name: channelTemplateName(spec) } } },
  };
}

/** Claims of a pod. */
export function podClaims(spec: MiniClusterSpec): { name: string; resourceClaimTemplateName: string }[] {
  const { claims = [], claimSets = 1, computeDomain = false } = spec.pool ?? {};
  const names =
    claimSets === 1 ? [deviceClaim] : Array.from({ length: claimSets }, (_, set) => `${deviceClaim}-${set}`);
  const from = (resourceClaimTemplateName: string) => (name: string) => ({ name, resourceClaimTemplateName });
  return [
    ...(claims.length > 0 ? names.map(from(claimTemplateName(spec))) : []),
    ...(computeDomain ? [channelClaim].map(from(channelTemplateName(spec))) : []),
  ];
}

/** Resources of the container that runs Flux, with the claims of its pod. */
export function withClaims(spec: MiniClusterSpec) {
  const claims = podClaims(spec).map(({ name }) => ({ name }));
  return claims.length > 0 ? { resources: { ...spec.main.resources, claims } } : {};
}
