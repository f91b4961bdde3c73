import * as assert from "node:assert/strict";
import type { EksNodePoolArgs, NodePoolScheduling } from "../../../../provider";
import { anEfaPool, anEksPool, anEksPoolArgs, without } from "./fixtures";

describe("the defaults of an EksNodePool", () => {
  it("are these for a plain pool", () => {
    assert.deepEqual(without(anEksPool(), "machine", "scheduling", "sizing"), {
      ...anEksPoolArgs(),
      name: "hpc",
      ...{ zones: [], labels: {}, taints: [], tags: {}, securityGroupIds: [], staticCpu: false },
      ...{ fabric: "none", efaLayout: "combined", placement: "none", capacity: "onDemand", os: "al2023" },
      ...{ diskGib: 150, diskType: "gp3", efaSecurityGroup: false, devicePlugins: [] },
      ...{ nvidiaPlugin: { skip: false }, efaPlugin: { skip: false } },
    });
  });

  it("are a placement group and a security group of its own with EFA", () => {
    const { placement, efaSecurityGroup } = anEfaPool("hpc7g.16xlarge");
    assert.deepEqual([placement, efaSecurityGroup], ["cluster", true]);
  });

  it("leave a security group out that is not wanted", () =>
    assert.equal(anEfaPool("hpc7g.16xlarge", { efaSecurityGroup: false }).efaSecurityGroup, false));

  const systems: [type: string, hasEfa: boolean, os: string][] = [
    ["hpc7g.16xlarge", true, "bottlerocket"],
    ["hpc7g.16xlarge", false, "al2023"],
    ["p5.48xlarge", true, "al2023"],
    ["trn1.32xlarge", true, "al2023"],
  ];
  for (const [type, hasEfa, os] of systems)
    it(`are ${os} for ${type} ${hasEfa ? "with" : "without"} EFA`, () =>
      assert.equal((hasEfa ? anEfaPool(type) : anEksPool({ machineTypes: [type] })).os, os));

  it("take the name that is given", () => assert.equal(anEksPool({ name: "fast" }).scheduling.pool, "fast"));
});

describe("the device plugins of an EksNodePool", () => {
  const kinds = (args: Partial<EksNodePoolArgs>) => anEksPool(args).devicePlugins.map(({ kind }) => kind);
  const gpus = { machineTypes: ["p4d.24xlarge"] };
  const withEfa: Partial<EksNodePoolArgs> = { ...gpus, fabric: "efa", zones: ["us-east-1a"] };
  const neuron = { ...withEfa, machineTypes: ["trn1.32xlarge"] };

  const cases: [name: string, args: Partial<EksNodePoolArgs>, want: string[]][] = [
    ["none for CPUs", {}, []],
    ["that of NVIDIA for its GPUs", gpus, ["nvidia"]],
    ["both for GPUs and EFA", withEfa, ["nvidia", "efa"]],
    ["none of NVIDIA on Bottlerocket, which brings it", { ...withEfa, os: "bottlerocket" }, ["efa"]],
    ["none of NVIDIA where it is left out", { ...withEfa, nvidiaPlugin: { skip: true } }, ["efa"]],
    ["none of EFA where it is left out", { ...withEfa, efaPlugin: { skip: true } }, ["nvidia"]],
    ["that of EFA alone for Neuron devices", neuron, ["efa"]],
  ];
  for (const [name, args, want] of cases) it(`are ${name}`, () => assert.deepEqual(kinds(args), want));

  it("come from the images that are given", () => {
    const [nvidiaPlugin, efaPlugin] = [{ image: "mine/nvidia" }, { image: "mine/efa" }];
    assert.deepEqual(anEksPool({ ...withEfa, nvidiaPlugin, efaPlugin }).devicePlugins, [
      { kind: "nvidia", image: "mine/nvidia" },
      { kind: "efa", image: "mine/efa" },
    ]);
  });
});

describe("the scheduling of an EksNodePool", () => {
  const none = { annotations: {}, hostPaths: {}, lockMemory: false, staticCpu: false };
  const environment = { FI_PROVIDER: "efa", FI_EFA_FORK_SAFE: "1" };

  const cases: [name: string, pool: NodePoolScheduling, want: NodePoolScheduling][] = [
    [
      "a plain pool",
      anEksPool().scheduling,
      {
        ...{ pool: "hpc", nodeSelector: { "minicluster/pool": "hpc" }, taints: [], nodes: 2, maxNodes: 2 },
        node: { arch: "amd64", vcpus: 2, cores: 1, memoryMib: 8192, gpus: 0, fabricInterfaces: 0 },
        ...{ resources: {}, environment: {}, ...none },
      },
    ],
    [
      "p5 with EFA that grows with its cluster",
      anEfaPool("p5.48xlarge", { pairedWith: { size: 2, maxSize: 4 }, staticCpu: true, threadsPerCore: 1 }).scheduling,
      {
        ...{ pool: "hpc", nodeSelector: { "minicluster/pool": "hpc" }, taints: [], maxNodes: 4 },
        node: {
          ...{ arch: "amd64", vcpus: 96, cores: 96, memoryMib: 2_097_152 },
          ...{ gpus: 8, gpuModel: "H100", fabric: "efa", fabricInterfaces: 32 },
        },
        resources: { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "5120Mi" },
        ...{ environment, ...none, staticCpu: true },
      },
    ],
    [
      "a small machine, which has fewer huge pages, with taints",
      anEfaPool("hpc7g.4xlarge", { taints: [{ key: "hpc", effect: "NoSchedule" }] }).scheduling,
      {
        ...{ pool: "hpc", nodeSelector: { "minicluster/pool": "hpc" }, nodes: 2, maxNodes: 2 },
        taints: [{ key: "hpc", effect: "NoSchedule" }],
        node: { arch: "arm64", vcpus: 16, cores: 16, memoryMib: 131_072, gpus: 0, fabric: "efa", fabricInterfaces: 1 },
        resources: { "vpc.amazonaws.com/efa": "1", "hugepages-2Mi": "3522Mi" },
        ...{ environment, ...none },
      },
    ],
  ];
  for (const [name, scheduling, want] of cases) it(`is this for ${name}`, () => assert.deepEqual(scheduling, want));

  it("has the huge pages of the CPUs that are left where threads are turned off", () => {
    const pages = (threadsPerCore?: number) =>
      anEfaPool("p5.4xlarge", { threadsPerCore }).scheduling.resources?.["hugepages-2Mi"];
    assert.deepEqual([pages(), pages(2), pages(1)], ["3522Mi", "3522Mi", "1762Mi"]);
  });

  it("has the memory of the smallest of several types", () => {
    const memoryOf = (...machineTypes: string[]) => anEksPool({ machineTypes }).scheduling.node.memoryMib;
    assert.equal(memoryOf("m7i.16xlarge", "c6i.16xlarge"), 131_072);
    assert.equal(memoryOf("c6i.16xlarge", "m7i.16xlarge"), 131_072);
  });
});
