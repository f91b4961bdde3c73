import type * as pulumi from "@pulumi/pulumi";
import { beforeUpdate, type Diagnostic, type Inputs, mergeHooks } from "../../../diagnostics/hooks";
import { requireApi, requireCsiDriver } from "../../../diagnostics/optionalApis";
import { numberAt } from "../../../shared/objects";
import { isSuperchip } from "../../machines";
import { localDiskNotices, newPoolHooks, type NodeCounts, type NodeFacts, resizeHooks } from "../../nodes/diagnostics";
import { NodePoolAcceleratorKind } from "../../nodes/args";
import { pluginName, rdmaResource } from "../../nodes/parse/devicePlugins";
import { buildScheduling, byClaim } from "../../nodes/parse/scheduling";
import { aksMachineType } from "../machines";
import { AksNodePoolCapacityType, AksNodePoolGpuDriver } from "./args";
import { localDriver } from "./objects";
import { type AksPoolSpec, fabricUse } from "./parse";
import { hasInfiniband, minorOf } from "./parse/fields";

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

/** Hooks on the DeviceClass of the InfiniBand devices of a spec. */
export const deviceClassHooks = ({ name }: AksPoolSpec, parent: pulumi.Resource) =>
  requireApi(`minicluster:${name}:infiniband`, parent, {
    groupVersion: "resource.k8s.io/v1",
    remedy: 'device claims need it (Kubernetes 1.34 or later); upgrade the AKS cluster, or use fabricBy "plugin"',
  });

const driverRemedy =
  "install Azure's local CSI driver (chart local-csi-driver of Azure/local-csi-driver), or remove localDisks";

/** Diagnostics before a pool is created. */
export const aksDiagnostics = (spec: AksPoolSpec): Diagnostic[] => [
  ...(hasInfiniband(spec) ? [...infinibandDiagnostics(spec), ...directRdmaDiagnostics(spec)] : []),
  ...reservationWarnings(spec),
  ...imagePluginWarnings(spec),
  ...emptyPoolWarnings(spec),
];

// Nodes of one scale set that share InfiniBand, unless Azure has raised the limit.
const nodesOfScaleSet = 100;

// Minor version of Kubernetes from which the Ubuntu of AKS is 24.04, whose kernel has the driver of InfiniBand.
const minorOfInboxDriver = 35;

const managedDranet = "the managed DRANET of AKS (az aks nodepool update --enable-managed-dranet)";

/**
 * The requirements of InfiniBand on the nodes. The Kubernetes version of the nodes, and therefore the version of
 * Ubuntu, may be unknown.
 */
function driverNeed({ machine, version, fabricBy }: AksPoolSpec): string {
  const dranet = byClaim(fabricBy)
    ? `, and DRANET, the driver dra.net: kubernetes-sigs/dranet, or ${managedDranet}`
    : "";
  const minor = minorOf(version);
  if (isSuperchip(machine.accelerator) || minor >= minorOfInboxDriver) return dranet;
  const nodes = Number.isNaN(minor)
    ? `nodes before Kubernetes 1.${minorOfInboxDriver} (Ubuntu 22.04)`
    : "the nodes (Ubuntu 22.04)";
  const [installer, waits] = byClaim(fabricBy)
    ? ["the managed DRANET or the NVIDIA Network Operator", "stay Pending"]
    : ["the NVIDIA Network Operator", `wait for ${rdmaResource}`];
  return `${dranet}; ${nodes} also need its driver, which ${installer} installs; without it, pods ${waits}`;
}

function infinibandDiagnostics(spec: AksPoolSpec): Diagnostic[] {
  const { name, sizing } = spec;
  const needs: Diagnostic = {
    severity: "info",
    message:
      `pool ${name}: InfiniBand requires, once per subscription, its feature flag (az feature register --namespace ` +
      "Microsoft.ContainerService --name AKSInfinibandSupport; when that is registered, az provider register --namespace " +
      `Microsoft.ContainerService)${driverNeed(spec)}`,
  };
  if (sizing.max <= nodesOfScaleSet) return [needs];
  const message =
    `pool ${name} may have ${sizing.max} nodes, and Azure connects at most ${nodesOfScaleSet} by InfiniBand; request a ` +
    "higher limit from Azure support, up to 300";
  return [needs, { severity: "warning", message }];
}

/**
 * NVIDIA GPUs use InfiniBand without a copy in the memory of the host by a kernel module that AKS does not load, or by
 * DMA-BUF (Azure/aks-rdma-infiniband, "GPU Drivers", and Azure/AKS issue 3507). The image of superchips loads the
 * module.
 */
function directRdmaDiagnostics({ name, machine, gpuDriver, devicePlugins }: AksPoolSpec): Diagnostic[] {
  const { accelerator } = machine;
  if (accelerator?.kind !== NodePoolAcceleratorKind.Nvidia || isSuperchip(accelerator)) return [];
  const module = `pool ${name}: GPUs reach InfiniBand directly (GPUDirect RDMA) by the kernel module nvidia-peermem`;
  if (gpuDriver === AksNodePoolGpuDriver.None)
    return [{ severity: "info", message: `${module}: set driver.rdma.enabled=true in the values of the GPU Operator` }];
  const dmaBuf = accelerator.model === "V100" ? "" : ", or by DMA-BUF on Ubuntu 24.04";
  if (devicePlugins.some(({ kind }) => kind === "modules"))
    return [{ severity: "info", message: `${module}, which ${pluginName(name, "modules")} loads${dmaBuf}` }];
  const message = `${module}${dmaBuf}; AKS does not load the module: load it, or remove moduleLoader.skip`;
  return [{ severity: "warning", message }];
}

function reservationWarnings({ name, capacityType, machineType, machine }: AksPoolSpec): Diagnostic[] {
  if (capacityType !== AksNodePoolCapacityType.Reservation || machine.infinibandDevices === 0) return [];
  const message =
    `pool ${name}: Azure reserves ${machineType} only where the capability CapacityReservationSupported of the size is ` +
    `true: az vm list-skus --size ${machineType} --query "[].capabilities"`;
  return [{ severity: "warning", message }];
}

/** Warns if two device plugins, or a plugin and a DRA driver, would allocate the same GPUs. */
function imagePluginWarnings({ name, machine, gpuBy, devicePlugins }: AksPoolSpec): Diagnostic[] {
  if (!isSuperchip(machine.accelerator)) return [];
  const beside = byClaim(gpuBy)
    ? "pods claim GPUs from a DRA driver"
    : devicePlugins.some(({ kind }) => kind === "nvidia")
      ? "nvidiaPlugin runs another"
      : undefined;
  if (beside === undefined) return [];
  const message =
    `pool ${name}: the image of ${machine.accelerator?.model} runs NVIDIA's device plugin (service nvidia-device-plugin), and ` +
    `${beside}: one GPU may be allocated twice; stop one of the two`;
  return [{ severity: "warning", message }];
}

// Devices of a VM size that the cluster autoscaler detects without a node.
const knownToAutoscaler = ["nvidia.com/gpu"];

function emptyPoolWarnings({ name, sizing, scheduling, gpuUse }: AksPoolSpec): Diagnostic[] {
  // For partitioned GPUs the autoscaler assumes the number of whole GPUs.
  const known = gpuUse ? [] : knownToAutoscaler;
  const unknown = Object.keys(scheduling.resources ?? {}).filter((resource) => !known.includes(resource));
  if (sizing.isFixed || sizing.min > 0 || unknown.length === 0) return [];
  const message =
    `pool ${name} may scale to zero nodes, from which the cluster autoscaler cannot detect that its nodes have ` +
    `${unknown.join(", ")}: pods that request it may stay Pending; set minSize to 1 or more`;
  return [{ severity: "warning", message }];
}

/**
 * Notices before a change of an autoscaled pool. Pulumi's provider sends every input with each update. Azure has
 * rejected a number of nodes other than the current one, or scaled the pool to it against the autoscaler.
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

/** True if an autoscaler sets the number of nodes of the agent pool with these inputs. */
const isScaled = (inputs: Inputs): boolean => inputs["enableAutoScaling"] === true;

/** Properties of the nodes from the inputs of an agent pool, also of another VM size. */
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
