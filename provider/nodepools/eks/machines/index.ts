/**
 * EC2 instance types by name. The facts are those of the AWS documents "Amazon EC2 instance types" (specifications and network
 * specifications), "CPU options for Amazon EC2 instances", "Elastic network interfaces: network cards", "Elastic Fabric Adapter:
 * supported instance types" and "Capacity Blocks for ML", in the form in which the EC2 API DescribeInstanceTypes gives them.
 * A type is here only if every one of its fields was checked; all others are looked up with that API when a program runs.
 */
import { acceleratedMachines } from "./accelerated";
import { computeMachines } from "./compute";
import { generalMachines } from "./general";
import { hpcMachines } from "./hpc";
import { memoryMachines } from "./memory";
import type { EksMachine } from "./rows";

export type { EksMachine };

export const eksMachines: Record<string, EksMachine> = {
  ...hpcMachines,
  ...acceleratedMachines,
  ...computeMachines,
  ...generalMachines,
  ...memoryMachines,
};
