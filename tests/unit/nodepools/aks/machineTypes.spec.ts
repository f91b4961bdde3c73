import * as assert from "node:assert/strict";
import { MiniClusterArch } from "../../../../provider/minicluster/args";
import { type AksMachine, aksMachine, aksMachines, InfinibandRate } from "../../../../provider/nodepools/aks/machines";
import { NodePoolAcceleratorKind } from "../../../../provider/nodepools/machine";

const gib = 1024;
const { Amd64, Arm64 } = MiniClusterArch;

/** Family letters, virtual CPUs, those one may use, features, accelerator, version: Azure's naming convention. */
const convention = /^Standard_([A-Z]+)(\d+)(?:-(\d+))?([a-z]*)((?:_[A-Z][A-Z0-9]+)*)(?:_v(\d+))?$/;

const hpc = (vcpus: number, memoryGiB: number, rate: InfinibandRate, adapters: number): AksMachine => ({
  arch: Amd64,
  vcpus,
  threadsPerCore: 1,
  memoryMib: memoryGiB * gib,
  infiniband: true,
  fabric: { rate, adapters },
});

const plain = (arch: MiniClusterArch, vcpus: number, threadsPerCore: number, memoryGiB: number): AksMachine => ({
  arch,
  vcpus,
  threadsPerCore,
  memoryMib: memoryGiB * gib,
  infiniband: false,
});

const nvidia = (model: string, count: number) => ({
  accelerator: { kind: NodePoolAcceleratorKind.Nvidia, model, count },
});

const anchors: Record<string, AksMachine> = {
  Standard_HB120rs_v2: hpc(120, 456, InfinibandRate.Hdr, 1),
  Standard_HB120rs_v3: hpc(120, 448, InfinibandRate.Hdr, 1),
  "Standard_HB120-96rs_v3": hpc(96, 448, InfinibandRate.Hdr, 1),
  "Standard_HB120-16rs_v3": hpc(16, 448, InfinibandRate.Hdr, 1),
  "Standard_HB176-24rs_v4": hpc(24, 768, InfinibandRate.Ndr, 1),
  Standard_HX176rs: hpc(176, 1408, InfinibandRate.Ndr, 1),
  Standard_HB368rs_v5: hpc(368, 432, InfinibandRate.Ndr, 4),
  "Standard_HC44-16rs": hpc(16, 352, InfinibandRate.Edr, 1),
  Standard_ND40rs_v2: { ...hpc(40, 672, InfinibandRate.Edr, 1), ...nvidia("V100", 8) },
  Standard_ND96asr_v4: { ...hpc(96, 900, InfinibandRate.Hdr, 8), ...nvidia("A100", 8) },
  Standard_ND96isr_H100_v5: { ...hpc(96, 1900, InfinibandRate.Ndr, 8), ...nvidia("H100", 8) },
  Standard_ND96isr_MI300X_v5: {
    ...hpc(96, 1850, InfinibandRate.Ndr, 8),
    accelerator: { kind: NodePoolAcceleratorKind.Amd, model: "MI300X", count: 8 },
  },
  Standard_ND128isr_NDR_GB200_v6: { ...hpc(128, 900, InfinibandRate.Ndr, 4), ...nvidia("GB200", 4), arch: Arm64 },
  Standard_NC64as_T4_v3: { ...plain(Amd64, 64, 1, 440), ...nvidia("T4", 4) },
  Standard_NV72ads_A10_v5: { ...plain(Amd64, 72, 2, 880), ...nvidia("A10", 2) },
  Standard_D2s_v3: plain(Amd64, 2, 2, 8),
  Standard_D8ds_v5: plain(Amd64, 8, 2, 32),
  Standard_D192s_v6: plain(Amd64, 192, 2, 768),
  Standard_E20as_v5: plain(Amd64, 20, 2, 160),
  Standard_E96ds_v5: plain(Amd64, 96, 2, 672),
  Standard_F72s_v2: plain(Amd64, 72, 2, 144),
  Standard_D64ps_v5: plain(Arm64, 64, 1, 208),
  Standard_D96pds_v6: plain(Arm64, 96, 1, 384),
  Standard_E32pds_v5: plain(Arm64, 32, 1, 208),
};

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
  for (const [size, machine] of Object.entries(anchors))
    it(`knows ${size}`, () => assert.deepEqual(aksMachine(size), machine));

  for (const [why, size] of refused)
    it(`has no facts of a size that ${why}: "${size}"`, () => assert.equal(aksMachine(size), undefined));

  it("takes a size in any case, as Azure does", () =>
    assert.deepEqual(aksMachine("standard_hb120-96rs_v3"), aksMachine("Standard_HB120-96rs_v3")));

  it("has no two sizes that differ only in case", () =>
    assert.equal(new Set([...aksMachines.keys()].map((name) => name.toLowerCase())).size, aksMachines.size));
});

describe("the name of every Azure size that has a row", () => {
  const rows = [...aksMachines].map(([name, machine]) => {
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
      wrong(({ features, machine }) => features.includes("r") === machine.infiniband),
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

describe("the facts of every Azure size that has a row", () => {
  const machines = [...aksMachines.entries()];

  for (const [rule, fits] of [
    ["has a fabric if and only if it is on InfiniBand", (m) => (m.fabric !== undefined) === m.infiniband],
    ["has whole cores", (m) => Number.isInteger(m.vcpus / m.threadsPerCore)],
    [
      "has one thread to a core on ARM and on InfiniBand",
      (m) => !(m.arch === Arm64 || m.infiniband) || !(m.threadsPerCore > 1),
    ],
    [
      "has memory in whole GiB, one to each virtual CPU at least",
      (m) => m.memoryMib % gib === 0 && m.memoryMib / gib >= m.vcpus,
    ],
    ["has at least the two virtual CPUs that AKS asks for", (m) => m.vcpus >= 2],
  ] as [string, (machine: AksMachine) => boolean][])
    it(rule, () =>
      assert.deepEqual(
        machines.filter(([, machine]) => !fits(machine)),
        [],
      ),
    );
});
