import { isPlainObject } from "../../shared/objects";
import { MiniClusterTaintEffect, type NodePoolTaint } from "../../minicluster/args";
import { NodePoolAcceleratorKind } from "../machine";
import { GkeNodePoolCapacity, type GkeNodePoolArgs } from "./args";
import { type GkeMachine, gkeMachine } from "./machines";

/** What a machine type has as it comes, from the table or from the user. */
export function bareMachine({ machineType, hardware }: Partial<GkeNodePoolArgs>): GkeMachine | undefined {
  if (typeof machineType !== "string") return undefined;
  const known = gkeMachine(machineType);
  if (known || !isPlainObject(hardware)) return known;
  const { rdmaInterfaces: nics = 0, tier1 = false, compactPlacement = false, ...machine } = hardware;
  const [family = machineType] = machineType.split("-", 1);
  // Google has RoCE where there are GPUs, and Falcon where there are none.
  const rdma = { nics, profile: machine.accelerator ? "vpc-roce" : "vpc-falcon" } as const;
  return { ...machine, family, tier1, compactPlacement, ...(nics > 0 && { rdma }) };
}

/** A machine with the GPUs that are added to it, if it takes them. */
export function withGpus(machine: GkeMachine, gpus: GkeNodePoolArgs["gpus"]): GkeMachine {
  const { type, count } = isPlainObject(gpus) ? gpus : {};
  const { attachable = {} } = machine;
  const found = type !== undefined && Object.hasOwn(attachable, type) ? attachable[type] : undefined;
  if (!found || count === undefined) return machine;
  return {
    ...machine,
    acceleratorType: type,
    accelerator: { kind: NodePoolAcceleratorKind.Nvidia, model: found.model, count },
  };
}

/** Whether nodes come on request only, and never all the same number of them. */
export const isOnRequest = (capacity: unknown) =>
  capacity === GkeNodePoolCapacity.FlexStart || capacity === GkeNodePoolCapacity.Queued;

const noSchedule = (key: string, value: string): NodePoolTaint => ({
  key,
  value,
  effect: MiniClusterTaintEffect.NoSchedule,
});

/** The taints that GKE sets by itself. */
export const ownTaints = ({ arch, accelerator }: Pick<GkeMachine, "arch" | "accelerator">, capacity: unknown) => [
  ...(arch === "arm64" ? [noSchedule("kubernetes.io/arch", arch)] : []),
  ...(accelerator ? [noSchedule("nvidia.com/gpu", "present")] : []),
  ...(capacity === GkeNodePoolCapacity.Queued ? [noSchedule("cloud.google.com/gke-queued", "true")] : []),
];
