import { isPlainObject } from "../../shared/objects";
import type { Machine } from "../machine";
import type { AksNodePoolArgs } from "./args";
import { aksMachine } from "./machines";

/** What a pool has to know of its virtual machines. */
export interface AksPoolMachine extends Machine {
  /** InfiniBand devices, none of them where the size has no InfiniBand. */
  infinibandDevices: number;
}

/** What a size of virtual machine has, from the table or from the user. */
export function poolMachine(size: string, given: AksNodePoolArgs["hardware"]): AksPoolMachine | undefined {
  const known = aksMachine(size);
  if (known) return { ...known, infinibandDevices: known.fabric?.adapters ?? 0 };
  return isPlainObject(given) ? { ...given, infinibandDevices: given.infinibandDevices ?? 0 } : undefined;
}
