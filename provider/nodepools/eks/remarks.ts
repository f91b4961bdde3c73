import { type Inputs, numberAt, type Remark } from "../../shared/changes";
import { costed, type NodeCounts, type NodeFacts, resizeRemarks } from "../remarks";
import { buildScheduling, type FabricUse } from "../scheduling";
import { NodePoolFabric } from "../schedulingArgs";
import { eksMachineType, leastMachine } from "./machineTypes";
import type { EksPoolSpec } from "./parse";

/** A change of a node group: its inputs before and after, and those of its launch template before, where that changes, too. */
export interface GroupChange {
  before: Inputs;
  after: Inputs;
  templateBefore: Inputs | undefined;
}

/** Remarks on an update of a node group. */
export function nodeGroupRemarks(spec: EksPoolSpec, { before, after, templateBefore }: GroupChange): Remark[] {
  const machineType = spec.machineTypes.join(" or ");
  const old = { ...countsIn(before), machineType, ...(templateBefore && nodesBefore(spec, before, templateBefore)) };
  return [...resizeRemarks(costed(spec), old, { ...countsIn(after), machineType }), ...refusals(spec, after)];
}

/** A node before the change, from the inputs of the node group and its launch template together. */
function nodesBefore(spec: EksPoolSpec, group: Inputs, template: Inputs): Pick<NodeFacts, "machineType" | "node"> {
  const types = textsIn(group["instanceTypes"] ?? [template["instanceType"]]);
  const hardwareOf = (type: string) => (spec.machineTypes.includes(type) ? spec.hardware : undefined);
  const machine = leastMachine(types.map((type) => eksMachineType(type, hardwareOf(type))));
  const named = { machineType: types.join(" or ") };
  if (!machine) return named;
  const threadsPerCore = numberAt(template, "cpuOptions", "threadsPerCore");
  return { ...named, node: buildScheduling({ ...spec, machine, threadsPerCore, fabric: efaIn(template) }).node };
}

/** EFA interfaces of a launch template. A plain interface has no type. */
function efaIn({ networkInterfaces }: Inputs): FabricUse | undefined {
  const all = Array.isArray(networkInterfaces) ? (networkInterfaces as Inputs[]) : [];
  const interfaces = all.filter(({ interfaceType }) => interfaceType !== undefined).length;
  return interfaces === 0 ? undefined : { fabric: NodePoolFabric.Efa, interfaces };
}

const textsIn = (list: unknown) =>
  (Array.isArray(list) ? list : []).filter((item): item is string => typeof item === "string");

/**
 * An error for what EKS would refuse in the middle of the update: a number of nodes, left to the autoscaler and as the stack
 * has it on record, outside of the new limits.
 */
function refusals({ name, sizing }: EksPoolSpec, after: Inputs): Remark[] {
  const { min, max, desired } = scalingIn(after);
  if (sizing.isFixed || min === undefined || max === undefined || desired === undefined) return [];
  if (min <= desired && desired <= max) return [];
  const limit = desired < min ? `min ${min} is above` : `max ${max} is below`;
  const wanted = `minSize=${min},maxSize=${max},desiredSize=${Math.min(Math.max(min, desired), max)}`;
  const [cluster, group] = [after["clusterName"], after["nodeGroupName"]].map((value) =>
    typeof value === "string" ? value : "…",
  );
  const text =
    `pool ${name}: ${limit} the ${desired} nodes that the stack has on record, and EKS refuses that; run pulumi up ` +
    "--refresh. If that fails alike, run aws eks update-nodegroup-config " +
    `--cluster-name ${cluster} --nodegroup-name ${group} --scaling-config ${wanted}, and then pulumi up --refresh again`;
  return [{ severity: "error", text }];
}

/** Limits in the inputs of a node group, and the number of nodes between them, as far as they are known. */
const scalingIn = (inputs: Inputs) => ({
  min: numberAt(inputs, "scalingConfig", "minSize"),
  max: numberAt(inputs, "scalingConfig", "maxSize"),
  desired: numberAt(inputs, "scalingConfig", "desiredSize"),
});

/** Numbers of nodes in the inputs of a node group. */
function countsIn(inputs: Inputs): NodeCounts {
  const { min, max, desired } = scalingIn(inputs);
  // A group without nodes has a limit of one: EKS takes none of 0.
  const isEmpty = min === 0 && max === 1 && desired === 0;
  return min === max || isEmpty ? { fixed: min } : { max };
}
