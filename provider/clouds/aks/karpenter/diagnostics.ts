import type * as pulumi from "@pulumi/pulumi";
import { beforeUpdate, type Diagnostic, type Inputs, mergeHooks } from "../../../diagnostics/hooks";
import { requireApi } from "../../../diagnostics/optionalApis";
import { countsIn, requiredIn, sizingErrors } from "../../karpenter/diagnostics";
import { newPoolHooks, type NodeFacts, resizeHooks } from "../../nodes/diagnostics";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { aksMachineType, canonicalSize } from "../machines";
import { nodeClassApi, sizeLabel } from "./objects";
import { type AksKarpenterPoolSpec, leastMachine } from "./parse";

const remedy =
  "turn on node auto-provisioning of the AKS cluster first (az aks update --node-provisioning-mode Auto, or " +
  'nodeProvisioningProfile.mode "Auto" of the ManagedCluster), or use an AksNodePool';

const requireKarpenter = ({ name }: AksKarpenterPoolSpec, parent: pulumi.Resource, groupVersion: string) =>
  requireApi(`minicluster:${name}:${groupVersion}`, parent, { groupVersion, remedy });

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

/** Properties of the nodes from the inputs of a NodePool, also of other VM sizes, which Karpenter launches after the change. */
export const factsIn =
  (spec: AksKarpenterPoolSpec) =>
  (inputs: Inputs): NodeFacts => {
    const types = requiredIn(inputs, sizeLabel);
    const machine = leastMachine(types.map((type) => aksMachineType(type, spec.hardware)));
    const counts = countsIn(inputs);
    if (!machine || (counts.fixed === undefined && counts.max === undefined)) return {};
    const machineType = types.join(" or ");
    if (machineType === spec.machineTypes.map(canonicalSize).join(" or ")) return { ...counts, machineType };
    return { ...counts, machineType, node: buildScheduling({ ...spec, machine }).node };
  };
