import * as assert from "node:assert/strict";
import type { GetInstanceTypeResult } from "@pulumi/aws/ec2/getInstanceType";
import * as pulumi from "@pulumi/pulumi";
import { type EksNodePoolHardwareArgs, lookupEksMachine } from "../../../../provider";
import { hardwareFrom } from "../../../../provider/nodepools/eks/instanceType";
import { learnEksMachine } from "../../../../provider/nodepools/eks/machine";
import { eksMachines } from "../../../../provider/nodepools/eks/machines";
import { mockEngine } from "../../../support/mocks";
import { anEfaPool, anEksPool, without } from "./fixtures";

type Facts = Pick<
  GetInstanceTypeResult,
  | ("supportedArchitectures" | "defaultVcpus" | "defaultThreadsPerCore" | "memorySize")
  | ("gpuses" | "neuronDevices" | "maximumNetworkCards" | "efaSupported" | "efaMaximumInterfaces")
>;

/** The part of an answer of EC2 that is read, as the provider types it. */
function answer(facts: Partial<Facts>): GetInstanceTypeResult {
  const plain: Facts = {
    ...{ supportedArchitectures: ["x86_64"], defaultVcpus: 8, defaultThreadsPerCore: 2, memorySize: 32_768 },
    ...{ gpuses: [], neuronDevices: [], maximumNetworkCards: 1, efaSupported: false, efaMaximumInterfaces: 0 },
    ...facts,
  };
  return plain as GetInstanceTypeResult;
}

const plain = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 32_768, networkCards: 1, efaInterfaces: 0 };
const gpu = { manufacturer: "NVIDIA", name: "H100", count: 8, memorySize: 81_920 };
const device = { name: "Trainium3", count: 16, coreCount: 8, coreVersion: 4, memorySize: 147_456 };

const cases: [name: string, facts: Partial<Facts>, want: object][] = [
  ["a plain machine", {}, plain],
  [
    "an ARM machine",
    { supportedArchitectures: ["arm64"], defaultThreadsPerCore: 1 },
    { ...plain, arch: "arm64", threadsPerCore: 1 },
  ],
  ["an older machine that knows two architectures", { supportedArchitectures: ["i386", "x86_64"] }, plain],
  ["NVIDIA GPUs", { gpuses: [gpu] }, { ...plain, accelerator: { kind: "nvidia", model: "H100", count: 8 } }],
  [
    "AMD GPUs",
    { gpuses: [{ ...gpu, manufacturer: "AMD", name: "Radeon Pro V520", count: 4 }] },
    { ...plain, accelerator: { kind: "amd", model: "Radeon Pro V520", count: 4 } },
  ],
  [
    "accelerators among the GPUs that Kubernetes counts in no way",
    { gpuses: [{ ...gpu, manufacturer: "Habana" }] },
    plain,
  ],
  [
    "Neuron devices",
    { neuronDevices: [device] },
    { ...plain, accelerator: { kind: "neuron", model: "Trainium3", count: 16 } },
  ],
  [
    "EFA",
    { efaSupported: true, efaMaximumInterfaces: 16, maximumNetworkCards: 17 },
    { ...plain, networkCards: 17, efaInterfaces: 16 },
  ],
  ["a number of EFA interfaces where there is no EFA", { efaMaximumInterfaces: 1 }, plain],
  ["no network cards, as for old types", { maximumNetworkCards: 0 }, plain],
];

describe("what EC2 says of an instance type", () => {
  for (const [name, facts, want] of cases)
    it(`is understood for ${name}`, () => assert.deepEqual(hardwareFrom(answer(facts)), want));

  it("is what the table says, where the table knows the type", () => {
    const known = eksMachines["p5.48xlarge"] ?? assert.fail();
    const facts = {
      ...{ defaultVcpus: 192, memorySize: 2_097_152, gpuses: [gpu] },
      ...{ maximumNetworkCards: 32, efaSupported: true, efaMaximumInterfaces: 32 },
    };
    const asGiven = without(known, "efaOnCard0", "oneInterfacePerCard", "spot", "capacityBlocks", "hasDriver");
    assert.deepEqual(hardwareFrom(answer(facts)), asGiven);
  });

  it("is asked of the provider's own data source, by type", async () => {
    const asked: unknown[] = [];
    const getInstanceType = (inputs: object) => {
      asked.push(inputs);
      return answer({ supportedArchitectures: ["arm64"] });
    };
    await mockEngine({ answers: { "aws:ec2/getInstanceType:getInstanceType": getInstanceType } });
    assert.deepEqual(await lookupEksMachine("m99g.large"), { ...plain, arch: "arm64" });
    assert.deepEqual(asked, [{ instanceType: "m99g.large" }]);
  });

  it("is asked by a provider that the caller names", async () => {
    const none = { "aws:ec2/getInstanceType:getInstanceType": () => answer({}) };
    await mockEngine({ answers: none });
    const { getMonitor } = pulumi.runtime;
    const providers: string[] = [];
    const monitor = getMonitor() as unknown as {
      invoke: (request: { getProvider(): string }, ...rest: unknown[]) => unknown;
    };
    const { invoke } = monitor;
    monitor.invoke = function (request, ...rest) {
      providers.push(request.getProvider());
      return invoke.call(this, request, ...rest);
    };
    const provider = new (class extends pulumi.ProviderResource {})("aws", "other", {});
    await lookupEksMachine("m99.large", { provider });
    assert.match(providers.join(), /::pulumi:providers:aws::other::/);
  });
});

describe("a machine that the user describes", () => {
  const hardware: EksNodePoolHardwareArgs = { arch: "arm64", vcpus: 96, threadsPerCore: 1, memoryMib: 196_608 };

  it("is what every node of the pool has", () => {
    const { machine, scheduling } = anEksPool({ machineTypes: ["m99g.24xlarge"], hardware });
    const interfaces = { networkCards: 1, efaInterfaces: 0, efaOnCard0: false, oneInterfacePerCard: false };
    assert.deepEqual(machine, { ...hardware, ...interfaces, spot: true, capacityBlocks: true, hasDriver: true });
    const node = { arch: "arm64", cores: 96, vcpus: 96, memoryMib: 196_608, gpus: 0, fabricInterfaces: 0 };
    assert.deepEqual(scheduling.node, node);
  });

  const cards: [efaInterfaces: number, networkCards: number, efaOnCard0: boolean][] = [
    [2, 2, true],
    [16, 17, false],
  ];
  for (const [efaInterfaces, networkCards, efaOnCard0] of cards)
    it(`has EFA on the first of ${networkCards} cards: ${efaOnCard0}, with ${efaInterfaces} interfaces`, () => {
      const given = { ...hardware, efaInterfaces, networkCards };
      const { machine } = anEfaPool("m99g.24xlarge", { hardware: given });
      assert.deepEqual([machine.efaOnCard0, machine.efaInterfaces], [efaOnCard0, efaInterfaces]);
    });

  it("counts more than what EC2 has said of the type in this process", () => {
    learnEksMachine("m97g.large", { ...hardware, vcpus: 2 });
    assert.equal(anEksPool({ machineTypes: ["m97g.large"] }).machine.vcpus, 2);
    assert.equal(anEksPool({ machineTypes: ["m97g.large"], hardware }).machine.vcpus, 96);
  });

  it("is not asked for where the package knows the type, whatever EC2 says", () => {
    learnEksMachine("m7i.large", hardware);
    assert.deepEqual(anEksPool().machine, eksMachines["m7i.large"]);
  });
});
