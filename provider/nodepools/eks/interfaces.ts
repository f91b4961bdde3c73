import { EksNodePoolEfaLayout } from "./args";
import type { EksMachine } from "./machines";

/** A network interface of an EC2 launch template, without the security groups that all of them share. */
export interface NetworkInterface {
  networkCardIndex: number;
  deviceIndex: number;
  /** Left out for plain Ethernet. */
  interfaceType?: "efa" | "efa-only";
}

/** What the layout of the interfaces depends on. */
export type NetworkCards = Pick<EksMachine, "efaInterfaces" | "efaOnCard0" | "oneInterfacePerCard">;

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
