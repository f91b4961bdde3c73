import * as assert from "node:assert/strict";
import type { EksNodePoolArgs } from "../../../../provider";
import { eksMachineTypes } from "../../../../provider/nodepools/eks/machineTypes";
import { anEfaPool, anEksPool, anEksPoolArgs, m99 } from "./fixtures";

type Args = Partial<EksNodePoolArgs>;

describe("the spec of an EksNodePool", () => {
  it("has these defaults", () => {
    const { machine, scheduling, sizing, ...spec } = anEksPool();
    assert.deepEqual(spec, {
      ...anEksPoolArgs(),
      name: "hpc",
      ...{ zones: [], labels: {}, taints: [], tags: {}, securityGroupIds: [], staticCpu: false },
      ...{ fabric: "none", efaLayout: "combined", placement: "none", capacity: "onDemand", os: "al2023" },
      ...{ diskGib: 150, diskType: "gp3", efaSecurityGroup: false, devicePlugins: [] },
    });
    assert.deepEqual([machine, scheduling.pool, sizing.initial], [eksMachineTypes["m7i.large"], "hpc", 2]);
  });

  const settled: [name: string, args: Args, want: Args][] = [
    ["EFA for CPUs", {}, { placement: "cluster", efaSecurityGroup: true, os: "bottlerocket" }],
    ["EFA for accelerators", { machineTypes: ["p5.48xlarge"] }, { os: "al2023" }],
    ["EFA on spot machines", { machineTypes: ["p4d.24xlarge"], capacity: "spot" }, { placement: "none" }],
    ["no security group", { efaSecurityGroup: false }, { efaSecurityGroup: false }],
    ["another system", { os: "al2023" }, { os: "al2023" }],
  ];
  for (const [name, args, want] of settled)
    it(`settles ${name}`, () => {
      const spec = anEfaPool("hpc7g.16xlarge", args);
      for (const key of Object.keys(want) as (keyof Args & keyof typeof spec)[])
        assert.equal(spec[key], want[key], key);
    });

  const gpus = { machineTypes: ["p4d.24xlarge"] };
  const withEfa: Args = { ...gpus, fabric: "efa", zones: ["us-east-1a"] };
  const plugins: [name: string, args: Args, want: string[]][] = [
    ["GPUs", gpus, ["nvidia"]],
    ["GPUs and EFA", withEfa, ["nvidia", "efa"]],
    ["Bottlerocket, which has that of NVIDIA", { ...withEfa, os: "bottlerocket" }, ["efa"]],
    ["GPUs and EFA with one skipped", { ...withEfa, nvidiaPlugin: { skip: true } }, ["efa"]],
    ["GPUs and EFA with the other skipped", { ...withEfa, efaPlugin: { skip: true } }, ["nvidia"]],
    ["Neuron devices and EFA", { ...withEfa, machineTypes: ["trn1.32xlarge"] }, ["efa"]],
  ];
  for (const [name, args, want] of plugins)
    it(`has the device plugins for ${name}`, () =>
      assert.deepEqual(
        anEksPool(args).devicePlugins.map(({ kind }) => kind),
        want,
      ));

  it("has the least memory of several types", () => {
    const memoryOf = (...machineTypes: string[]) => anEksPool({ machineTypes }).scheduling.node.memoryMib;
    assert.equal(memoryOf("m7i.16xlarge", "c6i.16xlarge"), 131_072);
    assert.equal(memoryOf("c6i.16xlarge", "m7i.16xlarge"), 131_072);
  });

  it("has the machine that the user describes, with EFA on its first card if all cards have it", () => {
    const { machine } = anEfaPool("m99.large", { hardware: { ...m99, efaInterfaces: 2, networkCards: 2 } });
    assert.deepEqual(machine, {
      ...{ ...m99, networkCards: 2, efaInterfaces: 2, efaOnCard0: true, oneInterfacePerCard: false },
      ...{ spot: true, capacityBlocks: true, hasDriver: true },
    });
    const fewer = anEfaPool("m99.large", { hardware: { ...m99, efaInterfaces: 16, networkCards: 17 } });
    assert.equal(fewer.machine.efaOnCard0, false);
  });
});

describe("the scheduling of an EksNodePool", () => {
  it("is this for p5 with EFA that grows with its cluster", () =>
    assert.deepEqual(
      anEfaPool("p5.48xlarge", { pairedWith: { size: 2, maxSize: 4 }, staticCpu: true, threadsPerCore: 1 }).scheduling,
      {
        ...{ pool: "hpc", nodeSelector: { "minicluster/pool": "hpc" }, taints: [], maxNodes: 4 },
        node: {
          ...{ arch: "amd64", vcpus: 96, cores: 96, memoryMib: 2_097_152 },
          ...{ gpus: 8, gpuModel: "H100", fabric: "efa", fabricInterfaces: 32 },
        },
        resources: { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "5120Mi" },
        environment: { FI_PROVIDER: "efa", FI_EFA_FORK_SAFE: "1" },
        ...{ annotations: {}, hostPaths: {}, lockMemory: false, staticCpu: true },
      },
    ));

  it("has the huge pages of the CPUs that a small machine has, or keeps with one thread per core", () => {
    const pages = (threadsPerCore?: number) =>
      anEfaPool("p5.4xlarge", { threadsPerCore }).scheduling.resources?.["hugepages-2Mi"];
    assert.deepEqual([pages(), pages(2), pages(1)], ["3522Mi", "3522Mi", "1762Mi"]);
  });
});
