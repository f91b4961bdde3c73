import * as assert from "node:assert/strict";
import { MiniClusterArch } from "../../../../provider/minicluster/args";
import { type AksMachineType, aksMachineType, aksMachineTypes } from "../../../../provider/nodepools/aks/machineTypes";

const gib = 1024;
const { Arm64 } = MiniClusterArch;

/** Family letters, virtual CPUs, those one may use, features, accelerator, version: Azure's naming convention. */
const convention = /^Standard_([A-Z]+)(\d+)(?:-(\d+))?([a-z]*)((?:_[A-Z][A-Z0-9]+)*)(?:_v(\d+))?$/;

const refused: [why: string, size: string][] = [
  ["has a core count that its series lacks", "Standard_HB120-48rs_v3"],
  ["has a constrained count above its cores", "Standard_HB120-144rs_v3"],
  ["lacks the version that tells two series apart", "Standard_HB120rs"],
  ["has a version of a series that has none", "Standard_HX176rs_v4"],
  ["Azure has retired", "Standard_HB60rs"],
  ["has a virtual CPU count that its family lacks", "Standard_D6s_v5"],
  ["is larger than its family goes", "Standard_D96ps_v5"],
  ["has a count only the next version has", "Standard_D128s_v5"],
  ["has features no series combines", "Standard_D4sp_v5"],
  ["has a leading zero", "Standard_D04s_v5"],
  ["has no tier", "HB120rs_v3"],
  ["has space around it", " Standard_HB120rs_v3"],
  ["is of another cloud", "hpc7a.96xlarge"],
  ["is empty", ""],
  ["is a name that every object has", "constructor"],
];

describe("what the sizes of Azure have", () => {
  for (const [why, size] of refused)
    it(`has no facts of a size that ${why}: "${size}"`, () => assert.equal(aksMachineType(size), undefined));

  it("takes a size in any case, as Azure does", () =>
    assert.deepEqual(aksMachineType("standard_hb120-96rs_v3"), aksMachineType("Standard_HB120-96rs_v3")));

  it("has no two sizes that differ only in case", () =>
    assert.equal(new Set([...aksMachineTypes.keys()].map((name) => name.toLowerCase())).size, aksMachineTypes.size));
});

describe("the name of every Azure size that has a row", () => {
  const rows = [...aksMachineTypes].map(([name, machine]) => {
    const [, family, vcpus, constrained, features, accelerator] = convention.exec(name) ?? assert.fail(name);
    return { name, machine, family, vcpus: Number(constrained ?? vcpus), features: features ?? "", accelerator };
  });
  const wrong = (fits: (row: (typeof rows)[number]) => boolean) =>
    rows.filter((row) => !fits(row)).map(({ name }) => name);

  it("carries the virtual CPUs, and of a constrained size those that one may use", () =>
    assert.deepEqual(
      wrong(({ vcpus, machine }) => vcpus === machine.vcpus),
      [],
    ));

  it("has an r among its features if and only if the machine is on InfiniBand", () =>
    assert.deepEqual(
      wrong(({ features, machine }) => features.includes("r") === machine.infinibandDevices > 0),
      [],
    ));

  it("has a p among its features if and only if it is ARM without an accelerator", () =>
    assert.deepEqual(
      wrong(({ features, machine }) => features.includes("p") === (machine.arch === Arm64 && !machine.accelerator)),
      [],
    ));

  it("begins with N if and only if the machine has accelerators", () =>
    assert.deepEqual(
      wrong(({ family, machine }) => family?.startsWith("N") === (machine.accelerator !== undefined)),
      [],
    ));

  it("holds the model of the accelerator wherever it names one", () =>
    assert.deepEqual(
      wrong(({ accelerator, machine }) => !accelerator || accelerator.endsWith(`_${machine.accelerator?.model}`)),
      [],
    ));
});

const devicesOf = (name: string, { accelerator }: AksMachineType) =>
  /_HB\d.*_v5$/.test(name) ? 4 : accelerator && !name.endsWith("_v2") ? accelerator.count : 1;

/** A constrained size is the same machine with cores left out. */
function isWhole(name: string, { memoryMib }: AksMachineType) {
  const whole = name.replace(/-\d+/, "");
  return aksMachineTypes.get(whole)?.memoryMib === memoryMib;
}

const gibPerVcpu = (name: string) => (/_E/.test(name) ? 8 : /_F|_D\d+[a-z]*l/.test(name) ? 2 : 4);
const usualGib = (name: string, { vcpus }: AksMachineType) => vcpus * gibPerVcpu(name);
const isLessInLargest = (name: string, machine: AksMachineType) =>
  machine.vcpus >= 32 &&
  machine.memoryMib / gib < usualGib(name, machine) &&
  machine.memoryMib / gib > 0.75 * usualGib(name, machine);

describe("the facts of every Azure size that has a row", () => {
  const machines = [...aksMachineTypes.entries()];

  for (const [rule, fits] of [
    [
      "has one InfiniBand device for each GPU of ND since version 4, four in HB v5, else one where it has any",
      (m, name) => m.infinibandDevices === 0 || m.infinibandDevices === devicesOf(name, m),
    ],
    [
      "has eight GPUs in ND, or four beside ARM, and otherwise one, two or four",
      (m, name) =>
        !m.accelerator || (name.includes("_ND") ? [m.arch === Arm64 ? 4 : 8] : [1, 2, 4]).includes(m.accelerator.count),
    ],
    ["has whole cores", (m) => Number.isInteger(m.vcpus / m.threadsPerCore)],
    [
      "has one thread to a core on ARM and on InfiniBand",
      (m) => !(m.arch === Arm64 || m.infinibandDevices > 0) || !(m.threadsPerCore > 1),
    ],
    [
      "has memory in whole GiB, one to each virtual CPU at least",
      (m) => m.memoryMib % gib === 0 && m.memoryMib / gib >= m.vcpus,
    ],
    ["has at least the two virtual CPUs that AKS asks for", (m) => m.vcpus >= 2],
    ["has in a constrained size the memory of the whole machine", (m, name) => isWhole(name, m)],
    [
      "has 2, 4 or 8 GiB for each virtual CPU of D, E and F, and seldom less in the largest",
      (m, name) =>
        !/^Standard_[DEF]\d/.test(name) || m.memoryMib / gib === usualGib(name, m) || isLessInLargest(name, m),
    ],
  ] as [string, (machine: AksMachineType, name: string) => boolean][])
    it(rule, () =>
      assert.deepEqual(
        machines.filter(([name, machine]) => !fits(machine, name)),
        [],
      ),
    );
});
