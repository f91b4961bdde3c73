import * as assert from "node:assert/strict";
import { EksNodePoolEfaLayout } from "../../../../provider";
import { efaInterfaces, type NetworkInterface } from "../../../../provider/nodepools/eks/interfaces";
import { eksMachines } from "../../../../provider/nodepools/eks/machines";

const { Combined, Separate } = EksNodePoolEfaLayout;
const withEfa = Object.entries(eksMachines).filter(([, machine]) => machine.efaInterfaces > 0);

/** Card, device and type of each interface, such as "0/0 efa". */
const short = ({ networkCardIndex, deviceIndex, interfaceType }: NetworkInterface) =>
  `${networkCardIndex}/${deviceIndex} ${interfaceType ?? "ethernet"}`;

function layoutOf(type: string, layout: EksNodePoolEfaLayout): string[] {
  const machine = eksMachines[type];
  assert.ok(machine, type);
  return efaInterfaces(machine, layout).map(short);
}

/** EFA alone on the cards from one to another, with the same device index on each. */
const onCards = (first: number, last: number, device: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}/${device} efa-only`);

const primary = "0/0 ethernet";

/** For each type: the combined layout and the separate one. */
const layouts: [type: string, combined: string[], separate: string[]][] = [
  ["hpc7g.16xlarge", ["0/0 efa"], [primary, "0/1 efa-only"]],
  ["hpc7a.96xlarge", ["0/0 efa", "1/1 efa-only"], [primary, "0/1 efa-only", "1/0 efa-only"]],
  // A card takes a single interface: there is no room beside an Ethernet one on the first, nor for a second device.
  ["hpc6id.32xlarge", ["0/0 efa", "1/0 efa-only"], ["0/0 efa", "1/0 efa-only"]],
  ["p4d.24xlarge", ["0/0 efa", ...onCards(1, 3, 1)], [primary, "0/1 efa-only", ...onCards(1, 3, 0)]],
  ["p5.48xlarge", ["0/0 efa", ...onCards(1, 31, 1)], [primary, "0/1 efa-only", ...onCards(1, 31, 0)]],
  ["p5en.48xlarge", ["0/0 efa", ...onCards(1, 15, 1)], [primary, "0/1 efa-only", ...onCards(1, 15, 0)]],
  ["p6-b200.48xlarge", ["0/0 efa", ...onCards(1, 7, 1)], [primary, "0/1 efa-only", ...onCards(1, 7, 0)]],
  // The first card is for Ethernet.
  ["p6-b300.48xlarge", [primary, ...onCards(1, 16, 0)], [primary, ...onCards(1, 16, 0)]],
];

describe("the EFA interfaces of a machine", () => {
  for (const [type, combined, separate] of layouts) {
    it(`are those that AWS documents for ${type}, combined`, () =>
      assert.deepEqual(layoutOf(type, Combined), combined));
    it(`are those that AWS documents for ${type}, separate`, () =>
      assert.deepEqual(layoutOf(type, Separate), separate));
  }

  it("are known to the launch template by type, and plain Ethernet by no type at all", () =>
    assert.deepEqual(efaInterfaces({ efaInterfaces: 1, efaOnCard0: true, oneInterfacePerCard: false }, Separate), [
      { networkCardIndex: 0, deviceIndex: 0 },
      { networkCardIndex: 0, deviceIndex: 1, interfaceType: "efa-only" },
    ]));

  for (const layout of Object.values(EksNodePoolEfaLayout)) {
    const every = withEfa.map(([type, machine]) => ({ type, machine, all: efaInterfaces(machine, layout) }));

    it(`are as many as every type has, ${layout}`, () => {
      for (const { type, machine, all } of every)
        assert.equal(all.filter(({ interfaceType }) => interfaceType).length, machine.efaInterfaces, type);
    });

    it(`begin with the primary interface, on the first card of every type, ${layout}`, () => {
      for (const { type, all } of every)
        assert.deepEqual([all[0]?.networkCardIndex, all[0]?.deviceIndex], [0, 0], type);
    });

    it(`are on cards that every type has, and no two in one place, ${layout}`, () => {
      for (const { type, machine, all } of every) {
        const places = all.map(({ networkCardIndex, deviceIndex }) => `${networkCardIndex}/${deviceIndex}`);
        assert.equal(new Set(places).size, all.length, type);
        for (const { networkCardIndex } of all) assert.ok(networkCardIndex < machine.networkCards, type);
      }
    });

    it(`are at most one for each card with EFA, and one for each card where no more fit, ${layout}`, () => {
      for (const { type, machine, all } of every) {
        const efa = all.filter(({ interfaceType }) => interfaceType).map(({ networkCardIndex }) => networkCardIndex);
        assert.equal(new Set(efa).size, efa.length, type);
        assert.equal(efa.includes(0), machine.efaOnCard0, type);
        const cards = new Set(all.map(({ networkCardIndex }) => networkCardIndex));
        if (machine.oneInterfacePerCard) assert.equal(cards.size, all.length, type);
      }
    });
  }
});
