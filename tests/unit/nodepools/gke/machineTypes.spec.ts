import assert from "node:assert/strict";
import { NodePoolAcceleratorKind } from "../../../../provider/nodepools/machine";
import { type GkeMachine, gkeMachine } from "../../../../provider/nodepools/gke/machines";

const known = (type: string): GkeMachine => {
  const machine = gkeMachine(type);
  assert.ok(machine, `${type} is not in the table`);
  return machine;
};

const gib = (count: number) => count * 1024;

describe("GKE machine types", () => {
  it("knows the machine of the performance study in full", () => {
    assert.deepEqual(known("c2d-standard-112"), {
      family: "c2d",
      arch: "amd64",
      vcpus: 112,
      threadsPerCore: 2,
      memoryMib: gib(448),
      tier1: true,
      compactPlacement: true,
    });
  });

  it("knows a machine with GPUs and RDMA in full", () => {
    assert.deepEqual(known("a3-ultragpu-8g"), {
      family: "a3",
      arch: "amd64",
      vcpus: 224,
      threadsPerCore: 2,
      memoryMib: gib(2952),
      tier1: false,
      compactPlacement: true,
      rdma: { nics: 8, profile: "vpc-roce" },
      acceleratorType: "nvidia-h200-141gb",
      accelerator: { kind: NodePoolAcceleratorKind.Nvidia, model: "H200", count: 8 },
    });
  });

  const sizes: [type: string, arch: string, cores: number, vcpus: number, memoryMib: number][] = [
    ["e2-standard-32", "amd64", 16, 32, gib(128)],
    ["n1-highcpu-96", "amd64", 48, 96, 88473],
    ["n1-standard-2", "amd64", 1, 2, 7680],
    ["n2-highmem-128", "amd64", 64, 128, gib(864)],
    ["n2d-standard-224", "amd64", 112, 224, gib(896)],
    ["n4-highcpu-80", "amd64", 40, 80, gib(160)],
    ["n4a-standard-64", "arm64", 64, 64, gib(256)],
    ["t2a-standard-48", "arm64", 48, 48, gib(192)],
    ["t2d-standard-60", "amd64", 60, 60, gib(240)],
    ["c2-standard-60", "amd64", 30, 60, gib(240)],
    ["c2d-standard-112", "amd64", 56, 112, gib(448)],
    ["c3-standard-176-lssd", "amd64", 88, 176, gib(704)],
    ["c3d-highcpu-90", "amd64", 45, 90, gib(177)],
    ["c3d-standard-360", "amd64", 180, 360, gib(1440)],
    ["c4-standard-2", "amd64", 1, 2, gib(7)],
    ["c4-highmem-288", "amd64", 144, 288, gib(2232)],
    ["c4a-standard-72", "arm64", 72, 72, gib(288)],
    ["c4d-highcpu-4", "amd64", 2, 4, gib(7)],
    ["c4d-standard-384-lssd", "amd64", 192, 384, gib(1488)],
    ["h3-standard-88", "amd64", 88, 88, gib(352)],
    ["h4d-highmem-192-lssd", "amd64", 192, 192, gib(1488)],
    ["m1-megamem-96", "amd64", 48, 96, 1468006],
    ["m2-ultramem-416", "amd64", 208, 416, gib(11776)],
    ["z3-highmem-14-standardlssd", "amd64", 7, 14, gib(112)],
    ["a4x-highgpu-4g", "arm64", 140, 140, gib(884)],
  ];
  for (const [type, arch, cores, vcpus, memoryMib] of sizes) {
    it(`gives ${type} its ${String(cores)} cores and its memory`, () => {
      const machine = known(type);
      const found = { arch: machine.arch, cores: machine.vcpus / machine.threadsPerCore, vcpus: machine.vcpus };
      assert.deepEqual({ ...found, memoryMib: machine.memoryMib }, { arch, cores, vcpus, memoryMib });
    });
  }

  const unknown = [
    "",
    "c2d",
    "c2d-standard",
    "c2d-standard-111",
    "c2d-standard-0112",
    "c2d-standard-112-lssd",
    "c2d-standard-*",
    "C2D-standard-112",
    " c2d-standard-112",
    "c2-highmem-60",
    "c3-highcpu-88-lssd",
    "c3-standard-192-metal",
    "c3d-standard-4-lssd",
    "n2-highcpu-128",
    "n2-custom-8-16384",
    "n2d-highmem-128",
    "h3-standard-44",
    "z3-highmem-8",
    "e2-medium",
    "a3-highgpu-16g",
    "a3-ultragpu-4g",
    "g4-standard-6",
    "p5.48xlarge",
    "toString",
    "__proto__",
  ];
  for (const type of unknown) {
    it(`does not know ${JSON.stringify(type)}`, () => {
      assert.equal(gkeMachine(type), undefined);
    });
  }
});

describe("The network of a GKE machine type", () => {
  const tier1Smallest = [
    { family: "n2", without: "n2-standard-16", smallest: "n2-standard-32" },
    { family: "n2d", without: "n2d-standard-32", smallest: "n2d-standard-48" },
    { family: "c2", without: "c2-standard-16", smallest: "c2-standard-30" },
    { family: "c2d", without: "c2d-standard-16", smallest: "c2d-standard-32" },
    { family: "c3", without: "c3-standard-22", smallest: "c3-standard-44-lssd" },
    { family: "c3d", without: "c3d-standard-16", smallest: "c3d-highmem-30" },
    { family: "c4", without: "c4-standard-32", smallest: "c4-highcpu-48" },
    { family: "c4a", without: "c4a-standard-16", smallest: "c4a-standard-32" },
    { family: "c4d", without: "c4d-standard-32", smallest: "c4d-standard-48" },
    { family: "m3", without: "m3-ultramem-32", smallest: "m3-megamem-64" },
    { family: "z3", without: "z3-highmem-32-highlssd", smallest: "z3-highmem-44-standardlssd" },
  ];
  for (const { family, without, smallest } of tier1Smallest) {
    it(`has TIER_1 in ${family} from ${smallest} up`, () => {
      assert.deepEqual([known(without).tier1, known(smallest).tier1], [false, true]);
    });
  }

  for (const type of ["e2-standard-32", "n1-standard-96", "n4-standard-80", "h3-standard-88", "h4d-standard-192"]) {
    it(`has no TIER_1 on ${type}`, () => {
      assert.equal(known(type).tier1, false);
    });
  }

  const rdma = [
    { type: "a3-ultragpu-8g", rdma: { nics: 8, profile: "vpc-roce" } },
    { type: "a4-highgpu-8g", rdma: { nics: 8, profile: "vpc-roce" } },
    { type: "a4x-highgpu-4g", rdma: { nics: 4, profile: "vpc-roce" } },
    { type: "h4d-highmem-192-lssd", rdma: { nics: 1, profile: "vpc-falcon" } },
    { type: "a3-megagpu-8g", rdma: undefined },
    { type: "h3-standard-88", rdma: undefined },
  ];
  for (const row of rdma) {
    it(`has ${row.rdma ? `RDMA by ${row.rdma.profile}` : "no RDMA"} on ${row.type}`, () => {
      assert.deepEqual(known(row.type).rdma, row.rdma);
    });
  }

  it("has GPUDirect over TCP only on the largest A3 High and on A3 Mega", () => {
    const types = ["a3-highgpu-4g", "a3-highgpu-8g", "a3-megagpu-8g", "a3-ultragpu-8g"];
    assert.deepEqual(
      types.map((type) => known(type).gpuDirect),
      [undefined, "tcpx", "tcpxo", undefined],
    );
  });

  const compact = { "c2-standard-60": true, "c4a-standard-72": true, "g2-standard-96": true, "c4-standard-192": true };
  for (const [type, allowed] of Object.entries({
    ...compact,
    "n1-standard-96": false,
    "z3-highmem-88": false,
    "a4x-highgpu-4g": false,
  })) {
    it(`${allowed ? "allows" : "does not allow"} compact placement of ${type}`, () => {
      assert.equal(known(type).compactPlacement, allowed);
    });
  }
});

describe("The GPUs of a GKE machine type", () => {
  const attached: [type: string, acceleratorType: string, model: string, count: number][] = [
    ["a2-highgpu-8g", "nvidia-tesla-a100", "A100", 8],
    ["a2-megagpu-16g", "nvidia-tesla-a100", "A100", 16],
    ["a2-ultragpu-4g", "nvidia-a100-80gb", "A100", 4],
    ["a3-highgpu-8g", "nvidia-h100-80gb", "H100", 8],
    ["a3-megagpu-8g", "nvidia-h100-mega-80gb", "H100", 8],
    ["a4-highgpu-8g", "nvidia-b200", "B200", 8],
    ["a4x-highgpu-4g", "nvidia-gb200", "GB200", 4],
    ["g2-standard-24", "nvidia-l4", "L4", 2],
    ["g2-standard-32", "nvidia-l4", "L4", 1],
    ["g4-standard-384", "nvidia-rtx-pro-6000", "RTX PRO 6000", 8],
  ];
  for (const [type, acceleratorType, model, count] of attached) {
    it(`are ${String(count)} ${model} in ${type}`, () => {
      const machine = known(type);
      const accelerator = { kind: NodePoolAcceleratorKind.Nvidia, model, count };
      assert.deepEqual([machine.acceleratorType, machine.accelerator], [acceleratorType, accelerator]);
    });
  }

  it("can be added to n1 only, one type at a time and in the counts it is sold in", () => {
    const { accelerator, attachable } = known("n1-standard-32");
    assert.equal(accelerator, undefined);
    assert.deepEqual(attachable?.["nvidia-tesla-v100"], { model: "V100", counts: [1, 2, 4, 8] });
    assert.equal(known("n2-standard-32").attachable, undefined);
  });
});
