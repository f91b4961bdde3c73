import * as pulumi from "@pulumi/pulumi";
import { beforeCreate, beforeUpdate, type Diagnostic, type Inputs, mergeHooks } from "../../../diagnostics/hooks";
import { whenKnown } from "../../../shared/deferred";
import { numberAt } from "../../../shared/objects";
import { leastMachine } from "../../machines";
import { NodePoolFabric } from "../../nodes/args";
import {
  localDiskNotices,
  newPoolHooks,
  type NodeCounts,
  type NodeFacts,
  resizeDiagnostics,
} from "../../nodes/diagnostics";
import { describePrice } from "../../nodes/parse/capacity";
import { buildScheduling, type FabricUse } from "../../nodes/parse/scheduling";
import { eksMachineType } from "../machines";
import { EksNodePoolCapacityType, EksNodePoolWarmPoolState } from "./args";
import type { EksPoolSpec } from "./parse";
import { isBelowChart, typesWithoutDriver } from "./parse/claimRules";
import { unlimited } from "./parse/warmPoolRules";

/**
 * Hooks on the launch template and the node group of a spec. The node group depends on the template, so the former inputs of a
 * changed template are known when the engine reaches the node group.
 */
export function nodeGroupHooks(
  spec: EksPoolSpec,
  parent: pulumi.Resource,
  offeredZones: () => Promise<string[] | undefined>,
) {
  let templateBefore: Inputs | undefined;
  const keepInputs = (before: Inputs) => {
    templateBefore = before;
    return [];
  };
  return {
    template: beforeUpdate(`minicluster:${spec.name}:template`, parent, keepInputs),
    nodeGroup: mergeHooks(
      newPoolHooks(spec, parent, [
        ...localDiskNotices(spec, spec.machine),
        ...driverWarnings(spec),
        ...chartWarnings(spec),
        ...warmPoolNotices(spec),
        ...lustreWarnings(spec),
      ]),
      beforeCreate(`minicluster:${spec.name}:offering`, parent, async () =>
        offeringWarnings(spec, await offeredZones()),
      ),
      beforeUpdate(`minicluster:${spec.name}:nodes`, parent, (before, after) =>
        nodeGroupDiagnostics(spec, { before, after, templateBefore }),
      ),
    ),
  };
}

/**
 * Warns of instance types that EC2 does not offer in the zones of the pool, or in the region of a pool without zones:
 * the node group would fail after EKS has waited for its first node. Without a response of EC2, and for zones that are
 * known later, there is no warning.
 */
async function offeringWarnings(spec: EksPoolSpec, offered: string[] | undefined): Promise<Diagnostic[]> {
  const { name, machineTypes } = spec;
  const zones = await whenKnown(pulumi.output(spec.zones));
  if (!offered || !zones) return [];
  const missing = zones.filter((zone) => !offered.includes(zone));
  if (zones.length > 0 ? missing.length === 0 : offered.length > 0) return [];
  const places = zones.length > 0 ? missing.join(" or ") : "this region";
  const others = offered.length > 0 ? ` (it does in ${offered.join(", ")})` : "";
  const message =
    `pool ${name}: EC2 does not offer ${machineTypes.join(" or ")} in ${places}${others}, so no node would start; ` +
    "correct zones, subnetIds or machineTypes";
  return [{ severity: "warning", message }];
}

/** Warns of instance types whose nodes do not publish the EFA interfaces that pods claim. */
export function driverWarnings(spec: Parameters<typeof typesWithoutDriver>[0] & { name: string }): Diagnostic[] {
  const types = typesWithoutDriver(spec);
  if (types.length === 0) return [];
  const message =
    `pool ${spec.name}: the DRA driver of EFA does not run on ${types.join(" and ")} (chart aws-dranet 1.0.0), and pods stay ` +
    "Pending; add the types to supportedInstanceLabels.values of the chart";
  return [{ severity: "warning", message }];
}

/**
 * Warns of a Kubernetes version for which AWS documents EFA by claims, but the README of the driver's chart does not.
 */
export function chartWarnings(spec: Pick<EksPoolSpec, "name" | "fabricBy" | "version">): Diagnostic[] {
  if (!isBelowChart(spec)) return [];
  const message =
    `pool ${spec.name}: fabricBy "claim" needs Kubernetes 1.34 according to AWS, and 1.35 according to the chart aws-dranet 1.0.0; ` +
    "if pods stay Pending, raise version";
  return [{ severity: "warning", message }];
}

/** A notice of the machines in a warm pool, which are charged beside the nodes. */
export function warmPoolNotices({ name, warmPool, sizing, scheduling }: EksPoolSpec): Diagnostic[] {
  if (!warmPool) return [];
  const {
    poolState = EksNodePoolWarmPoolState.Stopped,
    minSize = 0,
    maxGroupPreparedCapacity: max = unlimited,
  } = warmPool;
  const limit = max === unlimited ? sizing.max : max;
  const count = Math.max(minSize, limit - sizing.min);
  const charged =
    poolState === EksNodePoolWarmPoolState.Running
      ? `charged like nodes${describePrice(count, scheduling)}`
      : "charged until they are initialized, and then their disks";
  const message = `pool ${name}: beside the nodes, up to ${count} machines wait in the warm pool (${poolState}), ${charged}`;
  return [{ severity: "info", message }];
}

/** EFA connections of one file system (FSx for Lustre, "Configuring EFA clients"). */
const lustreConnections = 1024;

/** Warns of more EFA interfaces for Lustre than a file system accepts. */
export function lustreWarnings({ name, lustreDevices, sizing }: EksPoolSpec): Diagnostic[] {
  const count = lustreDevices.length * sizing.max;
  if (count <= lustreConnections) return [];
  const message =
    `pool ${name}: its ${sizing.max} nodes use ${count} EFA interfaces for Lustre, and a file system of FSx accepts ${lustreConnections}; ` +
    "use several file systems, or mount it on fewer nodes";
  return [{ severity: "warning", message }];
}

/**
 * A change of a node group: its inputs before and after, and the former inputs of its launch template, if the template
 * also changes.
 */
interface GroupChange {
  before: Inputs;
  after: Inputs;
  templateBefore: Inputs | undefined;
}

/** Diagnostics on an update of a node group. */
export function nodeGroupDiagnostics(spec: EksPoolSpec, { before, after, templateBefore }: GroupChange): Diagnostic[] {
  const machineType = spec.machineTypes.join(" or ");
  const old = { ...countsIn(before), machineType, ...(templateBefore && nodesBefore(spec, before, templateBefore)) };
  return [
    ...resizeDiagnostics(spec.scheduling, old, { ...countsIn(after), machineType }),
    ...limitErrors(spec, after),
    ...blockWarnings(spec, { before, after, templateBefore }),
  ];
}

/**
 * Warns of a change that replaces the nodes of a capacity block, before which AWS requires a desired size of 0 (EKS,
 * "Create a managed node group with Capacity Blocks for ML").
 */
function blockWarnings(
  { name, capacityType }: EksPoolSpec,
  { before, after, templateBefore }: GroupChange,
): Diagnostic[] {
  const { desired = 0 } = scalingIn(before);
  const replaces = templateBefore !== undefined || before["version"] !== after["version"];
  if (capacityType !== EksNodePoolCapacityType.CapacityBlock || !replaces || desired === 0) return [];
  const message =
    `pool ${name}: this change replaces nodes of a capacity block, for which EKS requires a desired size of 0; run pulumi up with ` +
    "size: 0 first, and then with this change";
  return [{ severity: "warning", message }];
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
 * An error for a number of nodes outside the new limits, which EKS would reject in the middle of the update. The
 * autoscaler changes the number, and the update sends the number in the state.
 */
function limitErrors({ name, sizing }: EksPoolSpec, after: Inputs): Diagnostic[] {
  const { min, max, desired } = scalingIn(after);
  if (sizing.isFixed || min === undefined || max === undefined || desired === undefined) return [];
  if (min <= desired && desired <= max) return [];
  const limit = desired < min ? `minSize ${min} is above` : `maxSize ${max} is below`;
  const wanted = `minSize=${min},maxSize=${max},desiredSize=${Math.min(Math.max(min, desired), max)}`;
  const [cluster, group] = [after["clusterName"], after["nodeGroupName"]].map((value) =>
    typeof value === "string" ? value : "…",
  );
  const message =
    `pool ${name}: ${limit} the ${desired} nodes that the stack has recorded, which EKS rejects; run pulumi up ` +
    "--refresh. If that also fails, run aws eks update-nodegroup-config " +
    `--cluster-name ${cluster} --nodegroup-name ${group} --scaling-config ${wanted}, and then pulumi up --refresh again`;
  return [{ severity: "error", message }];
}

/** The limits in the inputs of a node group and the desired number of nodes, if they are known. */
const scalingIn = (inputs: Inputs) => ({
  min: numberAt(inputs, "scalingConfig", "minSize"),
  max: numberAt(inputs, "scalingConfig", "maxSize"),
  desired: numberAt(inputs, "scalingConfig", "desiredSize"),
});

/** Numbers of nodes in the inputs of a node group. */
function countsIn(inputs: Inputs): NodeCounts {
  const { min, max, desired } = scalingIn(inputs);
  // A group without nodes has a limit of one: EKS rejects 0.
  const isEmpty = min === 0 && max === 1 && desired === 0;
  return min === max || isEmpty ? { fixed: min } : { max };
}
