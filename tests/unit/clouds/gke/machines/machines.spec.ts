import * as assert from "node:assert/strict";
import {
  gkeMachineType,
  type GkeMachineType,
  isListed,
  networkLabelsOf,
} from "../../../../../provider/clouds/gke/machines";
import { gpuSeries } from "../../../../../provider/clouds/gke/machines/accelerated";
import { cpuSeries } from "../../../../../provider/clouds/gke/machines/cpu";
import { itHolds } from "../../nodes/tables";

/** The parts of a name such as "c3d-highmem-30-lssd": family, kind, number and the rest. */
interface Named extends GkeMachineType {
  name: string;
  kind: string;
  count: number;
}

const known = (name: string): GkeMachineType => gkeMachineType(name) ?? assert.fail(`${name} is not in the tables`);

const names = [
  ...Object.entries(cpuSeries).flatMap(([family, { types }]) =>
    Object.entries(types).flatMap(([pattern, sizes]) =>
      Object.keys(sizes).map((count) => `${family}-${pattern.replace("*", count)}`),
    ),
  ),
  ...gpuSeries.flatMap(({ types }) => Object.keys(types)),
];
const all: Named[] = names.map((name) => {
  const [, family, kind = "", count] = /^([a-z]+\d+[a-z]*)-([a-z]+)-(\d+)g?(-\w+)?$/.exec(name) ?? assert.fail(name);
  assert.equal(family, known(name).family);
  return { ...known(name), name, kind, count: Number(count) };
});
const cpus = all.filter(({ accelerator }) => !accelerator);
const gpus = all.filter(({ accelerator }) => accelerator);

const gibPerVcpu = ({ memoryMib, vcpus }: Named) => memoryMib / 1024 / vcpus;
/** GiB for each virtual CPU, from and to. C4 has 7 GiB for two: memory comes in whole GiB. */
const range: Record<string, [number, number]> = { standard: [3.35, 4], highmem: [6.35, 8], highcpu: [0.75, 2] };
const unusual = ["n2-highmem-128", "h4d-standard-192"];

describe("the machine types of GKE", () => {
  itHolds(all, {
    "have in their names the vCPUs, or the GPUs where these are what is counted": (row) =>
      row.count === (row.accelerator && /g(-metal)?$/.test(row.name) ? row.accelerator.count : row.vcpus),
    "have whole cores": ({ vcpus, threadsPerCore }) => Number.isInteger(vcpus / threadsPerCore),
    "have one thread on ARM, T2D and H, else two": ({ arch, family, threadsPerCore }) =>
      threadsPerCore === (arch === "arm64" || /^(t2d|h\d.*)$/.test(family) ? 1 : 2),
    "have ARM in A4X, C4A, N4A and T2A alone": ({ arch, family }) =>
      (arch === "arm64") === ["a4x", "c4a", "n4a", "t2a"].includes(family),
    "take further GPUs in N1 alone": ({ attachable, family }) => (attachable !== undefined) === (family === "n1"),
    "have RDMA in A3 Ultra, A4, A4X and H4D, one interface for each GPU, and two on bare metal": (row) => {
      const { rdma, accelerator, bareMetal, family } = row;
      if (!rdma) return !["a4", "a4x", "h4d"].includes(family);
      const profile = accelerator ? "vpc-roce" : "vpc-falcon";
      const nics = (accelerator?.count ?? 1) * (bareMetal ? 2 : 1);
      return ["a3", "a4", "a4x", "h4d"].includes(family) && rdma.nics === nics && rdma.profile === profile;
    },
  });
  itHolds(cpus, {
    "have the memory of their kind for each vCPU": (row) => {
      const [least, most] = range[row.kind] ?? [];
      if (least === undefined || most === undefined) return /-(ultra|mega|hyper)mem-/.test(row.name);
      return unusual.includes(row.name) || (gibPerVcpu(row) >= least && gibPerVcpu(row) <= most);
    },
    "have more memory with more vCPUs of one kind, in much the same proportion": (row) =>
      cpus
        .filter(({ family, kind }) => family === row.family && kind === row.kind)
        .every(
          (other) =>
            (row.vcpus >= other.vcpus || row.memoryMib < other.memoryMib) && gibPerVcpu(row) / gibPerVcpu(other) < 1.6,
        ),
    "have no name of a GPU without one": ({ acceleratorType }) => acceleratorType === undefined,
  });
  itHolds(gpus, {
    "have NVIDIA GPUs under a name that says the model": ({ acceleratorType = "", accelerator }) =>
      accelerator?.kind === "nvidia" &&
      acceleratorType.startsWith("nvidia-") &&
      acceleratorType.includes(accelerator.model.toLowerCase().replaceAll(" ", "-")),
    "have GPUs in a number that is sold": ({ accelerator }) => [1, 2, 4, 8, 16].includes(accelerator?.count ?? 0),
    "have 4 GiB for each vCPU of G2": (row) => row.family !== "g2" || gibPerVcpu(row) === 4,
  });

  it("have as much memory and as many vCPUs for each GPU of a series, but for its largest sizes", () => {
    for (const { types } of gpuSeries.filter(({ model }) => model !== "L4"))
      for (const [name, [vcpus, gib, count]] of Object.entries(types)) {
        const [first = [0, 0, 1]] = Object.values(types);
        assert.equal(gib / count, first[1] / first[2], name);
        if (name !== "a2-megagpu-16g") assert.equal(vcpus / count, first[0] / first[2], name);
      }
  });

  it("have Tier_1 from this size of a family on", () => {
    const smallest = (family: string) =>
      Math.min(...all.filter((row) => row.tier1 && row.family === family).map(({ vcpus }) => vcpus));
    const families = [...new Set(all.filter(({ tier1 }) => tier1).map(({ family }) => family))].sort();
    assert.deepEqual(Object.fromEntries(families.map((family) => [family, smallest(family)])), {
      c2: 30,
      c2d: 32,
      c3: 44,
      c3d: 30,
      c4: 48,
      c4a: 32,
      c4d: 48,
      m3: 64,
      n2: 32,
      n2d: 48,
      z3: 44,
    });
  });

  it("have compact placement in all families with a fast network but C4, and in few others", () => {
    const compact = new Set(all.filter((row) => row.compactPlacement).map(({ family }) => family));
    assert.deepEqual([...compact].sort(), "a2 a3 a4 a4x c2 c2d c3 c3d c4a c4d c4n g2 g4 h3 h4d n2 n2d".split(" "));
  });

  it("are no others", () => {
    for (const name of [
      "",
      "c2d",
      "c2d-standard",
      "c2d-standard-111",
      "c2d-standard-0112",
      "c2d-standard-*",
      "C2D-standard-112",
      "c3-highcpu-88-lssd",
      "c3d-standard-4-lssd",
      "n2-custom-8-16384",
      "e2-medium",
      "g4-standard-6",
      "toString",
    ])
      assert.equal(isListed(name), false, name);
  });
});

describe("the network labels of nodes of GKE", () => {
  const all = ["block", "subblock", "host"].map((part) => `cloud.google.com/gce-topology-${part}`);
  it("are those of machines in a placement, and of the families with a known place", () => {
    for (const placed of [
      { machineType: "c2d-standard-112", placement: "compact" as const },
      { machineType: "h4d-standard-192" },
      { machineType: "a3-megagpu-8g" },
      { machineType: "a4x-highgpu-4g" },
    ])
      assert.deepEqual(networkLabelsOf(placed), all, placed.machineType);
  });
  it("are none on other machines, and unknown on machines that are not listed", () => {
    for (const machineType of ["c2d-standard-112", "a3-highgpu-4g"])
      assert.deepEqual(networkLabelsOf({ machineType }), [], machineType);
    assert.equal(networkLabelsOf({ machineType: "x1-standard-8" }), undefined);
  });
});
