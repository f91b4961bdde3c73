import * as assert from "node:assert/strict";
import type { EksNodePoolArgs } from "../../../../provider";
import { anEfaPoolArgs, anEksPoolArgs, eksProblemsOf } from "./fixtures";

const problemsOf = (args: unknown) =>
  eksProblemsOf(args).map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`);

interface Case {
  rule: string;
  args: EksNodePoolArgs;
  says: string[];
}

const zones = ["us-east-1a"];
const spotless = 'is not sold as spot capacity; use "onDemand" or "reservation"';
const blockless = 'is not sold in capacity blocks; use "onDemand" or "reservation"';
const hardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMiB: 32_768 } as const;

/** Arguments of a pool of types that are not alike. */
const different = (machineTypes: string[], says: string): Case => ({
  rule: `types that differ in ${says}`,
  args: anEksPoolArgs({ machineTypes }),
  says: [`machineTypes[1]: ${machineTypes[1]} and ${machineTypes[0]} differ in ${says}; give them pools of their own`],
});

const aboutMachines: Case[] = [
  {
    rule: "EFA on a machine without it",
    args: anEfaPoolArgs("m7i.large"),
    says: ["fabric: m7i.large has no EFA; choose another instance type, or remove fabric"],
  },
  {
    rule: "EFA on a described machine without it",
    args: anEfaPoolArgs("m99.large", { hardware }),
    says: ["fabric: m99.large has no EFA; choose another instance type, or remove fabric"],
  },
  {
    rule: "a type that nobody knows",
    args: anEksPoolArgs({ machineTypes: ["m7i.large", "m99.large"] }),
    says: [
      'machineTypes[1]: "m99.large" is no instance type that this package knows; correct it, or say what it has as ' +
        'hardware: await lookupEksMachine("m99.large")',
    ],
  },
  {
    rule: "a type by the name of what every object has",
    args: anEksPoolArgs({ machineTypes: ["constructor"] }),
    says: [
      'machineTypes[0]: "constructor" is no instance type that this package knows; correct it, or say what it has as ' +
        'hardware: await lookupEksMachine("constructor")',
    ],
  },
  {
    rule: "an architecture that the machine does not have",
    args: anEksPoolArgs({ machineTypes: ["hpc7g.16xlarge"], arch: "amd64" }),
    says: ["arch: hpc7g.16xlarge is arm64, not amd64; correct arch or leave it out"],
  },
  {
    rule: "spot machines of HPC types",
    args: anEksPoolArgs({ machineTypes: ["hpc7a.96xlarge"], capacity: "spot" }),
    says: [`capacity: hpc7a.96xlarge ${spotless}`],
  },
  {
    rule: "capacity blocks of other types",
    args: anEksPoolArgs({ machineTypes: ["g5.48xlarge"], capacity: "capacityBlock", reservationId: "cr-1" }),
    says: [`capacity: g5.48xlarge ${blockless}`],
  },
  {
    rule: "two threads on a core that has one",
    args: anEksPoolArgs({ machineTypes: ["c7g.16xlarge"], threadsPerCore: 2 }),
    says: ["threadsPerCore: a core of c7g.16xlarge has one thread; leave it out"],
  },
  {
    rule: "one thread on the cores of a whole machine",
    args: anEksPoolArgs({ machineTypes: ["m7i.metal-24xl"], threadsPerCore: 1 }),
    says: ["threadsPerCore: m7i.metal-24xl is a whole machine, of which EC2 changes nothing; use a virtual size"],
  },
  {
    rule: "Bottlerocket for accelerators that it does not drive",
    args: anEksPoolArgs({ machineTypes: ["trn1.32xlarge"], os: "bottlerocket" }),
    says: ['os: AWS has no bottlerocket image for the Trainium of trn1.32xlarge on amd64; use "al2023"'],
  },
  {
    rule: "GPUs that no image of EKS has a driver for",
    args: anEksPoolArgs({ machineTypes: ["g7.12xlarge"] }),
    says: [
      "machineTypes: the images of EKS have no driver for the RTX PRO 4500 of g7.12xlarge; choose another instance type",
    ],
  },
  {
    rule: "accelerators that no system drives",
    args: anEksPoolArgs({
      machineTypes: ["g4ad.xlarge"],
      hardware: { ...hardware, accelerator: { kind: "amd", model: "Radeon", count: 1 } },
    }),
    says: ["os: AWS has no al2023 image for the Radeon of g4ad.xlarge on amd64; choose another instance type"],
  },
  {
    rule: "more EFA interfaces than network cards on a described machine",
    args: anEfaPoolArgs("m99.large", { hardware: { ...hardware, networkCards: 2, efaInterfaces: 3 } }),
    says: ["hardware.efaInterfaces: 3 EFA interfaces do not fit on 2 network cards; correct one of the two"],
  },
  {
    rule: "EFA interfaces without a word on network cards, of which there is one",
    args: anEksPoolArgs({ machineTypes: ["m99.large"], hardware: { ...hardware, efaInterfaces: 2 } }),
    says: ["hardware.efaInterfaces: 2 EFA interfaces do not fit on 1 network cards; correct one of the two"],
  },
  {
    rule: "half a core on a described machine",
    args: anEksPoolArgs({ machineTypes: ["m99.large"], hardware: { ...hardware, vcpus: 7 } }),
    says: ["hardware.vcpus: 7 do not make whole cores of 2 threads; correct vcpus or threadsPerCore"],
  },
  different(["m7i.large", "m7i.xlarge"], "CPUs"),
  different(["c6i.16xlarge", "c7g.16xlarge"], "architecture, CPUs, EFA"),
  different(["g6.16xlarge", "g5.16xlarge"], "accelerators"),
  different(["g6.48xlarge", "g6e.48xlarge"], "EFA, accelerators"),
];

const aboutPlaces: Case[] = [
  {
    rule: "EFA in two zones",
    args: anEfaPoolArgs("hpc7g.16xlarge", { zones: ["us-east-1a", "us-east-1b"] }),
    says: ["zones: EFA does not leave an availability zone, and these are 2; name exactly one"],
  },
  {
    rule: "EFA in no zone",
    args: anEfaPoolArgs("hpc7g.16xlarge", { zones: undefined }),
    says: ["zones: EFA does not leave an availability zone, and there is none here; name exactly one"],
  },
  {
    rule: "EFA in no zone, said so",
    args: anEfaPoolArgs("hpc7g.16xlarge", { zones: [], placement: "none" }),
    says: ["zones: EFA does not leave an availability zone, and there is none here; name exactly one"],
  },
  {
    rule: "a placement group in two zones",
    args: anEksPoolArgs({ placement: "cluster", zones: ["us-east-1a", "us-east-1b"] }),
    says: ["zones: a cluster placement group lies in one availability zone, and these are 2; name exactly one"],
  },
  {
    rule: "a placement group in no zone",
    args: anEksPoolArgs({ placement: "cluster" }),
    says: ["zones: a cluster placement group lies in one availability zone, and there is none here; name exactly one"],
  },
  {
    rule: "a placement group with a capacity block",
    args: anEfaPoolArgs("p5.48xlarge", { capacity: "capacityBlock", reservationId: "cr-1", placement: "cluster" }),
    says: ["placement: a capacity block is placed already, and a group finds no capacity in it; remove placement"],
  },
  {
    rule: "a placement group that is named with a capacity block",
    args: anEfaPoolArgs("p5.48xlarge", {
      ...{ capacity: "capacityBlock", reservationId: "cr-1", placement: "cluster", placementGroupName: "mine" },
    }),
    says: ["placement: a capacity block is placed already, and a group finds no capacity in it; remove placement"],
  },
  {
    rule: "a new placement group with a reservation",
    args: anEfaPoolArgs("p5.48xlarge", { capacity: "reservation", reservationId: "cr-1", placement: "cluster" }),
    says: [
      "placement: a new placement group finds no capacity in a reservation; name the reservation's own group as " +
        "placementGroupName, or remove placement",
    ],
  },
  ...[
    anEksPoolArgs({ placementGroupName: "mine" }),
    anEfaPoolArgs("hpc7g.16xlarge", { placementGroupName: "mine", placement: "none" }),
    anEfaPoolArgs("p5.48xlarge", { placementGroupName: "mine", capacity: "spot" }),
  ].map((args) => ({
    rule: `the name of a placement group where none is used, ${args.fabric ?? "without EFA"}, ${args.capacity ?? "on demand"}`,
    args,
    says: ['placementGroupName: only means something beside placement "cluster"; add it or remove the name'],
  })),
  {
    rule: "a layout of EFA without EFA",
    args: anEksPoolArgs({ efaLayout: "combined" }),
    says: ['efaLayout: only means something beside fabric "efa"; remove it'],
  },
  {
    rule: "a security group for EFA without EFA",
    args: anEksPoolArgs({ efaSecurityGroup: true }),
    says: ['efaSecurityGroup: only means something beside fabric "efa"; remove it'],
  },
  ...(["io1", "io2"] as const).map((diskType) => ({
    rule: `a disk of type ${diskType}`,
    args: anEksPoolArgs({ diskType }),
    says: [`diskType: ${diskType} is sold by operations per second, which this package does not set; use "gp3"`],
  })),
];

const aboutCapacity: Case[] = [
  ...(["reservation", "capacityBlock"] as const).map((capacity) => ({
    rule: `capacity ${capacity} without its id`,
    args: anEfaPoolArgs("p5.48xlarge", { capacity }),
    says: [`reservationId: capacity "${capacity}" needs the id of the reservation; add it`],
  })),
  ...(["onDemand", "spot", undefined] as const).map((capacity) => ({
    rule: `the id of a reservation with capacity ${capacity ?? "by default"}`,
    args: anEksPoolArgs({ capacity, reservationId: "cr-1" }),
    says: ['reservationId: only means something beside capacity "reservation" or "capacityBlock"; remove it'],
  })),
  {
    rule: "a reservation for two types",
    args: anEksPoolArgs({ capacity: "reservation", reservationId: "cr-1", machineTypes: ["m7i.large", "m6i.large"] }),
    says: ["machineTypes: a reservation is for one instance type; keep that one"],
  },
];

const one = "a pool has a fixed size or grows by need; keep size, or autoscale and pairedWith";
const aboutNumbers: Case[] = [
  { rule: "a size beside autoscale", args: anEksPoolArgs({ size: 2, autoscale: { max: 4 } }), says: [`size: ${one}`] },
  { rule: "a size beside pairedWith", args: anEksPoolArgs({ size: 2, pairedWith: {} }), says: [`size: ${one}`] },
  {
    rule: "limits that are the wrong way round",
    args: anEksPoolArgs({ autoscale: { min: 5, max: 4 } }),
    says: ["autoscale.min: min 5 is above max 4; raise max or lower min"],
  },
  {
    rule: "a cluster that is larger than its largest size",
    args: anEksPoolArgs({ pairedWith: { size: 5, maxSize: 4 } }),
    says: ["pairedWith.size: size 5 is above maxSize 4; raise maxSize or lower size"],
  },
  {
    rule: "a pool that is smaller than its cluster may be",
    args: anEksPoolArgs({ autoscale: { max: 3 }, pairedWith: { size: 2, maxSize: 4 } }),
    says: ["autoscale.max: max 3 is below the 4 nodes that the paired cluster may need; raise it"],
  },
];

const aboutNames: Case[] = [
  {
    rule: "the label of this package",
    args: anEksPoolArgs({ labels: { "minicluster/pool": "mine" } }),
    says: ['labels["minicluster/pool"]: is the label of this package; set name'],
  },
  {
    rule: "a taint that stands twice",
    args: anEksPoolArgs({
      taints: [
        { key: "a", value: "1", effect: "NoSchedule" },
        { key: "a", effect: "NoExecute" },
        { key: "a", value: "2", effect: "NoSchedule" },
      ],
    }),
    says: ["taints[2]: a:NoSchedule stands twice; remove one of them"],
  },
];

const groups: [about: string, cases: Case[]][] = [
  ["machines", aboutMachines],
  ["places", aboutPlaces],
  ["capacity", aboutCapacity],
  ["numbers of nodes", aboutNumbers],
  ["labels and taints", aboutNames],
];

for (const [about, cases] of groups)
  describe(`the rules of an EksNodePool about ${about}`, () => {
    for (const { rule, args, says } of cases)
      it(`refuse ${rule}`, () => assert.deepEqual(problemsOf(args).sort(), says.sort()));
  });

describe("the rules of an EksNodePool", () => {
  it("refuse a pool of which nobody says how many nodes it has", () => {
    assert.deepEqual(problemsOf({ ...anEksPoolArgs(), size: undefined }), [
      "size: how many nodes? give size, or autoscale, or the sizes of the MiniCluster as pairedWith: { size, maxSize }",
    ]);
  });

  const accepted: [name: string, args: EksNodePoolArgs][] = [
    ["several zones without EFA and placement group", anEksPoolArgs({ zones: ["us-east-1a", "us-east-1b"] })],
    ["a placement group in one zone", anEksPoolArgs({ placement: "cluster", zones })],
    ["a group that is named where EFA brings one", anEfaPoolArgs("hpc7g.16xlarge", { placementGroupName: "mine" })],
    [
      "the own group of a reservation",
      anEfaPoolArgs("p5.48xlarge", {
        ...{ capacity: "reservation", reservationId: "cr-1", placement: "cluster", placementGroupName: "mine" },
      }),
    ],
    ["the architecture that the machine has", anEksPoolArgs({ machineTypes: ["hpc7g.16xlarge"], arch: "arm64" })],
    ["the threads that a whole machine has", anEksPoolArgs({ machineTypes: ["m7i.metal-24xl"], threadsPerCore: 2 })],
    ["types of different memory", anEksPoolArgs({ machineTypes: ["m7i.16xlarge", "c6i.16xlarge"] })],
    ["spot machines of other types", anEksPoolArgs({ capacity: "spot" })],
    ["a described machine with EFA", anEfaPoolArgs("m99.large", { hardware: { ...hardware, efaInterfaces: 1 } })],
    ["no security group for EFA where there is none", anEksPoolArgs({ efaSecurityGroup: false })],
    ["limits beside the cluster that they are for", anEksPoolArgs({ autoscale: { max: 4 }, pairedWith: { size: 4 } })],
  ];
  for (const [name, args] of accepted) it(`accept ${name}`, () => assert.deepEqual(problemsOf(args), []));
});
