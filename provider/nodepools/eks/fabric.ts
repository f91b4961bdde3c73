import { processors } from "../machineType";
import type { FabricUse } from "../scheduling";
import { NodePoolFabric } from "../schedulingArgs";
import { EksNodePoolEfaLayout } from "./args";
import { type EksPoolFields, hasEfa } from "./fields";
import type { EksMachineType } from "./machineTypes";

// Most that an MPI rank or NCCL takes in AWS's own examples of EFA.
const hugePagesMiB = 5120;

/** Use of EFA by a pod: its interfaces, and the huge pages that the host's part has set aside for libfabric. */
export function fabricUse(
  machine: EksMachineType,
  args: Pick<EksPoolFields, "fabric" | "threadsPerCore">,
): FabricUse | undefined {
  if (!hasEfa(args)) return undefined;
  const { vcpus } = processors(machine, args.threadsPerCore);
  // 110 pages of 2 MiB for each virtual CPU, and one more (the EFA installer's own sum).
  const reservedMiB = (110 * vcpus + 1) * 2;
  return {
    fabric: NodePoolFabric.Efa,
    interfaces: machine.efaInterfaces,
    resources: {
      "vpc.amazonaws.com/efa": String(machine.efaInterfaces),
      "hugepages-2Mi": `${Math.min(hugePagesMiB, reservedMiB)}Mi`,
    },
    environment: {
      // FI_EFA_USE_DEVICE_RDMA is left alone: libfabric turns it on where the card can, and ends the program that asks for it
      // where the card cannot (p3dn, g4dn, g5).
      FI_PROVIDER: "efa",
      // A job's processes fork, and memory that a network card writes to must not be copied on write.
      FI_EFA_FORK_SAFE: "1",
    },
  };
}

/** A network interface of an EC2 launch template, without the security groups that all of them share. */
export interface NetworkInterface {
  networkCardIndex: number;
  deviceIndex: number;
  /** Left out for plain Ethernet. */
  interfaceType?: "efa" | "efa-only";
}

/** Facts that the layout of the interfaces depends on. */
export type NetworkCards = Pick<EksMachineType, "efaInterfaces" | "efaOnCard0" | "oneInterfacePerCard">;

/**
 * The interfaces of a machine with EFA, the primary one first. An "efa" interface is Ethernet as well; an "efa-only" one
 * takes no address of the subnet. How many cards carry EFA is not how many cards there are.
 */
export function efaInterfaces(cards: NetworkCards, layout: EksNodePoolEfaLayout): NetworkInterface[] {
  // A machine whose first card carries no EFA is newer than the combined layout; one with room for a single interface on
  // each card knows no other.
  const isCombined = cards.efaOnCard0 && (layout === EksNodePoolEfaLayout.Combined || cards.oneInterfacePerCard);
  const primary: NetworkInterface = {
    networkCardIndex: 0,
    deviceIndex: 0,
    ...(isCombined && { interfaceType: "efa" }),
  };
  // Beside an Ethernet interface of its own the first card can carry EFA as its second device.
  const beside: NetworkInterface[] =
    cards.efaOnCard0 && !isCombined ? [{ networkCardIndex: 0, deviceIndex: 1, interfaceType: "efa-only" }] : [];
  const others = cards.efaInterfaces - (cards.efaOnCard0 ? 1 : 0);
  return [
    primary,
    ...beside,
    ...Array.from({ length: others }, (_, index) => onCard(index + 1, isCombined && !cards.oneInterfacePerCard)),
  ];
}

/** EFA alone on a further card. The device index differs between the two layouts as AWS documents them. */
const onCard = (networkCardIndex: number, isSecondDevice: boolean): NetworkInterface => ({
  networkCardIndex,
  deviceIndex: isSecondDevice ? 1 : 0,
  interfaceType: "efa-only",
});
