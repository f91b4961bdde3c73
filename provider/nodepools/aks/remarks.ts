import { type Inputs, numberAt, type Remark } from "../../shared/changes";
import { rdmaResource } from "../devicePlugins";
import { AksNodePoolFabric } from "./args";
import { isScaled } from "./counts";
import type { AksPoolSpec } from "./spec";

/** What has to be said to people who are about to make a pool. */
export const aksRemarks = (spec: AksPoolSpec): Remark[] => [
  ...(spec.fabric === AksNodePoolFabric.Infiniband ? infinibandRemarks(spec) : []),
  ...emptyPoolRemarks(spec),
];

// Nodes of one scale set that share InfiniBand, unless Azure has raised the limit.
const nodesOfScaleSet = 100;

function infinibandRemarks({ name, sizing }: AksPoolSpec): Remark[] {
  const needs: Remark = {
    severity: "info",
    text:
      `pool ${name} has InfiniBand, which needs two things beside it: the subscription's feature flag, once (az feature ` +
      "register --namespace Microsoft.ContainerService --name AKSInfinibandSupport; when it is registered, az provider " +
      "register --namespace Microsoft.ContainerService), and the InfiniBand driver on the nodes, which the NVIDIA Network " +
      `Operator installs; until it is there, pods wait for ${rdmaResource}`,
  };
  if (sizing.max <= nodesOfScaleSet) return [needs];
  const text =
    `pool ${name} may have ${sizing.max} nodes, and Azure joins at most ${nodesOfScaleSet} by InfiniBand; ask its support ` +
    "to raise the limit, which goes up to 300";
  return [needs, { severity: "warning", text }];
}

// What the cluster autoscaler knows of a size of virtual machine without having seen a node.
const knownToAutoscaler = ["nvidia.com/gpu"];

function emptyPoolRemarks({ name, sizing, scheduling }: AksPoolSpec): Remark[] {
  const unknown = Object.keys(scheduling.resources ?? {}).filter((resource) => !knownToAutoscaler.includes(resource));
  if (sizing.isFixed || sizing.min > 0 || unknown.length === 0) return [];
  const text =
    `pool ${name} may go down to no node, and then the cluster autoscaler does not know that its nodes would have ` +
    `${unknown.join(", ")}: pods that ask for it may wait for ever; give the pool autoscale with a min of 1 or more`;
  return [{ severity: "warning", text }];
}

/**
 * What has to be said to people who are about to change a pool that is scaled by need. Pulumi's provider sends every input with
 * each update, and Azure has refused another number of nodes than there are, or let it overrule the autoscaler.
 */
export const staleCountRemarks =
  ({ name }: AksPoolSpec) =>
  (before: Inputs, after: Inputs): Remark[] => {
    const count = numberAt(before, "count");
    if (count === undefined || !isScaled(before) || !isScaled(after)) return [];
    const text =
      `pool ${name} is sent the number of nodes that the stack has on record, ${count}, too, and if there are more or fewer by ` +
      "now, Azure may refuse the update or go back to it; run pulumi refresh first";
    return [{ severity: "info", text }];
  };
