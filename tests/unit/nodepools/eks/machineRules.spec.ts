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
const hardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 32_768 } as const;

/** Arguments of a pool of types that are not alike. */
const different = (machineTypes: string[], says: string): Case => ({
  rule: `types that differ in ${says}`,
  args: anEksPoolArgs({ machineTypes }),
  says: [`machineTypes[1]: ${machineTypes[1]} and ${machineTypes[0]} differ in ${says}; give them pools of their own`],
});

const cases: Case[] = [
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
    args: anEksPoolArgs({ machineTypes: ["g5.48xlarge"], capacity: "capacityBlock", reservationId: "cr-1", zones }),
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
  {
    rule: "hardware of a machine that this package knows",
    args: anEksPoolArgs({ hardware }),
    says: [
      "hardware: only means something beside a type that this package does not know, and it knows m7i.large; remove it",
    ],
  },
  {
    rule: "hardware of machines that this package knows",
    args: anEksPoolArgs({ machineTypes: ["m7i.large", "m6i.large"], hardware }),
    says: [
      "hardware: only means something beside a type that this package does not know, and it knows m7i.large and m6i.large; " +
        "remove it",
    ],
  },
  {
    rule: "one hardware for several machines that this package does not know",
    args: anEksPoolArgs({ machineTypes: ["m99.large", "m7i.large", "m98.large"], hardware: { ...hardware, vcpus: 2 } }),
    says: [
      "hardware: describes one instance type, and this package knows none of m99.large, m98.large; give them pools of their own",
    ],
  },
  {
    rule: "words on NVIDIA's plugin without NVIDIA's GPUs",
    args: anEksPoolArgs({ nvidiaPlugin: { skip: true } }),
    says: ["nvidiaPlugin: only means something beside NVIDIA GPUs; remove it"],
  },
  {
    rule: "words on NVIDIA's plugin beside other accelerators",
    args: anEksPoolArgs({ machineTypes: ["trn1.32xlarge"], nvidiaPlugin: { image: "mine" } }),
    says: ["nvidiaPlugin: only means something beside NVIDIA GPUs; remove it"],
  },
  {
    rule: "words on NVIDIA's plugin on a system that brings its own",
    args: anEksPoolArgs({ machineTypes: ["g5.48xlarge"], os: "bottlerocket", nvidiaPlugin: { skip: true } }),
    says: ['nvidiaPlugin: only means something beside os "al2023", for Bottlerocket brings its own; remove it'],
  },
  {
    rule: "words on the plugin of EFA without EFA",
    args: anEksPoolArgs({ efaPlugin: { skip: true } }),
    says: ['efaPlugin: only means something beside fabric "efa"; remove it'],
  },
  different(["m7i.large", "m7i.xlarge"], "CPUs"),
  different(["c6i.16xlarge", "c7g.16xlarge"], "architecture, CPUs, EFA"),
  different(["g6.16xlarge", "g5.16xlarge"], "accelerators"),
  different(["g6.48xlarge", "g6e.48xlarge"], "EFA, accelerators"),
];

describe("the rules of an EksNodePool about machines", () => {
  for (const { rule, args, says } of cases)
    it(`refuse ${rule}`, () => assert.deepEqual(problemsOf(args).sort(), says.sort()));
});
