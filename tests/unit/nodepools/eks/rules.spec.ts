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
const hardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 32_768 } as const;

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

const reserved = { machineTypes: ["p5.48xlarge"], reservationId: "cr-1" };

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
    args: anEksPoolArgs({
      ...{ capacity: "reservation", reservationId: "cr-1", zones, machineTypes: ["m7i.large", "m6i.large"] },
    }),
    says: ["machineTypes: a reservation is for one instance type; keep that one"],
  },
  ...(["reservation", "capacityBlock"] as const).flatMap((capacity) => [
    {
      rule: `capacity ${capacity} in no zone`,
      args: anEksPoolArgs({ ...reserved, capacity }),
      says: ["zones: a reservation lies in one availability zone, and there is none here; name exactly one"],
    },
    {
      rule: `capacity ${capacity} in two zones`,
      args: anEksPoolArgs({ ...reserved, capacity, zones: ["us-east-1a", "us-east-1b"] }),
      says: ["zones: a reservation lies in one availability zone, and these are 2; name exactly one"],
    },
  ]),
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
  ...[
    ["kubernetes.io/role", "kubernetes.io"],
    ["node-role.kubernetes.io/hpc", "kubernetes.io"],
    ["node.kubernetes.io/instance-type", "kubernetes.io"],
    ["k8s.io/a", "k8s.io"],
    ["autoscaler.k8s.io/a", "k8s.io"],
    ["eks.amazonaws.com/nodegroup", "eks.amazonaws.com"],
    ["my.eks.amazonaws.com/a", "eks.amazonaws.com"],
  ].map(([label = "", domain]) => ({
    rule: `the label ${label}`,
    args: anEksPoolArgs({ labels: { [label]: "a" } }),
    says: [`labels["${label}"]: EKS takes no labels of ${domain}; choose another prefix`],
  })),
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

  const describedBeside: Partial<EksNodePoolArgs> = {
    machineTypes: ["m7i.large", "m99.large"],
    hardware: { ...hardware, vcpus: 2 },
  };
  const block = { capacity: "capacityBlock" } as const;
  const likeReserved = {
    ...{ "k8s.amazonaws.com/accelerator": "mine", "mykubernetes.io/a": "b", "kubernetes.io.org/a": "b", "k8s.io": "b" },
    ...{ "amazonaws.com/a": "b", "cloud.google.com/kubernetes.io": "b" },
  };
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
    ["a described machine beside one that is known", anEksPoolArgs(describedBeside)],
    ["what it takes no plugin for, without a word on plugins", anEksPoolArgs({ machineTypes: ["trn1.32xlarge"] })],
    [
      "plugins beside their devices",
      anEfaPoolArgs("p5.48xlarge", { nvidiaPlugin: { skip: true }, efaPlugin: { skip: true } }),
    ],
    ["a reservation in one zone", anEksPoolArgs({ ...reserved, capacity: "reservation", zones })],
    ["a capacity block in the only subnet", anEksPoolArgs({ ...reserved, ...block, subnetIds: ["subnet-a"] })],
    ["labels that only look reserved", anEksPoolArgs({ labels: likeReserved })],
    ["no security group for EFA where there is none", anEksPoolArgs({ efaSecurityGroup: false })],
    ["limits beside the cluster that they are for", anEksPoolArgs({ autoscale: { max: 4 }, pairedWith: { size: 4 } })],
  ];
  for (const [name, args] of accepted) it(`accept ${name}`, () => assert.deepEqual(problemsOf(args), []));
});
