import { NodePoolFabric } from "../../minicluster/args";
import { type Inputs, numberAt, type Remark } from "../../shared/changes";
import { type NodeFacts, resizeRemarks } from "../remarks";
import { buildScheduling, type FabricUse } from "../scheduling";
import { countsIn, scalingIn } from "./counts";
import { eksMachine, leastMachine } from "./machine";
import type { EksPoolSpec } from "./spec";

/** A change of a node group: its inputs before and after, and those of its launch template where that changes as well. */
export interface GroupChange {
  before: Inputs;
  after: Inputs;
  templateBefore: Inputs | undefined;
}

/** The remarks on an update of a node group. */
export function nodeGroupRemarks(spec: EksPoolSpec, { before, after, templateBefore }: GroupChange): Remark[] {
  const machine = spec.machineTypes.join(" or ");
  const old = { ...countsIn(before), machine, ...(templateBefore && nodesBefore(spec, before, templateBefore)) };
  return [...resizeRemarks(spec.scheduling, old, { ...countsIn(after), machine }), ...refusals(spec, after)];
}

/** What a node was, as the node group and its launch template said it between them. */
function nodesBefore(spec: EksPoolSpec, group: Inputs, template: Inputs): Pick<NodeFacts, "machine" | "node"> {
  const types = textsIn(group["instanceTypes"] ?? [template["instanceType"]]);
  const hardwareOf = (type: string) => (spec.machineTypes.includes(type) ? spec.hardware : undefined);
  const machine = leastMachine(types.map((type) => eksMachine(type, hardwareOf(type))));
  const named = { machine: types.join(" or ") };
  if (!machine) return named;
  const threadsPerCore = numberAt(template, "cpuOptions", "threadsPerCore");
  return { ...named, node: buildScheduling({ ...spec, machine, threadsPerCore, fabric: efaIn(template) }).node };
}

/** The EFA interfaces in a launch template. A plain interface has no type. */
function efaIn({ networkInterfaces }: Inputs): FabricUse | undefined {
  const all = Array.isArray(networkInterfaces) ? (networkInterfaces as Inputs[]) : [];
  const interfaces = all.filter(({ interfaceType }) => interfaceType !== undefined).length;
  return interfaces === 0 ? undefined : { fabric: NodePoolFabric.Efa, interfaces };
}

const textsIn = (list: unknown) =>
  (Array.isArray(list) ? list : []).filter((item): item is string => typeof item === "string");

/**
 * What EKS would refuse in the middle of the update: the number of nodes that is left to the autoscaler, as the stack knows
 * it, outside of the new limits.
 */
function refusals({ name, sizing }: EksPoolSpec, after: Inputs): Remark[] {
  const { min, max, desired } = scalingIn(after);
  if (sizing.isFixed || min === undefined || max === undefined || desired === undefined) return [];
  if (min <= desired && desired <= max) return [];
  const limit = desired < min ? `a min of ${min} above` : `a max of ${max} below`;
  const wanted = `minSize=${min},maxSize=${max},desiredSize=${Math.min(Math.max(min, desired), max)}`;
  const [cluster, group] = [after["clusterName"], after["nodeGroupName"]].map((value) =>
    typeof value === "string" ? value : "…",
  );
  const text =
    `pool ${name}: EKS refuses ${limit} the number of nodes, which is left to the autoscaler and is ${desired} as far as the ` +
    "stack knows; run pulumi up --refresh, and where that says the same, set it in EKS first: aws eks " +
    `update-nodegroup-config --cluster-name ${cluster} --nodegroup-name ${group} --scaling-config ${wanted}; then run ` +
    "pulumi up --refresh again";
  return [{ severity: "error", text }];
}
