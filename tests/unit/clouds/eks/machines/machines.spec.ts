import * as assert from "node:assert/strict";
import { type EksMachineType, eksMachineTypes, networkLabelsOf } from "../../../../../provider/clouds/eks/machines";
import { NodePoolAcceleratorKind, MiniClusterArch } from "../../../../../provider/clouds/nodes/args";
import { itHolds, names } from "../../nodes/tables";

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

/** GPUs with ARM processors of NVIDIA's own. */
const isSuperchip = (family: string) => /-gb\d+$/.test(family);

/** Passes if every two machines of a family, of which one has fewer virtual CPUs, keep a rule. */
function assertGrowth(some: typeof families, keeps: (small: Named, large: Named) => boolean) {
  for (const { members } of some)
    for (const small of members)
      for (const large of members)
        assert.ok(small.vcpus >= large.vcpus || keeps(small, large), `${small.name} and ${large.name}`);
}

describe("EC2 instance types: processors and memory", () => {
  const hpcThatCountCores = ["hpc6a", "hpc6id", "hpc7a", "hpc8a"];
  const burstable = ["nano", "micro", "small", "medium", "large", "xlarge", "2xlarge"];
  const usualGib: Record<string, number> = { c: 2, m: 4, r: 8 };

  itHolds(all, {
    "has ARM in exactly the families with a g among the letters after the generation, and in the superchips": (one) =>
      (one.arch === MiniClusterArch.Arm64) === (one.options.includes("g") || isSuperchip(one.family)),
    "has one thread per core on ARM, on HPC types, on AMD since its seventh generation and on g7, else two": (one) => {
      const isOfAmd = one.options.startsWith("a") && one.generation >= 7;
      const isWhole = one.arch === MiniClusterArch.Arm64 || one.kind === "hpc" || isOfAmd || one.family === "g7";
      return one.threadsPerCore === (isWhole ? 1 : 2);
    },
    "has whole cores, and memory in quarters of a GiB": ({ vcpus, threadsPerCore, memoryMib }) =>
      Number.isInteger(vcpus / threadsPerCore) && vcpus >= 1 && Number.isInteger(memoryMib / 256) && memoryMib >= 512,
    "has four virtual CPUs for each xlarge of the size's name, or two where HPC types count cores": (one) => {
      const times = timesXlarge(one.size);
      // The small burstable sizes all have two virtual CPUs, with any memory.
      if (times === undefined || (one.kind === "t" && one.vcpus === 2)) return true;
      return one.vcpus === times * (hpcThatCountCores.includes(one.family) ? 2 : 4);
    },
    // The network of a c5n takes some memory, and its two largest sizes have more.
    "has 2, 4 or 8 GiB for each virtual CPU in the C, M and R families": (one) =>
      one.family === "c5n" || !(one.kind in usualGib) || gibPerVcpu(one) === usualGib[one.kind],
    "doubles the memory of a burstable machine from size to size, from half a GiB in the smallest": (one) =>
      one.kind !== "t" || one.memoryMib === 512 * 2 ** burstable.indexOf(one.size),
    // No virtual size of g4dn has all that its machine has.
    "has in a whole machine what the largest size of the family has": (one) => {
      if (one.size !== "metal" || one.family === "g4dn") return true;
      const others = all.filter(({ family, name }) => family === one.family && name !== one.name);
      const [largest] = others.sort((a, b) => b.vcpus - a.vcpus);
      const facts = (["vcpus", "memoryMib", "efaInterfaces"] as const).map((fact) => one[fact] === largest?.[fact]);
      return !facts.includes(false);
    },
  });

  it("has more memory in a larger size, unless cores were left out of the same machine", () => {
    const [hpc, others] = [families.filter(({ isHpc }) => isHpc), families.filter(({ isHpc }) => !isHpc)];
    assertGrowth(others, (small, large) => small.memoryMib < large.memoryMib);
    for (const { name, members } of hpc) assert.equal(new Set(members.map(({ memoryMib }) => memoryMib)).size, 1, name);
  });
});

describe("EC2 instance types: EFA", () => {
  itHolds(all, {
    "has each EFA interface on a separate card": ({ efaInterfaces, efaCards, networkCards }) =>
      new Set(efaCards).size === efaInterfaces && efaCards.every((card) => card >= 0 && card < networkCards),
    "has one card in a type without": ({ efaInterfaces, networkCards }) => efaInterfaces > 0 || networkCards === 1,
    "has none on small types": ({ efaInterfaces, vcpus, name }) =>
      efaInterfaces === 0 || vcpus >= 16 || name === "trn2.3xlarge",
    "has it on every HPC type": ({ kind, efaInterfaces }) => kind !== "hpc" || efaInterfaces > 0,
  });

  it(
    "has as many network cards as EFA interfaces, but for p6, whose first card is for Ethernet on p6-b300 and " +
      "p6e-gb200",
    () => {
      const withEfa = all.filter(({ efaInterfaces }) => efaInterfaces > 0);
      const unequal = withEfa.filter(({ networkCards, efaInterfaces }) => networkCards !== efaInterfaces);
      const apart = withEfa.filter(({ efaCards }) => !efaCards.includes(0));
      for (const list of [unequal, apart]) assert.deepEqual(names(list), ["p6-b300.48xlarge", "p6e-gb200.36xlarge"]);
    },
  );

  it(
    "says of each card how many interfaces it takes where that is one, which is so on hpc6id and on the odd cards " +
      "of p6e",
    () => {
      const counted = all.filter(({ interfacesPerCard }) => interfacesPerCard);
      assert.deepEqual(Object.fromEntries(counted.map(({ name, interfacesPerCard }) => [name, interfacesPerCard])), {
        "hpc6id.32xlarge": [1, 1],
        "p6e-gb200.36xlarge": Array.from({ length: 17 }, (_, card) => (card % 2 === 1 ? 1 : 2)),
      });
    },
  );

  it("has no fewer interfaces in a larger size of a family, and some in the largest of all families but these", () => {
    assertGrowth(families, (small, large) => small.efaInterfaces <= large.efaInterfaces);
    const without = families.filter(({ members }) => members.every(({ efaInterfaces }) => efaInterfaces === 0));
    assert.deepEqual(names(without).sort(), ["c5", "g5g", "inf2", "m5", "t3", "t4g"]);
  });

  it("has more than two interfaces in these types alone", () => {
    const several = all.filter(({ efaInterfaces }) => efaInterfaces > 2);
    assert.deepEqual(Object.fromEntries(several.map(({ name, efaInterfaces }) => [name, efaInterfaces])), {
      "p4d.24xlarge": 4,
      "p4de.24xlarge": 4,
      "p5.48xlarge": 32,
      "p5e.48xlarge": 32,
      "p5en.48xlarge": 16,
      "p6-b200.48xlarge": 8,
      "p6-b300.48xlarge": 16,
      "p6e-gb200.36xlarge": 8,
      "g6e.48xlarge": 4,
      "g7e.48xlarge": 4,
      "trn1.32xlarge": 8,
      "trn1n.32xlarge": 16,
      "trn2.48xlarge": 16,
    });
  });
});

describe("EC2 instance types: accelerators and how they are sold", () => {
  const { Nvidia, Neuron } = NodePoolAcceleratorKind;
  const kinds: Record<string, NodePoolAcceleratorKind> = { g: Nvidia, gr: Nvidia, p: Nvidia, trn: Neuron, inf: Neuron };
  // Four or two GPUs are in machines of 12xlarge and 24xlarge, eight in the largest.
  const gpus: Record<string, number> = { "12xlarge": 4, "24xlarge": 4, "48xlarge": 8, metal: 8 };
  const inSmall: Record<string, number> = { "p5.4xlarge": 1, "p6e-gb200.36xlarge": 4 };

  itHolds(all, {
    "has NVIDIA GPUs in the G and P families, Neuron devices in Trainium and Inferentia, and none elsewhere": (one) =>
      one.accelerator?.kind === kinds[one.kind],
    "has a usual number of them": ({ accelerator }) =>
      accelerator === undefined || [1, 2, 4, 6, 8, 12, 16].includes(accelerator.count),
    "has so many GPUs in the G families": ({ kind, family, size, accelerator }) => {
      const count = size === "12xlarge" && /^g7e?$/.test(family) ? 2 : (gpus[size] ?? 1);
      return kind !== "g" || family === "g5g" || accelerator?.count === count;
    },
    "has eight GPUs in the P families but for p5.4xlarge and the superchips": ({ kind, name, accelerator }) =>
      kind !== "p" || accelerator?.count === (inSmall[name] ?? 8),
    "has 16 devices in the largest machines of Trainium": ({ kind, size, accelerator }) =>
      kind !== "trn" || accelerator?.count === (/^(32|48)xl/.test(size) ? 16 : 1),
    "is never sold as spot in HPC types and p6e, and always in others": ({ kind, family, spot }) =>
      spot !== (kind === "hpc" || family === "p6e-gb200"),
  });

  it("has one model of accelerator in a family", () => {
    for (const { name, members } of families)
      assert.equal(new Set(members.map(({ accelerator }) => accelerator?.model)).size, 1, name);
  });

  it("is sold by Capacity Block in P4, P5, P6 and two of the Trainium families", () => {
    const sold = families.filter(({ members }) => members.some(({ capacityBlocks }) => capacityBlocks));
    const expected = ["p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200", "trn1", "trn2"];
    assert.deepEqual(names(sold).sort(), expected);
    assert.equal(eksMachineTypes["trn1.2xlarge"]?.capacityBlocks, false);
  });
});

describe("the network labels of nodes of EKS", () => {
  const labels: [types: string[], count: number | undefined][] = [
    [["hpc8a.96xlarge"], 3],
    [["p5.48xlarge", "p5en.48xlarge"], 3],
    [["p6e-gb200.36xlarge"], 3],
    [["p6-b200.48xlarge"], 4],
    [["p6-b300.48xlarge", "p5.48xlarge"], 3],
    [["p5.4xlarge"], 0],
    [["m7i.large", "p5.48xlarge"], 0],
    [["p5.48xlarge", "m99.large"], undefined],
  ];
  for (const [types, count] of labels)
    it(`of ${types.join(" and ")} are not claimed beyond the layers that EC2 reports`, () => {
      const layers = Array.from({ length: count ?? 0 }, (_, at) => `topology.k8s.aws/network-node-layer-${at + 1}`);
      assert.deepEqual(networkLabelsOf(types), count === undefined ? undefined : layers);
    });
});
