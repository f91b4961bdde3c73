import { ProximityPlacementGroup } from "@pulumi/azure-native/compute/proximityPlacementGroup";
import { AgentPool } from "@pulumi/azure-native/containerservice/agentPool";
import { type Inputs, mergeHooks, numberAt, type Remark, remarkOnUpdate } from "../../../shared/changes";
import type { ChildOptions } from "../../../shared/children";
import { rdmaResource } from "../../nodes/parse/devicePlugins";
import { buildScheduling } from "../../nodes/parse/scheduling";
import {
  costed,
  type NodeCounts,
  type NodeFacts,
  registerDevicePlugins,
  remarkOnNewPool,
  remarkOnResize,
} from "../../nodes/register";
import { aksMachineType } from "../machines";
import { buildAgentPool, buildPlacementGroup, needsPlacementGroup, settledAtCreation } from "./objects";
import { type AksPoolSpec, fabricUse } from "./parse";
import { hasInfiniband } from "./parse/fields";

/** Registers a pool and its placement group in Azure, and its device plugins in Kubernetes. */
export function registerAksPool(name: string, spec: AksPoolSpec, options: ChildOptions) {
  const { parent } = options;
  const { sizing } = spec;
  const group = needsPlacementGroup(spec)
    ? new ProximityPlacementGroup(name, buildPlacementGroup(spec), {
        ...options,
        // Azure changes the sizes of a group only while none of its machines runs.
        replaceOnChanges: ["intent", "zones"],
      })
    : undefined;
  const placementGroupId = group?.id ?? spec.proximityPlacementGroupId;
  const agentPool = new AgentPool(name, buildAgentPool(spec, placementGroupId), {
    ...options,
    // The name is fixed: the old pool goes before the new one comes.
    deleteBeforeReplace: true,
    replaceOnChanges: settledAtCreation,
    hooks: mergeHooks(
      remarkOnNewPool(spec, parent, aksRemarks(spec)),
      remarkOnResize(costed(spec), parent, factsIn(spec)),
      sizing.isFixed ? {} : remarkOnUpdate(`minicluster:${spec.name}:count`, parent, staleCountRemarks(spec)),
    ),
    // Left to the autoscaler. The number that the stack has on record is sent to Azure all the same.
    ...(!sizing.isFixed && { ignoreChanges: ["count"] }),
  });
  const home = { pool: spec.name, staticCpu: spec.staticCpu };
  return { placementGroupId, agentPool, plugins: registerDevicePlugins(name, spec.devicePlugins, home, options) };
}

/** Remarks before a pool is made. */
export const aksRemarks = (spec: AksPoolSpec): Remark[] => [
  ...(hasInfiniband(spec) ? infinibandRemarks(spec) : []),
  ...emptyPoolRemarks(spec),
];

// Nodes of one scale set that share InfiniBand, unless Azure has raised the limit.
const nodesOfScaleSet = 100;

function infinibandRemarks({ name, sizing }: AksPoolSpec): Remark[] {
  const needs: Remark = {
    severity: "info",
    text:
      `pool ${name}: InfiniBand requires, once per subscription, its feature flag (az feature register --namespace ` +
      "Microsoft.ContainerService --name AKSInfinibandSupport; when that is registered, az provider register --namespace " +
      "Microsoft.ContainerService), and on the nodes its driver, which the NVIDIA Network Operator installs; without it, " +
      `pods wait for ${rdmaResource}`,
  };
  if (sizing.max <= nodesOfScaleSet) return [needs];
  const text =
    `pool ${name} may have ${sizing.max} nodes, and Azure connects at most ${nodesOfScaleSet} by InfiniBand; ask Azure ` +
    "support to raise the limit, up to 300";
  return [needs, { severity: "warning", text }];
}

// Devices of a VM size that the cluster autoscaler knows without having seen a node.
const knownToAutoscaler = ["nvidia.com/gpu"];

function emptyPoolRemarks({ name, sizing, scheduling, gpuUse }: AksPoolSpec): Remark[] {
  // Of divided GPUs it knows the machine's own number.
  const known = gpuUse ? [] : knownToAutoscaler;
  const unknown = Object.keys(scheduling.resources ?? {}).filter((resource) => !known.includes(resource));
  if (sizing.isFixed || sizing.min > 0 || unknown.length === 0) return [];
  const text =
    `pool ${name} may scale to zero nodes, and then the cluster autoscaler does not know that its nodes have ` +
    `${unknown.join(", ")}: pods that request it may stay Pending; set autoscale with min 1 or more`;
  return [{ severity: "warning", text }];
}

/**
 * Remarks before a change of an autoscaled pool. Pulumi's provider sends every input with each update, and Azure has refused
 * a number of nodes other than the present one, or let it overrule the autoscaler.
 */
export const staleCountRemarks =
  ({ name }: AksPoolSpec) =>
  (before: Inputs, after: Inputs): Remark[] => {
    const count = numberAt(before, "count");
    if (count === undefined || !isScaled(before) || !isScaled(after)) return [];
    const text =
      `pool ${name}: the update sends the ${count} nodes that the stack has on record; if there are more or fewer now, Azure ` +
      "may refuse it or go back to that number; run pulumi refresh first";
    return [{ severity: "info", text }];
  };

/** Numbers of nodes in the inputs of an agent pool. With an autoscaler `count` is only the initial one. */
const countsIn = (inputs: Inputs): NodeCounts =>
  isScaled(inputs) ? { max: numberAt(inputs, "maxCount") } : { fixed: numberAt(inputs, "count") };

/** True if the inputs of an agent pool leave the number of nodes to an autoscaler. */
const isScaled = (inputs: Inputs): boolean => inputs["enableAutoScaling"] === true;

/** Facts on the nodes in the inputs of an agent pool, also of another VM size. */
export const factsIn =
  (spec: AksPoolSpec) =>
  (inputs: Inputs): NodeFacts => {
    const { vmSize } = inputs;
    if (typeof vmSize !== "string") return countsIn(inputs);
    const facts = { ...countsIn(inputs), machineType: vmSize };
    const machine = vmSize === spec.machineType ? undefined : aksMachineType(vmSize);
    if (!machine) return facts;
    return { ...facts, node: buildScheduling({ ...spec, machine, fabric: fabricUse(machine, spec) }).node };
  };
