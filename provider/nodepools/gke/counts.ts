import { type Inputs, numberAt } from "../../shared/changes";
import { isPlainObject } from "../../shared/objects";
import type { NodeCounts, NodeFacts } from "../remarks";
import { buildScheduling } from "../scheduling";
import { fabricUse } from "./fabric";
import { withGpus } from "./machine";
import { gkeMachine } from "./machines";
import type { GkePoolSpec } from "./spec";

/** The numbers of nodes in the inputs of a node pool, over all of its zones. */
export function countsIn(inputs: Inputs): NodeCounts {
  const max = numberAt(inputs, "autoscaling", "totalMaxNodeCount");
  // Beside limits the number by zone is only where the pool started.
  if (max !== undefined) return { max };
  const perZone = numberAt(inputs, "nodeCount");
  const { nodeLocations } = inputs;
  if (perZone === undefined || !Array.isArray(nodeLocations)) return {};
  return { fixed: perZone * nodeLocations.length };
}

/** What the inputs of a node pool say of its nodes, those of another machine type included, which GKE changes in place. */
export const factsIn =
  (spec: GkePoolSpec) =>
  (inputs: Inputs): NodeFacts => {
    const { machineType, guestAccelerators } = nodeConfigIn(inputs);
    if (typeof machineType !== "string") return countsIn(inputs);
    const facts = { ...countsIn(inputs), machine: machineType };
    const bare = machineType === spec.machineType ? undefined : gkeMachine(machineType);
    if (!bare) return facts;
    const machine = withGpus(bare, firstOf(guestAccelerators));
    const threadsPerCore = numberAt(inputs, "nodeConfig", "advancedMachineFeatures", "threadsPerCore");
    return {
      ...facts,
      node: buildScheduling({ ...spec, machine, threadsPerCore, fabric: fabricUse(machine, spec) }).node,
    };
  };

const nodeConfigIn = ({ nodeConfig }: Inputs): Inputs => (isPlainObject(nodeConfig) ? nodeConfig : {});

const firstOf = (accelerators: unknown): GkePoolSpec["gpus"] =>
  Array.isArray(accelerators) ? (accelerators[0] as GkePoolSpec["gpus"]) : undefined;
