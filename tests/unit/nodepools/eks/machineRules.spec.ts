import type { EksNodePoolArgs } from "../../../../provider";
import { itValidates } from "../../../support/problems";
import { anEksPoolArgs, efaArgs, eksProblemsOf, m99 } from "../../clouds/nodes/fixtures";

describe("the rules of an EksNodePool on machines and claims", () =>
  itValidates(
    [
      {
        name: "EFA on an instance type without it",
        args: efaArgs({ machineTypes: ["m7i.large"] }),
        errors: ["fabric: m7i.large has no EFA; choose another instance type, or remove fabric"],
      },
      {
        name: "an unknown instance type",
        args: { machineTypes: ["m7i.large", "m99.large"] },
        errors: [
          'machineTypes[1]: unknown instance type "m99.large"; correct it, or describe it as hardware: await ' +
            'lookupEksMachine("m99.large")',
        ],
      },
      {
        name: "an instance type named like a property of every object",
        args: { machineTypes: ["constructor"] },
        errors: [
          'machineTypes[0]: unknown instance type "constructor"; correct it, or describe it as hardware: await ' +
            'lookupEksMachine("constructor")',
        ],
      },
      {
        name: "another architecture",
        args: { machineTypes: ["hpc7g.16xlarge"], arch: "amd64" },
        errors: ["arch: hpc7g.16xlarge is arm64, not amd64; correct or remove arch"],
      },
      {
        name: "two threads on a processor with one",
        args: { machineTypes: ["c7g.16xlarge"], threadsPerCore: 2 },
        errors: ["threadsPerCore: c7g.16xlarge has one thread per core; remove threadsPerCore"],
      },
      {
        name: "threads per core on bare metal",
        args: { machineTypes: ["m7i.metal-24xl"], threadsPerCore: 1 },
        errors: [
          "threadsPerCore: EC2 has no CPU options for bare metal such as m7i.metal-24xl; choose a virtualized " +
            "size, or remove threadsPerCore",
        ],
      },
      {
        name: "Trainium on Bottlerocket",
        args: { machineTypes: ["trn1.32xlarge"], os: "bottlerocket" },
        errors: ['os: AWS has no bottlerocket image for the Trainium of trn1.32xlarge on amd64; use "al2023"'],
      },
      {
        name: "a described accelerator without an image",
        args: {
          machineTypes: ["m99.large"],
          hardware: { ...m99, accelerator: { kind: "amd", model: "Radeon", count: 1 } },
        },
        errors: ["os: AWS has no al2023 image for the Radeon of m99.large on amd64; choose another instance type"],
      },
      {
        name: "an accelerator without a driver",
        args: { machineTypes: ["g7.12xlarge"] },
        errors: [
          "machineTypes: the images of EKS have no driver for the RTX PRO 4500 of g7.12xlarge; choose another " +
            "instance type",
        ],
      },
      {
        name: "more EFA interfaces than network cards",
        args: { machineTypes: ["m99.large"], hardware: { ...m99, efaInterfaces: 2 } },
        errors: ["hardware.efaInterfaces: 2 EFA interfaces exceed networkCards 1; correct one of the two"],
      },
      {
        name: "fewer numbers of interfaces than cards",
        args: { machineTypes: ["m99.large"], hardware: { ...m99, networkCards: 2, interfacesPerCard: [1] } },
        errors: ["hardware.interfacesPerCard: has 1 numbers for networkCards 2; give one for each card"],
      },
      {
        name: "a fraction of a core",
        args: { machineTypes: ["m99.large"], hardware: { ...m99, vcpus: 7 } },
        errors: [
          "hardware.vcpus: 7 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore",
        ],
      },
      {
        name: "a description of known instance types",
        args: { machineTypes: ["m7i.large", "m6i.large"], hardware: m99 },
        errors: ["hardware: this package knows m7i.large and m6i.large; remove hardware"],
      },
      {
        name: "a description of two instance types",
        args: { machineTypes: ["m99.large", "m7i.large", "m98.large"], hardware: { ...m99, vcpus: 2 } },
        errors: [
          "hardware: describes one instance type, and this package does not know m99.large, m98.large; use a " +
            "pool for each",
        ],
      },
      {
        name: "the NVIDIA plugin without NVIDIA GPUs",
        args: { machineTypes: ["trn1.32xlarge"], nvidiaPlugin: {} },
        errors: ["nvidiaPlugin: requires NVIDIA GPUs; remove nvidiaPlugin"],
      },
      {
        name: "the NVIDIA plugin on Bottlerocket",
        args: { machineTypes: ["g5.48xlarge"], os: "bottlerocket", nvidiaPlugin: { skip: true } },
        errors: ['nvidiaPlugin: Bottlerocket has its own NVIDIA plugin; remove nvidiaPlugin, or use os "al2023"'],
      },
      {
        name: "instance types that differ in CPUs",
        args: { machineTypes: ["m7i.large", "m7i.xlarge"] },
        errors: ["machineTypes[1]: m7i.xlarge and m7i.large differ in CPUs; use a pool for each"],
      },
      {
        name: "instance types that differ in architecture and EFA",
        args: { machineTypes: ["c6i.16xlarge", "c7g.16xlarge"] },
        errors: [
          "machineTypes[1]: c7g.16xlarge and c6i.16xlarge differ in architecture, CPUs, EFA; use a pool for each",
        ],
      },
      {
        name: "instance types that differ in accelerators",
        args: { machineTypes: ["g6.16xlarge", "g5.16xlarge"] },
        errors: ["machineTypes[1]: g5.16xlarge and g6.16xlarge differ in accelerators; use a pool for each"],
      },
      { name: "the architecture of the machine", args: { machineTypes: ["hpc7g.16xlarge"], arch: "arm64" } },
      { name: "two threads on bare metal", args: { machineTypes: ["m7i.metal-24xl"], threadsPerCore: 2 } },
      {
        name: "a described instance type like a known one",
        args: { machineTypes: ["m7i.large", "m99.large"], hardware: { ...m99, vcpus: 2 } },
      },
      { name: "plugins that are skipped", args: efaArgs({ nvidiaPlugin: { skip: true }, efaPlugin: { skip: true } }) },
      {
        name: "claims of EFA without EFA",
        args: { fabricBy: "claim" },
        errors: ['fabricBy: requires fabric "efa"; set it, or remove fabricBy'],
      },
      {
        name: "claims of GPUs without GPUs",
        args: { gpuBy: "claim" },
        errors: ["gpuBy: requires NVIDIA GPUs; remove gpuBy"],
      },
      {
        name: "plugins beside claims",
        args: efaArgs({
          machineTypes: ["p5.48xlarge"],
          fabricBy: "claim",
          gpuBy: "claim",
          nvidiaPlugin: {},
          efaPlugin: {},
        }),
        errors: [
          'nvidiaPlugin: gpuBy "claim" is served by a DRA driver, and no plugin runs beside it; remove nvidiaPlugin',
          'efaPlugin: fabricBy "claim" is served by a DRA driver, and no plugin runs beside it; remove efaPlugin',
        ],
      },
      {
        name: "an UltraServer on demand",
        args: efaArgs({ machineTypes: ["p6e-gb200.36xlarge"], placement: "none" }),
        errors: [
          "capacity: p6e-gb200.36xlarge comes in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve " +
            'one, and use "capacityBlock" with its id as reservationId',
        ],
      },
      {
        name: "an UltraServer as spot",
        args: efaArgs({ machineTypes: ["p6e-gb200.36xlarge"], capacity: "spot" }),
        errors: [
          "capacity: p6e-gb200.36xlarge comes in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve " +
            'one, and use "capacityBlock" with its id as reservationId',
        ],
      },
      {
        name: "the EFA plugin beside claims of GPUs",
        args: efaArgs({ machineTypes: ["p5.48xlarge"], gpuBy: "claim", efaPlugin: {} }),
      },
    ],
    (args: Partial<EksNodePoolArgs>) => eksProblemsOf(anEksPoolArgs(args)),
  ));
