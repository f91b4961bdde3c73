import * as assert from "node:assert/strict";
import { MiniClusterArch } from "../../../../provider/minicluster/args";
import { NodePoolAcceleratorKind } from "../../../../provider/nodepools/args";
import { type EksMachineType, eksMachineTypes } from "../../../../provider/nodepools/eks/machineTypes";

/** The parts of a name such as "c7gn.16xlarge": class "c", generation 7, options "gn", size "16xlarge". */
interface Named extends EksMachineType {
  name: string;
  family: string;
  kind: string;
  generation: number;
  options: string;
  size: string;
}

const all: Named[] = Object.entries(eksMachineTypes).map(([name, machine]) => {
  const parts = /^(([a-z]+)(\d+)([a-z]*)(?:-[a-z0-9]+)?)\.([a-z0-9-]+)$/.exec(name);
  assert.ok(parts, `${name} is not the name of an instance type`);
  const [, family = "", kind = "", generation, options = "", size = ""] = parts;
  return { ...machine, name, family, kind, generation: Number(generation), options, size };
});

const families = [...new Set(all.map(({ family }) => family))].map((name) => ({
  name,
  isHpc: name.startsWith("hpc"),
  members: all.filter(({ family }) => family === name),
}));

/** How many times "xlarge" a size is, unless it is a whole machine without a number. */
function timesXlarge(size: string): number | undefined {
  const named = { medium: 0.25, large: 0.5, xlarge: 1 }[size];
  const numbered = /^(?:metal-)?(\d+)xl/.exec(size)?.[1];
  return named ?? (numbered === undefined ? undefined : Number(numbered));
}

const gibPerVcpu = ({ memoryMib, vcpus }: EksMachineType) => memoryMib / 1024 / vcpus;
const names = (rows: Named[]) => rows.map(({ name }) => name);

/** Passes if no machine breaks the rule, and otherwise names those that do. */
const none = (rule: (machine: Named) => boolean) => assert.deepEqual(names(all.filter(rule)), []);

/** GPUs with ARM processors of NVIDIA's own. */
const isSuperchip = (family: string) => /-gb\d+$/.test(family);

/** The small burstable sizes all have two virtual CPUs, whatever their memory. */
const isSmallBurstable = ({ kind, vcpus }: Named) => kind === "t" && vcpus === 2;

describe("EC2 instance types: processors and memory", () => {
  it("has ARM in exactly the families with a g among the letters after the generation, and in the superchips", () => {
    none(
      ({ arch, options, family }) =>
        (arch === MiniClusterArch.Arm64) !== (options.includes("g") || isSuperchip(family)),
    );
  });

  it("has one thread per core on ARM, on HPC types, on AMD since its seventh generation and on g7, else two", () => {
    const isWhole = ({ kind, family, generation, options }: Named) =>
      options.includes("g") ||
      isSuperchip(family) ||
      kind === "hpc" ||
      (options.startsWith("a") && generation >= 7) ||
      family === "g7";
    none((machine) => machine.threadsPerCore !== (isWhole(machine) ? 1 : 2));
  });

  it("has whole numbers, and whole cores", () => {
    none(({ vcpus, threadsPerCore }) => !Number.isInteger(vcpus / threadsPerCore) || vcpus < 1);
    none(({ memoryMib }) => !Number.isInteger(memoryMib / 256) || memoryMib < 512);
  });

  it("has four virtual CPUs for each xlarge of the size's name, or two where HPC types count cores", () => {
    const countsCores = ["hpc6a", "hpc6id", "hpc7a", "hpc8a"];
    none((machine) => {
      const times = timesXlarge(machine.size);
      if (times === undefined || isSmallBurstable(machine)) return false;
      return machine.vcpus !== times * (countsCores.includes(machine.family) ? 2 : 4);
    });
  });

  it("has in a whole machine what the largest size of the family has", () => {
    // No virtual size of g4dn has all that its machine has.
    const whole = all.filter(({ size, family }) => size === "metal" && family !== "g4dn");
    for (const { name, family, vcpus, memoryMib, efaInterfaces } of whole) {
      const others = all.filter((other) => other.family === family && other.name !== name);
      assert.ok(others.length > 0, `${name} stands alone`);
      const largest = others.reduce((most, other) => (other.vcpus > most.vcpus ? other : most));
      assert.deepEqual(
        { vcpus, memoryMib, efaInterfaces },
        { vcpus: largest.vcpus, memoryMib: largest.memoryMib, efaInterfaces: largest.efaInterfaces },
        name,
      );
    }
  });

  it("has 2, 4 or 8 GiB for each virtual CPU in the C, M and R families", () => {
    const usual: Record<string, number> = { c: 2, m: 4, r: 8 };
    // The network of a c5n takes some memory, and its two largest sizes have more.
    none((machine) => machine.family !== "c5n" && machine.kind in usual && gibPerVcpu(machine) !== usual[machine.kind]);
  });

  it("doubles the memory of a burstable machine from size to size, from half a GiB in the smallest", () => {
    const sizes = ["nano", "micro", "small", "medium", "large", "xlarge", "2xlarge"];
    none(({ kind, size, memoryMib }) => kind === "t" && memoryMib !== 512 * 2 ** sizes.indexOf(size));
  });

  it("has more memory in a larger size, unless cores were left out of the same machine", () => {
    for (const { name, members } of families.filter(({ isHpc }) => !isHpc))
      for (const small of members)
        for (const large of members)
          assert.ok(
            small.vcpus >= large.vcpus || small.memoryMib < large.memoryMib,
            `${name}: ${small.size} and ${large.size}`,
          );
    for (const { name, members } of families.filter(({ isHpc }) => isHpc))
      assert.equal(new Set(members.map(({ memoryMib }) => memoryMib)).size, 1, name);
  });
});

describe("EC2 instance types: EFA", () => {
  it("has as many network cards as EFA interfaces, but for p6, whose first card is for Ethernet on p6-b300 and p6e-gb200", () => {
    const withEfa = all.filter(({ efaInterfaces }) => efaInterfaces > 0);
    const unequal = withEfa.filter(({ networkCards, efaInterfaces }) => networkCards !== efaInterfaces);
    const apart = withEfa.filter(({ efaCards }) => !efaCards.includes(0));
    for (const list of [unequal, apart]) assert.deepEqual(names(list), ["p6-b300.48xlarge", "p6e-gb200.36xlarge"]);
  });

  it("has each EFA interface on a card of its own, and one card and no EFA in a type without", () => {
    none(({ efaInterfaces, efaCards }) => new Set(efaCards).size !== efaInterfaces);
    none(({ networkCards, efaCards }) => efaCards.some((card) => card < 0 || card >= networkCards));
    none(({ efaInterfaces, networkCards }) => efaInterfaces === 0 && networkCards !== 1);
  });

  it("says of each card how many interfaces it takes where that is one, which is so on hpc6id and on the odd cards of p6e", () => {
    const counted = all.filter(({ interfacesPerCard }) => interfacesPerCard);
    assert.deepEqual(Object.fromEntries(counted.map(({ name, interfacesPerCard }) => [name, interfacesPerCard])), {
      "hpc6id.32xlarge": [1, 1],
      "p6e-gb200.36xlarge": Array.from({ length: 17 }, (_, card) => (card % 2 === 1 ? 1 : 2)),
    });
  });

  it("has no EFA on small types, and not on Inferentia 2, on g5g, on the T family and on plain c5 and m5", () => {
    none(({ efaInterfaces, vcpus, name }) => efaInterfaces > 0 && vcpus < 16 && name !== "trn2.3xlarge");
    none(({ efaInterfaces, family }) => efaInterfaces > 0 && /^(inf2|g5g|t\d.*|c5|m5)$/.test(family));
  });

  it("has no fewer EFA interfaces in a larger size of a family", () => {
    for (const { name, members } of families)
      for (const small of members)
        for (const large of members)
          assert.ok(
            small.vcpus >= large.vcpus || small.efaInterfaces <= large.efaInterfaces,
            `${name}: ${small.size} and ${large.size}`,
          );
  });

  it("has EFA on every HPC type and on the largest size of every family but those that have none", () => {
    none(({ kind, efaInterfaces }) => kind === "hpc" && efaInterfaces === 0);
    const without = families.filter(({ members }) => members.every(({ efaInterfaces }) => efaInterfaces === 0));
    assert.deepEqual(without.map(({ name }) => name).sort(), ["c5", "g5g", "inf2", "m5", "t3", "t4g"]);
  });
});

describe("EC2 instance types: accelerators and how they are sold", () => {
  it("has NVIDIA GPUs in the G and P families, Neuron devices in Trainium and Inferentia, and none elsewhere", () => {
    const kinds: Record<string, NodePoolAcceleratorKind> = {
      ...{ g: NodePoolAcceleratorKind.Nvidia, gr: NodePoolAcceleratorKind.Nvidia, p: NodePoolAcceleratorKind.Nvidia },
      ...{ trn: NodePoolAcceleratorKind.Neuron, inf: NodePoolAcceleratorKind.Neuron },
    };
    none(({ kind, accelerator }) => accelerator?.kind !== kinds[kind]);
  });

  it("has one model of accelerator in a family, and a usual number of them", () => {
    for (const { name, members } of families)
      assert.equal(new Set(members.map(({ accelerator }) => accelerator?.model)).size, 1, name);
    none(({ accelerator }) => accelerator !== undefined && ![1, 2, 4, 6, 8, 12, 16].includes(accelerator.count));
  });

  it("has eight GPUs in the largest machines of the G families, four or two in those of 12xlarge and 24xlarge, else one", () => {
    const gpus: Record<string, number> = { "12xlarge": 4, "24xlarge": 4, "48xlarge": 8, metal: 8 };
    const expected = ({ family, size }: Named) =>
      size === "12xlarge" && /^g7e?$/.test(family) ? 2 : (gpus[size] ?? 1);
    none(
      (machine) => machine.kind === "g" && machine.family !== "g5g" && machine.accelerator?.count !== expected(machine),
    );
  });

  it("never sells HPC types and p6e as spot, and sells all others so", () => {
    none(({ kind, family, spot }) => spot === (kind === "hpc" || family === "p6e-gb200"));
  });

  it("sells P4, P5, P6 and two of the Trainium families by Capacity Block", () => {
    const sold = families.filter(({ members }) => members.some(({ capacityBlocks }) => capacityBlocks));
    const expected = ["p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200", "trn1", "trn2"];
    assert.deepEqual(sold.map(({ name }) => name).sort(), expected);
    assert.equal(eksMachineTypes["trn1.2xlarge"]?.capacityBlocks, false);
  });

  it("has more than two EFA interfaces in these types alone", () => {
    const several = all.filter(({ efaInterfaces }) => efaInterfaces > 2);
    assert.deepEqual(Object.fromEntries(several.map(({ name, efaInterfaces }) => [name, efaInterfaces])), {
      ...{ "p4d.24xlarge": 4, "p4de.24xlarge": 4, "p5.48xlarge": 32, "p5e.48xlarge": 32, "p5en.48xlarge": 16 },
      ...{
        "p6-b200.48xlarge": 8,
        "p6-b300.48xlarge": 16,
        "p6e-gb200.36xlarge": 8,
        "g6e.48xlarge": 4,
        "g7e.48xlarge": 4,
      },
      ...{ "trn1.32xlarge": 8, "trn1n.32xlarge": 16, "trn2.48xlarge": 16 },
    });
  });

  it("has eight GPUs in the P families but for p5.4xlarge and the superchips, and 16 devices in the largest machines of Trainium", () => {
    const small: Record<string, number> = { "p5.4xlarge": 1, "p6e-gb200.36xlarge": 4 };
    none(({ kind, name, accelerator }) => kind === "p" && accelerator?.count !== (small[name] ?? 8));
    none(({ kind, size, accelerator }) => kind === "trn" && accelerator?.count !== (/^(32|48)xl/.test(size) ? 16 : 1));
  });
});
