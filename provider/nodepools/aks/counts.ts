import { type Inputs, numberAt } from "../../shared/changes";
import type { NodeCounts, NodeFacts } from "../remarks";
import { buildScheduling } from "../scheduling";
import { settledFabric } from "./infiniband";
import { poolMachine } from "./machine";
import type { AksPoolSpec } from "./spec";

/** The numbers of nodes in the inputs of an agent pool. Beside limits `count` is only where the pool started. */
export const countsIn = (inputs: Inputs): NodeCounts =>
  isScaled(inputs) ? { max: numberAt(inputs, "maxCount") } : { fixed: numberAt(inputs, "count") };

/** Whether the inputs of an agent pool leave the number of nodes to an autoscaler. */
export const isScaled = (inputs: Inputs): boolean => inputs["enableAutoScaling"] === true;

/** What the inputs of an agent pool say of its nodes, those of another size of machine included. */
export const factsIn =
  (spec: AksPoolSpec) =>
  (inputs: Inputs): NodeFacts => {
    const { vmSize } = inputs;
    if (typeof vmSize !== "string") return countsIn(inputs);
    const facts = { ...countsIn(inputs), machine: vmSize };
    const machine = vmSize === spec.machineType ? undefined : poolMachine(vmSize, undefined);
    if (!machine) return facts;
    return { ...facts, node: buildScheduling({ ...spec, machine, fabric: settledFabric(machine, spec) }).node };
  };
