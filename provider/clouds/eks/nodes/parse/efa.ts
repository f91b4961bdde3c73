import { processors } from "../../../machines";
import { NodePoolFabric } from "../../../nodes/args";
import { byClaim, type FabricUse } from "../../../nodes/parse/scheduling";
import type { EksMachineType } from "../../machines";
import { EksNodePoolEfaLayout } from "../args";
import { type EksPoolFields, hasEfa } from "./fields";

/**
 * Huge pages in MiB that a node with EFA reserves for each of its virtual CPUs: 110 of 2 MiB (bottlerocket-core-kit,
 * corndog). The EFA installer of Amazon Linux adds one page to the sum, which pods do not request.
 */
const hugePagesMiB = 220;

/** DeviceClass of EFA that the chart aws-dranet creates. */
const efaClass = "efa.networking.k8s.aws";

/**
 * Use of EFA by a pod: all interfaces of a node, and all huge pages, because libfabric uses about as many for each
 * process as a node has per core, and a process without huge pages may end with SIGBUS.
 */
export function fabricUse(
  machine: EksMachineType,
  args: Pick<EksPoolFields, "fabric" | "fabricBy" | "threadsPerCore">,
): FabricUse | undefined {
  if (!hasEfa(args)) return undefined;
  const { vcpus } = processors(machine, args.threadsPerCore);
  const count = machine.efaInterfaces;
  return {
    fabric: NodePoolFabric.Efa,
    interfaces: count,
    ...(byClaim(args.fabricBy) && { claim: { name: "efa", deviceClass: efaClass, count } }),
    resources: {
      ...(!byClaim(args.fabricBy) && { "vpc.amazonaws.com/efa": String(count) }),
      "hugepages-2Mi": `${hugePagesMiB * vcpus}Mi`,
    },
    // FI_EFA_USE_DEVICE_RDMA is not set: libfabric enables it on cards that support it, and ends the program that requests it on
    // others (p3dn, g4dn, g5). FI_EFA_FORK_SAFE has no effect since Linux 5.13, and before that disables huge pages.
    environment: { FI_PROVIDER: "efa" },
  };
}

/** A network interface of an EC2 launch template, without the security groups that all of them share. */
export interface NetworkInterface {
  networkCardIndex: number;
  deviceIndex: number;
  /** Omitted for plain Ethernet. */
  interfaceType?: "efa" | "efa-only";
}

/** Properties of a machine on which the layout of the interfaces depends. */
export type NetworkCards = Pick<EksMachineType, "efaCards" | "interfacesPerCard">;

/**
 * The interfaces of a machine with EFA, the primary interface first. An "efa" interface is also an Ethernet interface;
 * an "efa-only" interface uses no address of the subnet. The cards with EFA may be fewer than the cards of the machine.
 */
export function efaInterfaces(cards: NetworkCards, layout: EksNodePoolEfaLayout): NetworkInterface[] {
  const isCombined = isCombinedLayout(cards, layout);
  const primary: NetworkInterface = {
    networkCardIndex: 0,
    deviceIndex: 0,
    ...(isCombined && { interfaceType: "efa" }),
  };
  return [
    primary,
    ...cards.efaCards
      .filter((card) => card > 0 || !isCombined)
      .map((card): NetworkInterface => {
        const isSecondDevice = card === 0 || (isCombined && hasRoomForTwo(cards, card));
        return { networkCardIndex: card, deviceIndex: isSecondDevice ? 1 : 0, interfaceType: "efa-only" };
      }),
  ];
}

/**
 * True if the primary interface is also EFA. A machine whose first card has no EFA supports only "separate"; a machine
 * whose first card supports a single interface has only "combined".
 */
export const isCombinedLayout = (cards: NetworkCards, layout: EksNodePoolEfaLayout) =>
  cards.efaCards.includes(0) && (layout === EksNodePoolEfaLayout.Combined || !hasRoomForTwo(cards, 0));

const hasRoomForTwo = ({ interfacesPerCard }: NetworkCards, card: number) => (interfacesPerCard?.[card] ?? 2) > 1;
