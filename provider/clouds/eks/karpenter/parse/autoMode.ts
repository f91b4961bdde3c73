import type * as pulumi from "@pulumi/pulumi";
import type { MachineType } from "../../../machines";
import type { NodePoolLocalDisk } from "../../../nodes/args";

/**
 * Local disks for the volumes of pods. EKS Auto Mode puts images and volumes on them if they are larger than the
 * ephemeral storage of the NodeClass (EKS, "Learn about Amazon EKS Auto Mode managed instances").
 */
export const autoDisk = (
  { localDiskGb }: Pick<MachineType, "localDiskGb">,
  diskGib: pulumi.Input<number>,
): NodePoolLocalDisk | undefined =>
  localDiskGb !== undefined && typeof diskGib === "number" && localDiskGb * 1e9 > diskGib * 2 ** 30
    ? { gb: localDiskGb }
    : undefined;

// Families of EC2 that the EKS user guide lists ("EKS Auto Mode supported instance reference", 2026).
const families = new Set(
  [
    "c8id c8i c8i-flex c8gd c8gn c8g c8a c8gb c7a c7g c7gn c7gd c7i c7i-flex c6a c6g c6i c6gn c6id c6in c6gd c5 c5a c5d c5ad",
    "c5n c4 m8id m8i m8i-flex m8a m8azn m8gn m8gb m8gd m8g m7i m7a m7g m7gd m7i-flex m6a m6i m6in m6g m6idn m6id m6gd m5",
    "m5a m5ad m5n m5dn m5d m5zn m4 r8id r8i r8i-flex r8gn r8gb r8gd r8g r8a r7a r7iz r7gd r7i r7g r6a r6i r6id r6in r6idn",
    "r6g r6gd r5 r5n r5a r5dn r5b r5ad r5d r4 t4g t3 t3a t2 z1d x8aedz x8g x8i x2gd i8ge i7i i8g i7ie i4g i4i i3 i3en is4gen",
    "d3 d3en im4gn p6-b200 p6-b300 p5 p5e p5en p4d p4de p3dn g7e g6 gr6 g6e g5g g5 g4dn g4ad inf2 inf1 trn1 trn1n trn2 hpc8a",
    "x2iezn x2iedn x2idn",
  ].flatMap((line) => line.split(" ")),
);

/** Machine types that the EKS user guide does not list for Auto Mode. */
export const typesOutsideAutoMode = (machineTypes: string[]) =>
  machineTypes.filter((type) => !families.has(type.split(".")[0] ?? ""));
