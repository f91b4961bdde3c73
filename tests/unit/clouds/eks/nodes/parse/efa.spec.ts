import * as assert from "node:assert/strict";
import { EksNodePoolEfaLayout } from "../../../../../../provider";
import { eksMachineTypes } from "../../../../../../provider/clouds/eks/machines";
import { efaInterfaces, type NetworkInterface } from "../../../../../../provider/clouds/eks/nodes/parse/efa";

const { Combined, Separate } = EksNodePoolEfaLayout;

/** Card, device and type of each interface, such as "0/0 efa". */
const short = ({ networkCardIndex, deviceIndex, interfaceType }: NetworkInterface) =>
  `${networkCardIndex}/${deviceIndex} ${interfaceType ?? "ethernet"}`;

const layoutOf = (type: string, layout: EksNodePoolEfaLayout) =>
  efaInterfaces(eksMachineTypes[type] ?? assert.fail(type), layout).map(short);

/** EFA alone on the cards from one to another, with the same device index on each. */
const onCards = (first: number, last: number, device: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}/${device} efa-only`);

const primary = "0/0 ethernet";
const layouts: [type: string, combined: string[], separate: string[]][] = [
  ["p5.48xlarge", ["0/0 efa", ...onCards(1, 31, 1)], [primary, "0/1 efa-only", ...onCards(1, 31, 0)]],
  // A card takes a single interface: there is no room beside an Ethernet one on the first, nor for a second device.
  ["hpc6id.32xlarge", ["0/0 efa", "1/0 efa-only"], ["0/0 efa", "1/0 efa-only"]],
  // The first card is for Ethernet.
  ["p6-b300.48xlarge", [primary, ...onCards(1, 16, 0)], [primary, ...onCards(1, 16, 0)]],
];

describe("the EFA interfaces of a machine", () => {
  for (const [type, combined, separate] of layouts)
    it(`are those that AWS documents for ${type}`, () =>
      assert.deepEqual([layoutOf(type, Combined), layoutOf(type, Separate)], [combined, separate]));

  it("have a second device only on cards that take two interfaces", () => {
    const cards = { efaCards: [0, 1, 2], interfacesPerCard: [2, 1, 2] };
    assert.deepEqual(efaInterfaces(cards, Combined).map(short), ["0/0 efa", "1/0 efa-only", "2/1 efa-only"]);
    const [ethernet] = efaInterfaces(cards, Separate);
    assert.deepEqual(ethernet, { networkCardIndex: 0, deviceIndex: 0 }, "Ethernet has no type");
  });

  it(
    "fit every machine type: as many as it has, one per card, the primary one first, no more on a card than it " +
      "takes",
    () => {
      for (const layout of Object.values(EksNodePoolEfaLayout))
        for (const [type, machine] of Object.entries(eksMachineTypes)) {
          if (machine.efaInterfaces === 0) continue;
          const all = efaInterfaces(machine, layout);
          const efa = all.filter(({ interfaceType }) => interfaceType).map(({ networkCardIndex }) => networkCardIndex);
          assert.deepEqual(efa, machine.efaCards, type);
          assert.equal(efa.length, machine.efaInterfaces, type);
          assert.deepEqual([all[0]?.networkCardIndex, all[0]?.deviceIndex], [0, 0], type);
          for (const { networkCardIndex: card, deviceIndex } of all)
            assert.ok(card < machine.networkCards && deviceIndex < (machine.interfacesPerCard?.[card] ?? 2), type);
        }
    },
  );
});
