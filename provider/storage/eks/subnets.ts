import { describePlaces, type Subnet } from "../../nodepools/eks/subnets";
import type { EksStorageSpec } from "./parse";

/** The subnet of FSx for Lustre, or the reason for which there is none. */
export function subnetIn(zone: string | undefined, all: Subnet[]): { id?: string; problem?: string } {
  const found = all.find(({ availabilityZone }) => availabilityZone === zone);
  return found
    ? { id: found.id }
    : { problem: `no subnet is in ${zone} (${describePlaces(all)}); correct zone or subnetIds` };
}

/** The reason for which EFS cannot be in some subnets, or is not where the pool has its nodes. */
export function efsProblem({ pool }: Pick<EksStorageSpec, "pool">, all: Subnet[]): string | undefined {
  const zones = all.map(({ availabilityZone }) => availabilityZone);
  if (new Set(zones).size < zones.length)
    return `EFS has one mount target in each zone, and two subnets are in one (${describePlaces(all)}); remove one of them`;
  const missing = pool?.zones?.filter((zone) => !zones.includes(zone)) ?? [];
  return missing.length === 0
    ? undefined
    : `pool ${pool?.pool} is in ${missing.join(" and ")}, and no subnet is (${describePlaces(all)}); correct subnetIds`;
}
