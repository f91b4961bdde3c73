import type * as pulumi from "@pulumi/pulumi";
import { beforeUpdate, type Diagnostic, type Inputs, mergeHooks } from "../../../diagnostics/hooks";
import { requireCsiDriver } from "../../../diagnostics/optionalApis";
import { numberAt } from "../../../shared/objects";
import { isSuperchip } from "../../machines";
import { localDiskNotices, newPoolHooks, type NodeCounts, type NodeFacts, resizeHooks } from "../../nodes/diagnostics";
import { rdmaResource } from "../../nodes/parse/devicePlugins";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { aksMachineType } from "../machines";
import { localDriver } from "./objects";
import { type AksPoolSpec, fabricUse } from "./parse";
import { hasInfiniband } from "./parse/fields";

/** Hooks on the agent pool of a spec. */
export const agentPoolHooks = (spec: AksPoolSpec, parent: pulumi.Resource) =>
  mergeHooks(
    newPoolHooks(spec, parent, [...aksDiagnostics(spec), ...localDiskNotices(spec, spec.machine)]),
    resizeHooks(spec.scheduling, parent, factsIn(spec)),
    spec.sizing.isFixed ? {} : beforeUpdate(`minicluster:${spec.name}:count`, parent, staleCountNotices(spec)),
  );

/** Hooks on the StorageClass of the local disks of a spec. */
export const storageClassHooks = ({ name }: AksPoolSpec, parent: pulumi.Resource) =>
  requireCsiDriver(`minicluster:${name}:local-disks`, parent, { name: localDriver, remedy: driverRemedy });

const driverRemedy =
  "install Azure's local CSI driver (chart local-csi-driver of Azure/local-csi-driver), or remove localDisks";

/** Diagnostics before a pool is created. */
export const aksDiagnostics = (spec: AksPoolSpec): Diagnostic[] => [
  ...(hasInfiniband(spec) ? infinibandDiagnostics(spec) : []),
  ...emptyPoolWarnings(spec),
];

// Nodes of one scale set that share InfiniBand, unless Azure has raised the limit.
const nodesOfScaleSet = 100;

function infinibandDiagnostics({ name, sizing, machine }: AksPoolSpec): Diagnostic[] {
  const driver = isSuperchip(machine.accelerator)
    ? ""
    : `, and on the nodes its driver, which the NVIDIA Network Operator installs; without it, pods wait for ${rdmaResource}`;
  const needs: Diagnostic = {
    severity: "info",
    message:
      `pool ${name}: InfiniBand requires, once per subscription, its feature flag (az feature register --namespace ` +
      "Microsoft.ContainerService --name AKSInfinibandSupport; when that is registered, az provider register --namespace " +
      `Microsoft.ContainerService)${driver}`,
  };
  if (sizing.max <= nodesOfScaleSet) return [needs];
  const message =
    `pool ${name} may have ${sizing.max} nodes, and Azure connects at most ${nodesOfScaleSet} by InfiniBand; ask Azure ` +
    "support to raise the limit, up to 300";
  return [needs, { severity: "warning", message }];
}

// Devices of a VM size that the cluster autoscaler finds without a node.
const knownToAutoscaler = ["nvidia.com/gpu"];

function emptyPoolWarnings({ name, sizing, scheduling, gpuUse }: AksPoolSpec): Diagnostic[] {
  // For divided GPUs it assumes the machine's own number.
  const known = gpuUse ? [] : knownToAutoscaler;
  const unknown = Object.keys(scheduling.resources ?? {}).filter((resource) => !known.includes(resource));
  if (sizing.isFixed || sizing.min > 0 || unknown.length === 0) return [];
  const message =
    `pool ${name} may scale to zero nodes, from which the cluster autoscaler cannot detect that its nodes have ` +
    `${unknown.join(", ")}: pods that request it may stay Pending; set autoscale.min to 1 or more`;
  return [{ severity: "warning", message }];
}

/**
 * Notices before a change of an autoscaled pool. Pulumi's provider sends every input with each update, and Azure has rejected a
 * number of nodes other than the present one, or applied it against the autoscaler.
 */
export const staleCountNotices =
  ({ name }: AksPoolSpec) =>
  (before: Inputs, after: Inputs): Diagnostic[] => {
    const count = numberAt(before, "count");
    if (count === undefined || !isScaled(before) || !isScaled(after)) return [];
    const message =
      `pool ${name}: the update sends the ${count} nodes that the stack has recorded; if there are more or fewer now, Azure ` +
      "may reject the update or restore that number; run pulumi refresh first";
    return [{ severity: "info", message }];
  };

/** Numbers of nodes in the inputs of an agent pool. With an autoscaler `count` is only the initial number. */
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
