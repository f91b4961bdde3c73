import type { AddIssue } from "../../../shared/rules";
import { type NodePoolLocalDisk, NodePoolLocalDisks } from "../args";
import type { MachineType } from "../../machines";

/** Adds an issue if a pool uses local disks that its machine type lacks. */
export function requireLocalDisks(
  type: string,
  machine: Pick<MachineType, "localDiskGb">,
  localDisks: NodePoolLocalDisks | undefined,
  addIssue: AddIssue,
): void {
  const isUsed = localDisks === NodePoolLocalDisks.Raid0 || localDisks === NodePoolLocalDisks.Raw;
  if (isUsed && !machine.localDiskGb)
    addIssue(
      ["localDisks"],
      `${type} has no local disks; remove localDisks, or choose a machine type with local disks`,
    );
}

/** The local disks for the volumes of pods, if they are one file system under the kubelet. */
export const stripedDisk = (
  { localDiskGb }: Pick<MachineType, "localDiskGb">,
  localDisks: NodePoolLocalDisks | undefined,
): NodePoolLocalDisk | undefined =>
  localDisks === NodePoolLocalDisks.Raid0 && localDiskGb ? { gb: localDiskGb } : undefined;
