import * as pulumi from "@pulumi/pulumi";
import type { EksNodePoolArgs } from "../../../../../../provider";
import { validating } from "../../../../../support/problems";
import { anEksPoolArgs, blockArgs, efaArgs, eksProblemsOf, m99 } from "../../../nodes/fixtures";

/** A pool of these instance types. */
const of = (...machineTypes: string[]) => ({ machineTypes });
/** A pool of a type that the tables do not have. */
const described = (hardware: Partial<EksNodePoolArgs["hardware"]>) => ({
  ...of("m99.large"),
  hardware: { ...m99, ...hardware },
});
const claims = { fabricBy: "claim", gpuBy: "claim" } as const;

describe("the rules of an EksNodePool on machines and claims", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<EksNodePoolArgs>) =>
    eksProblemsOf(anEksPoolArgs(args)),
  );
  rejects({
    "fabric: m7i.large has no EFA; choose another instance type, or remove fabric": efaArgs(of("m7i.large")),
    'machineTypes[1]: unknown instance type "m99.large"…': of("m7i.large", "m99.large"),
    'machineTypes[0]: unknown instance type "constructor"…': of("constructor"),
    "arch: hpc7g.16xlarge is arm64, not amd64; correct or remove arch": { ...of("hpc7g.16xlarge"), arch: "amd64" },
    "threadsPerCore: c7g.16xlarge has one thread per core…": { ...of("c7g.16xlarge"), threadsPerCore: 2 },
    "threadsPerCore: EC2 has no CPU options for bare metal such as…": { ...of("m7i.metal-24xl"), threadsPerCore: 1 },
    "os: AWS has no bottlerocket image for the Trainium of…": { ...of("trn1.32xlarge"), os: "bottlerocket" },
    "os: AWS has no al2023 image for the Radeon of m99.large on amd64; choose another instance type": described({
      accelerator: { kind: "amd", model: "Radeon", count: 1 },
    }),
    "version: Bottlerocket has the driver for the RTX PRO 4500 of g7.12xlarge from Kubernetes 1.37 on; set version…": [
      { ...of("g7.12xlarge"), os: "bottlerocket" },
      { ...of("g7.12xlarge"), os: "bottlerocket", version: "1.36" },
    ],
    "version: is the version of the EKS image, and amiId sets another image…": { amiId: "ami-1", version: "1.35" },
    'version: fabricBy "claim" requires Kubernetes 1.34, not "1.33"…': efaArgs({ fabricBy: "claim", version: "1.33" }),
    ["machineTypes[0]: AWS has not published the network cards of p6e-gb300.36xlarge; choose another " +
    "instance type, such as p6e-gb200.36xlarge"]: blockArgs({
      ...of("p6e-gb300.36xlarge"),
      hardware: { ...m99, efaInterfaces: 8, networkCards: 17 },
      fabric: undefined,
    }),
    "localDisks: m7i.large has no local disks; remove localDisks…": [{ localDisks: "raid0" }, { localDisks: "raw" }],
    "localDisks: m99.large has no local disks; remove localDisks, or…": { ...described({}), localDisks: "raid0" },
    "hardware.efaInterfaces: 2 EFA interfaces exceed networkCards 1…": described({ efaInterfaces: 2 }),
    "hardware.interfacesPerCard: has 1 numbers for…": described({ networkCards: 2, interfacesPerCard: [1] }),
    "hardware.vcpus: 7 vcpus at 2 threads per core are not a whole number of cores…": described({ vcpus: 7 }),
    "hardware: this package has the hardware of m7i.large and…": { ...of("m7i.large", "m6i.large"), hardware: m99 },
    ["hardware: describes one instance type, and this package does not list m99.large, m98.large; use a pool " +
    "for each"]: { ...of("m99.large", "m7i.large", "m98.large"), hardware: { ...m99, vcpus: 2 } },
    "nvidiaPlugin: requires NVIDIA GPUs; remove nvidiaPlugin": { ...of("trn1.32xlarge"), nvidiaPlugin: {} },
    'nvidiaPlugin: Bottlerocket includes the NVIDIA plugin; remove nvidiaPlugin, or use os "al2023"': {
      ...of("g5.48xlarge"),
      os: "bottlerocket",
      nvidiaPlugin: { skip: true },
    },
    "machineTypes[1]: m7i.xlarge and m7i.large differ in CPUs; use a pool for each": of("m7i.large", "m7i.xlarge"),
    "machineTypes[1]: c7g.16xlarge and c6i.16xlarge differ in architecture, CPUs…": of("c6i.16xlarge", "c7g.16xlarge"),
    "machineTypes[1]: g5.16xlarge and g6.16xlarge differ in accelerators…": of("g6.16xlarge", "g5.16xlarge"),
    'fabricBy: requires fabric "efa"; set it, or remove fabricBy': { fabricBy: "claim" },
    "gpuBy: requires NVIDIA GPUs; remove gpuBy": { gpuBy: "claim" },
    "capacityType: p6e-gb200.36xlarge is available only in capacity blocks of UltraServers, of 9 or 18 nodes each;…":
      efaArgs({ ...of("p6e-gb200.36xlarge"), placement: "none" }),
  });
  rejectsAll(efaArgs({ ...claims, nvidiaPlugin: {}, efaPlugin: {} }), [
    'nvidiaPlugin: gpuBy "claim" uses a DRA driver, beside which no device plugin may run; remove nvidiaPlugin',
    'efaPlugin: fabricBy "claim" uses a DRA driver, beside which no device plugin may run; remove efaPlugin',
  ]);
  accepts({
    "local disks that are described": { ...described({ localDiskGb: 7500 }), localDisks: "raid0" },
    "local disks that are left alone where there are none": { localDisks: "none" },
    "g7 with an image of the user's own": { ...of("g7.12xlarge"), os: "bottlerocket", amiId: "ami-595" },
    "g7 with Amazon Linux, which has had its driver since v20260917": of("g7.12xlarge"),
    "g7 with Bottlerocket for Kubernetes 1.37": { ...of("g7.12xlarge"), os: "bottlerocket", version: "1.37" },
    "g7 with Bottlerocket for a version that is known later": {
      ...of("g7.12xlarge"),
      os: "bottlerocket",
      version: pulumi.output("1.37"),
    },
    "claims of EFA on nodes of 1.34, which AWS supports": efaArgs({ fabricBy: "claim", version: "1.34" }),
    "the architecture of the machine": { ...of("hpc7g.16xlarge"), arch: "arm64" },
    "two threads on bare metal": { ...of("m7i.metal-24xl"), threadsPerCore: 2 },
    "a described instance type like a known one": { ...of("m7i.large", "m99.large"), hardware: { ...m99, vcpus: 2 } },
    "plugins that are skipped": efaArgs({ nvidiaPlugin: { skip: true }, efaPlugin: { skip: true } }),
    "the EFA plugin beside claims of GPUs": efaArgs({ gpuBy: "claim", efaPlugin: {} }),
  });
});
