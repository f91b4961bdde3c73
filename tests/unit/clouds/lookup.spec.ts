import * as assert from "node:assert/strict";
import type { GetInstanceTypeResult } from "@pulumi/aws/ec2/getInstanceType";
import * as pulumi from "@pulumi/pulumi";
import { lookupEksMachine, lookupGkeMachine } from "../../../provider";
import { eksMachineTypes, recordMachineType } from "../../../provider/clouds/eks/machines";
import { mockEngine, withWarnings } from "../../support/mocks";
import { aGkePoolArgs, anEksPool, gkeProblemsOf, m99 } from "./nodes/fixtures";

type Facts = Partial<GetInstanceTypeResult>;

const answer: Facts = {
  supportedArchitectures: ["i386", "x86_64"],
  defaultVcpus: 8,
  defaultThreadsPerCore: 2,
  memorySize: 32_768,
  gpuses: [],
  neuronDevices: [],
  maximumNetworkCards: 1,
  efaSupported: false,
  efaMaximumInterfaces: 0,
};

/** What a lookup gives where EC2 has these facts, and what EC2 was asked. */
async function askEc2(facts: Facts = {}, options?: pulumi.InvokeOptions) {
  const asked: object[] = [];
  const getInstanceType = (inputs: object) => (asked.push(inputs), { ...answer, ...facts });
  await mockEngine({ answers: { "aws:ec2/getInstanceType:getInstanceType": getInstanceType } });
  return { hardware: await lookupEksMachine("m99.large", options), asked };
}

const plain = { ...m99, networkCards: 1, efaInterfaces: 0 };
const noCard = { baselineBandwidth: 0, index: 0, peakBandwidth: 0, performance: "", maximumInterfaces: 0 };
const gpu = { manufacturer: "NVIDIA", name: "H100", count: 8, memorySize: 81_920 };
const device = { name: "Trainium3", count: 16, coreCount: 8, coreVersion: 4, memorySize: 147_456 };

const accelerated = (kind: string, model: string, count: number) => ({ ...plain, accelerator: { kind, model, count } });
const cards = [2, 1].map((maximumInterfaces, index) => ({ ...noCard, index, maximumInterfaces }));
const made = (manufacturer: string): Facts => ({ gpuses: [{ ...gpu, manufacturer }] });
const efa = { efaSupported: true, efaMaximumInterfaces: 16, maximumNetworkCards: 17 };

const cases: [name: string, facts: Facts, want: object][] = [
  ["a plain machine", {}, plain],
  ["an ARM machine", { supportedArchitectures: ["arm64"] }, { ...plain, arch: "arm64" }],
  ["NVIDIA GPUs", made("NVIDIA"), accelerated("nvidia", "H100", 8)],
  ["AMD GPUs", made("AMD"), accelerated("amd", "H100", 8)],
  ["GPUs that Kubernetes does not count", made("Habana"), plain],
  ["Neuron devices", { neuronDevices: [device] }, accelerated("neuron", "Trainium3", 16)],
  ["EFA", efa, { ...plain, networkCards: 17, efaInterfaces: 16 }],
  [
    "cards of which some take a single interface",
    { networkCards: cards.reverse(), maximumNetworkCards: 2 },
    { ...plain, networkCards: 2, interfacesPerCard: [2, 1] },
  ],
  ["interfaces without EFA", { efaMaximumInterfaces: 1 }, plain],
  ["no network cards, as old types have", { maximumNetworkCards: 0 }, plain],
];

describe("the lookup of an instance type of EC2", () => {
  for (const [name, facts, want] of cases)
    it(`gives the hardware of ${name}`, async () => assert.deepEqual((await askEc2(facts)).hardware, want));

  it("looks up the type in EC2", async () => assert.deepEqual((await askEc2()).asked, [{ instanceType: "m99.large" }]));

  it("uses the provider that the caller names", async () => {
    await askEc2();
    const providers: string[] = [];
    const monitor = pulumi.runtime.getMonitor() as unknown as {
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

describe("an answer of EC2 in this process", () => {
  it("counts less than the user's hardware, and less than the table", () => {
    recordMachineType("m97.large", { ...plain, vcpus: 2 });
    assert.equal(anEksPool({ machineTypes: ["m97.large"] }).machine.vcpus, 2);
    assert.equal(anEksPool({ machineTypes: ["m97.large"], hardware: m99 }).machine.vcpus, 8);
    recordMachineType("m7i.large", plain);
    assert.deepEqual(anEksPool().machine, eksMachineTypes["m7i.large"]);
  });
});

const cores = { arch: "amd64", threadsPerCore: 2 } as const;
const facts = { guestCpus: 8, memoryMb: 32_768, accelerators: [] as object[] };
const models = {
  "nvidia-tesla-t4": "T4",
  "nvidia-a100-80gb": "A100",
  "nvidia-h100-mega-80gb": "H100",
  "nvidia-rtx-pro-6000": "RTX PRO 6000",
};

/** The result of a lookup where Google has two types, and the requests to Google. */
async function askGoogle(type: string, accelerators: object[] = []) {
  const asked: object[] = [];
  const machineTypes = ["x1-standard-8", "x1-standard-80"].map((name) => ({ ...facts, accelerators, name }));
  const answer = (inputs: object) => (asked.push(inputs), { machineTypes });
  await mockEngine({ answers: { "gcp:compute/getMachineTypes:getMachineTypes": answer } });
  const hardware = await lookupGkeMachine(type, { zone: "us-central1-a", project: "p", ...cores });
  return { hardware, asked };
}

describe("the lookup of a GKE machine type", function () {
  this.timeout(20_000);

  it("requests that type alone, and returns the hardware of a pool", async () => {
    const { hardware, asked } = await askGoogle("x1-standard-8");
    assert.deepEqual(asked, [{ filter: 'name = "x1-standard-8"', zone: "us-central1-a", project: "p" }]);
    assert.deepEqual(hardware, { ...cores, vcpus: 8, memoryMib: 32_768 });
    assert.deepEqual(gkeProblemsOf(aGkePoolArgs({ machineType: "x1-standard-8", hardware })), []);
  });

  for (const [type, model] of Object.entries(models))
    it(`calls ${type} ${model}`, async () => {
      const gpu = { guestAcceleratorType: type, guestAcceleratorCount: 4 };
      const { accelerator, acceleratorType } = (await askGoogle("x1-standard-8", [gpu])).hardware ?? {};
      assert.deepEqual([accelerator, acceleratorType], [{ kind: "nvidia", model, count: 4 }, type]);
    });

  it("rejects where Google does not offer the type either", () =>
    assert.rejects(
      askGoogle("x1-standard-9"),
      /us-central1-a has no machine type "x1-standard-9"; correct the type or the zone/,
    ));
});

const zone = { zone: "us-central1-a", ...cores };
const ec2 = { token: "aws:ec2/getInstanceType:getInstanceType", lookUp: lookupEksMachine };
const google = {
  token: "gcp:compute/getMachineTypes:getMachineTypes",
  lookUp: (type: string) => lookupGkeMachine(type, zone),
};

/** What a look-up gives where the cloud answers with an error, the questions, and the warnings. */
function refused({ token, lookUp }: typeof ec2 | typeof google, type: string, message: string) {
  const asked: object[] = [];
  const answer = (inputs: object) => {
    asked.push(inputs);
    throw new Error(message);
  };
  return withWarnings(async (warnings) => {
    await mockEngine({ answers: { [token]: answer } });
    const given = await lookUp(type);
    return { given, asked, warnings: warnings() };
  });
}

describe("the look-up of a machine type without credentials", function () {
  this.timeout(20_000);

  for (const [cloud, type, warning] of [
    [ec2, "m99.large", /instance type m99\.large was not looked up in EC2 \(.*no login.*\); log in .*as hardware/],
    [google, "x1-standard-8", /type x1-standard-8 was not looked up in Compute Engine \(.*no login.*\); log in/],
  ] as const)
    it(`gives nothing, and warns: ${type}`, async () => {
      const { given, warnings } = await refused(cloud, type, "no login");
      assert.deepEqual([given, warnings.length], [undefined, 1]);
      assert.match(warnings.join(), warning);
    });

  it("sends no request for a listed type", async () => {
    for (const [cloud, type] of [
      [ec2, "m7i.large"],
      [google, "c3-standard-8"],
    ] as const)
      assert.deepEqual(await refused(cloud, type, "no login"), { given: undefined, asked: [], warnings: [] });
  });

  it("rejects a type that EC2 does not have in the region", () =>
    assert.rejects(
      refused(ec2, "m99.large", "api error InvalidInstanceType: The supplied instance types do not exist"),
      /EC2 has no instance type "m99.large" in this region; correct the type or the region/,
    ));
});
