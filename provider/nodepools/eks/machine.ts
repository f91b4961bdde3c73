import { isPlainObject } from "../../shared/objects";
import {
  type EksNodePoolArgs,
  EksNodePoolCapacity,
  type EksNodePoolHardwareArgs,
  EksNodePoolOs,
  EksNodePoolPlacement,
} from "./args";
import { type EksMachine, eksMachines } from "./machines";

/** Whether the table has an instance type. */
export const isInTable = (type: string) => Object.hasOwn(eksMachines, type);

// What EC2 has said in this process. A type has the same facts wherever a pool meets it.
const lookedUp = new Map<string, EksNodePoolHardwareArgs>();

/** Keeps what EC2 says of an instance type that the table does not have, for the pools of this process. */
export const learnEksMachine = (type: string, hardware: EksNodePoolHardwareArgs): void => {
  lookedUp.set(type, hardware);
};

/** What an instance type has: from the table, from the user, or from EC2 where it was asked. */
export function eksMachine(type: string, given: EksNodePoolArgs["hardware"]): EksMachine | undefined {
  if (isInTable(type)) return eksMachines[type];
  const hardware = isPlainObject(given) ? given : lookedUp.get(type);
  return hardware && described(hardware);
}

function described(hardware: EksNodePoolHardwareArgs): EksMachine {
  const { networkCards = 1, efaInterfaces = 0, ...machine } = hardware;
  // Where there is a card more than EFA interfaces, it is the first one, which carries Ethernet alone.
  const efaOnCard0 = efaInterfaces > 0 && efaInterfaces === networkCards;
  const market = { oneInterfacePerCard: false, spot: true, capacityBlocks: true, hasDriver: true };
  return { ...machine, networkCards, efaInterfaces, efaOnCard0, ...market };
}

/** What every node of a pool has, if it is known of one: types are alike but for their memory, of which the least counts. */
export function leastMachine(machines: (EksMachine | undefined)[]): EksMachine | undefined {
  const known = machines.filter((each) => each !== undefined);
  const [first] = known;
  return first && { ...first, memoryMib: Math.min(...known.map(({ memoryMib }) => memoryMib)) };
}

/** Instance types of some arguments that the table does not have. */
export const unlistedTypes = ({ machineTypes }: Partial<EksNodePoolArgs>): string[] =>
  (Array.isArray(machineTypes) ? machineTypes : []).filter((type) => typeof type === "string" && !isInTable(type));

/** Bottlerocket has the host's part of EFA; standard Amazon Linux is not documented to have it. */
export const defaultOs = ({ accelerator }: Pick<EksMachine, "accelerator">, hasEfa: boolean): EksNodePoolOs =>
  hasEfa && accelerator === undefined ? EksNodePoolOs.Bottlerocket : EksNodePoolOs.Al2023;

// A reservation lies where it lies: a new placement group would find no capacity in it.
export const defaultPlacement = (
  capacity: EksNodePoolCapacity = EksNodePoolCapacity.OnDemand,
  hasEfa: boolean,
): EksNodePoolPlacement =>
  hasEfa && capacity === EksNodePoolCapacity.OnDemand ? EksNodePoolPlacement.Cluster : EksNodePoolPlacement.None;
