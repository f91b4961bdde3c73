import type * as pulumi from "@pulumi/pulumi";
import { beforeUpdate, type Diagnostic, mergeHooks } from "../../../diagnostics/hooks";
import { factsOf, requireKind, sizingErrors } from "../../karpenter/diagnostics";
import { leastMachine } from "../../machines";
import { newPoolHooks, resizeHooks } from "../../nodes/diagnostics";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { aksMachineType, canonicalSize } from "../machines";
import { nodeClassApi, sizeLabel } from "./objects";
import type { AksKarpenterPoolSpec } from "./parse";

const remedy =
  "turn on node auto-provisioning of the AKS cluster first (az aks update --node-provisioning-mode Auto, or " +
  'nodeProvisioningProfile.mode "Auto" of the ManagedCluster), or use an AksNodePool';

const requireKarpenter = ({ name }: AksKarpenterPoolSpec, parent: pulumi.Resource, groupVersion: string) =>
  requireKind(name, parent, groupVersion, remedy);

/** Hooks on the AKSNodeClass of a spec. */
export const nodeClassHooks = (spec: AksKarpenterPoolSpec, parent: pulumi.Resource) =>
  requireKarpenter(spec, parent, nodeClassApi);

/** Hooks on the NodePool of a spec. */
export const nodePoolHooks = (spec: AksKarpenterPoolSpec, parent: pulumi.Resource) =>
  mergeHooks(
    requireKarpenter(spec, parent, "karpenter.sh/v1"),
    newPoolHooks(spec, parent, infinibandNotices(spec)),
    resizeHooks(spec.scheduling, parent, factsIn(spec)),
    beforeUpdate(`minicluster:${spec.name}:sizing`, parent, sizingErrors(spec)),
  );

/** A notice of InfiniBand that nodes outside of a scale set do not have (AKS, "Virtual Machines node pools", "Limitations"). */
export function infinibandNotices({ name, machine, machineTypes }: AksKarpenterPoolSpec): Diagnostic[] {
  if (machine.infinibandDevices === 0) return [];
  const message =
    `pool ${name}: the InfiniBand of ${machineTypes.join(" and ")} is not used, because Karpenter launches separate virtual machines; ` +
    'for InfiniBand, use an AksNodePool with fabric "infiniband"';
  return [{ severity: "info", message }];
}

/** Properties of the nodes from the inputs of a NodePool. */
export const factsIn = (spec: AksKarpenterPoolSpec) =>
  factsOf(sizeLabel, spec.machineTypes.map(canonicalSize), (types) => {
    const machine = leastMachine(types.map((type) => aksMachineType(type, spec.hardware)));
    return machine && buildScheduling({ ...spec, machine }).node;
  });
