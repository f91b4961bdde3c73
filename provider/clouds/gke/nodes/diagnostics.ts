import type * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, type Inputs, mergeHooks } from "../../../diagnostics/hooks";
import { isPlainObject, numberAt } from "../../../shared/objects";
import { isSuperchip } from "../../machines";
import { localDiskNotices, newPoolHooks, type NodeCounts, type NodeFacts, resizeHooks } from "../../nodes/diagnostics";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { gkeMachineType, withGpus } from "../machines";
import { fabricUse, type GkePoolSpec } from "./parse";

/** Hooks on the node pool of a spec. */
export const nodePoolHooks = (spec: GkePoolSpec, parent: pulumi.Resource) =>
  mergeHooks(
    newPoolHooks(spec, parent, [...localDiskNotices(spec, spec.machine), ...driverNotices(spec)]),
    resizeHooks(spec.scheduling, parent, factsIn(spec)),
  );

/**
 * A notice of the requirements of NVIDIA's DRA driver on the nodes of an NVLink domain: its chart's values in the Cluster Toolkit
 * (module kubectl-apply, `main.tf`).
 */
export function driverNotices({ name, machine }: Pick<GkePoolSpec, "name" | "machine">): Diagnostic[] {
  if (!isSuperchip(machine.accelerator)) return [];
  const message =
    `pool ${name}: NVIDIA's DRA driver (chart dra-driver-nvidia-gpu) needs nvidiaDriverRoot=/home/kubernetes/bin/nvidia and ` +
    "resources.gpus.enabled=false in its values, and its kubeletPlugin must tolerate nvidia.com/gpu=present:NoSchedule and " +
    "kubernetes.io/arch=arm64:NoSchedule";
  return [{ severity: "info", message }];
}

/** Numbers of nodes in the inputs of a node pool, over all of its zones. */
function countsIn(inputs: Inputs): NodeCounts {
  const max = numberAt(inputs, "autoscaling", "totalMaxNodeCount");
  // With limits, the number per zone is only the initial number.
  if (max !== undefined) return { max };
  const perZone = numberAt(inputs, "nodeCount");
  const { nodeLocations } = inputs;
  if (perZone === undefined || !Array.isArray(nodeLocations)) return {};
  return { fixed: perZone * nodeLocations.length };
}

/** Properties of the nodes from the inputs of a node pool, also of another machine type, which GKE changes in place. */
export const factsIn =
  (spec: GkePoolSpec) =>
  (inputs: Inputs): NodeFacts => {
    const { machineType, guestAccelerators } = nodeConfigIn(inputs);
    if (typeof machineType !== "string") return countsIn(inputs);
    const facts = { ...countsIn(inputs), machineType };
    const type = machineType === spec.machineType ? undefined : gkeMachineType(machineType);
    if (!type) return facts;
    const machine = withGpus(type, firstOf(guestAccelerators));
    const threadsPerCore = numberAt(inputs, "nodeConfig", "advancedMachineFeatures", "threadsPerCore");
    return {
      ...facts,
      node: buildScheduling({ ...spec, machine, threadsPerCore, fabric: fabricUse(machine, spec) }).node,
    };
  };

const nodeConfigIn = ({ nodeConfig }: Inputs): Inputs => (isPlainObject(nodeConfig) ? nodeConfig : {});

const firstOf = (accelerators: unknown): GkePoolSpec["gpus"] =>
  Array.isArray(accelerators) ? (accelerators[0] as GkePoolSpec["gpus"]) : undefined;
