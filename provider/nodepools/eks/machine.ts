import { isPlainObject } from "../../shared/objects";
import { type EksNodePoolArgs, EksNodePoolCapacity, EksNodePoolOs, EksNodePoolPlacement } from "./args";
import { type EksMachine, eksMachines } from "./machines";

/** What an instance type has, from the table or from the user. */
export function eksMachine(type: string, given: EksNodePoolArgs["hardware"]): EksMachine | undefined {
  const known = Object.hasOwn(eksMachines, type) ? eksMachines[type] : undefined;
  if (known || !isPlainObject(given)) return known;
  const { networkCards = 1, efaInterfaces = 0, ...machine } = given;
  // Where there is a card more than EFA interfaces, it is the first one, which carries Ethernet alone.
  const efaOnCard0 = efaInterfaces > 0 && efaInterfaces === networkCards;
  const market = { oneInterfacePerCard: false, spot: true, capacityBlocks: true, hasDriver: true };
  return { ...machine, networkCards, efaInterfaces, efaOnCard0, ...market };
}

/** Instance types of some arguments of which nobody has said what they have. */
export const unknownTypes = ({ machineTypes, hardware }: Partial<EksNodePoolArgs>): string[] =>
  (Array.isArray(machineTypes) ? machineTypes : []).filter(
    (type) => typeof type === "string" && eksMachine(type, hardware) === undefined,
  );

/** Bottlerocket has the host's part of EFA; standard Amazon Linux is not documented to have it. */
export const defaultOs = ({ accelerator }: Pick<EksMachine, "accelerator">, hasEfa: boolean): EksNodePoolOs =>
  hasEfa && accelerator === undefined ? EksNodePoolOs.Bottlerocket : EksNodePoolOs.Al2023;

// A reservation lies where it lies: a new placement group would find no capacity in it.
export const defaultPlacement = (
  capacity: EksNodePoolCapacity = EksNodePoolCapacity.OnDemand,
  hasEfa: boolean,
): EksNodePoolPlacement =>
  hasEfa && capacity === EksNodePoolCapacity.OnDemand ? EksNodePoolPlacement.Cluster : EksNodePoolPlacement.None;
