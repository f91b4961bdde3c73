import { ResourcePolicy } from "@pulumi/gcp/compute/resourcePolicy";
import { NodePool } from "@pulumi/gcp/container/nodePool";
import { type Inputs, numberAt } from "../../../shared/changes";
import type { ChildOptions } from "../../../shared/children";
import { isPlainObject } from "../../../shared/objects";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { costed, type NodeCounts, type NodeFacts, remarkOnNewPool, remarkOnResize } from "../../nodes/register";
import { gkeMachineType, withGpus } from "../machines";
import { buildNodePool, buildPlacementPolicy } from "./objects";
import { fabricUse, type GkePoolSpec } from "./parse";

// Disks that a machine type comes with: GKE reports them as if they had been asked for, and they cannot change.
const bundledDisks = ["nodeConfig.ephemeralStorageLocalSsdConfig", "nodeConfig.localNvmeSsdBlockConfig"];

/** Registers a pool, and the resource policy of its NVLink domain. GKE runs the device plugins itself. */
export function registerGkePool(name: string, spec: GkePoolSpec, options: ChildOptions): NodePool {
  const { sizing } = spec;
  const policy = buildPlacementPolicy(spec);
  const policyName = policy && new ResourcePolicy(name, policy, options).name;
  return new NodePool(name, buildNodePool(spec, policyName), {
    ...options,
    hooks: {
      ...remarkOnNewPool(spec, options.parent),
      ...remarkOnResize(costed(spec), options.parent, factsIn(spec)),
    },
    // The number of nodes is left to the autoscaler.
    ignoreChanges: [...bundledDisks, ...(sizing.isFixed ? [] : ["nodeCount"])],
  });
}

/** Numbers of nodes in the inputs of a node pool, over all of its zones. */
function countsIn(inputs: Inputs): NodeCounts {
  const max = numberAt(inputs, "autoscaling", "totalMaxNodeCount");
  // Beside limits the number by zone is only where the pool started.
  if (max !== undefined) return { max };
  const perZone = numberAt(inputs, "nodeCount");
  const { nodeLocations } = inputs;
  if (perZone === undefined || !Array.isArray(nodeLocations)) return {};
  return { fixed: perZone * nodeLocations.length };
}

/** Facts on the nodes in the inputs of a node pool, also of another machine type, which GKE changes in place. */
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
