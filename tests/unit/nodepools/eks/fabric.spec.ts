import * as assert from "node:assert/strict";
import { EksNodePoolEfaLayout } from "../../../../provider";
import { efaInterfaces, type NetworkInterface } from "../../../../provider/nodepools/eks/fabric";
import { eksMachineTypes } from "../../../../provider/nodepools/eks/machineTypes";

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
  ["hpc7g.16xlarge", ["0/0 efa"], [primary, "0/1 efa-only"]],
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

  it("have no type for plain Ethernet in the launch template", () =>
    assert.deepEqual(efaInterfaces({ efaInterfaces: 1, efaOnCard0: true, oneInterfacePerCard: false }, Separate)[0], {
      ...{ networkCardIndex: 0, deviceIndex: 0 },
    }));

  it("fit every machine type: as many as it has, one per card, the primary one first", () => {
    for (const layout of Object.values(EksNodePoolEfaLayout))
      for (const [type, machine] of Object.entries(eksMachineTypes)) {
        if (machine.efaInterfaces === 0) continue;
        const all = efaInterfaces(machine, layout);
        const efa = all.filter(({ interfaceType }) => interfaceType).map(({ networkCardIndex }) => networkCardIndex);
        assert.equal(efa.length, machine.efaInterfaces, type);
        assert.equal(new Set(efa).size, efa.length, type);
        assert.equal(new Set(all.map(short)).size, all.length, type);
        assert.deepEqual([all[0]?.networkCardIndex, all[0]?.deviceIndex], [0, 0], type);
        assert.ok(Math.max(...efa) < machine.networkCards && efa.includes(0) === machine.efaOnCard0, type);
      }
  });
});
