import type { AddIssue } from "../../../shared/rules";
import { type NodePoolLocalDisk, NodePoolLocalDisks } from "../args";
import type { MachineType } from "../../machines";

/** Adds an issue where a pool uses local disks that its machine type does not have. */
export function requireLocalDisks(
  type: string,
  machine: Pick<MachineType, "localDiskGb">,
  localDisks: NodePoolLocalDisks | undefined,
  addIssue: AddIssue,
): void {
  const isUsed = localDisks === NodePoolLocalDisks.Raid0 || localDisks === NodePoolLocalDisks.Raw;
  if (isUsed && !machine.localDiskGb)
    addIssue(["localDisks"], `${type} has no local disks; remove localDisks, or choose a machine type that has`);
}

/** The local disks that the volumes of pods may be on, where they are one file system under the kubelet. */
export const stripedDisk = (
  { localDiskGb }: Pick<MachineType, "localDiskGb">,
  localDisks: NodePoolLocalDisks | undefined,
): NodePoolLocalDisk | undefined =>
  localDisks === NodePoolLocalDisks.Raid0 && localDiskGb ? { gb: localDiskGb } : undefined;
