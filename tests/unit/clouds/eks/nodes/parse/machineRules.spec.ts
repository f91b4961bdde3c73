import type { EksNodePoolArgs } from "../../../../../../provider";
import { validating } from "../../../../../support/problems";
import { anEksPoolArgs, efaArgs, eksProblemsOf, m99 } from "../../../nodes/fixtures";

describe("the rules of an EksNodePool on machines and claims", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<EksNodePoolArgs>) =>
    eksProblemsOf(anEksPoolArgs(args)),
  );
  rejects({
    "fabric: m7i.large has no EFA; choose another instance type, or remove fabric": efaArgs({
      machineTypes: ["m7i.large"],
    }),
    ['machineTypes[1]: unknown instance type "m99.large"; correct it, or describe it as hardware: await ' +
    'lookupEksMachine("m99.large")']: { machineTypes: ["m7i.large", "m99.large"] },
    ['machineTypes[0]: unknown instance type "constructor"; correct it, or describe it as hardware: await ' +
    'lookupEksMachine("constructor")']: { machineTypes: ["constructor"] },
    "arch: hpc7g.16xlarge is arm64, not amd64; correct or remove arch": {
      machineTypes: ["hpc7g.16xlarge"],
      arch: "amd64",
    },
    "threadsPerCore: c7g.16xlarge has one thread per core; remove threadsPerCore": {
      machineTypes: ["c7g.16xlarge"],
      threadsPerCore: 2,
    },
    ["threadsPerCore: EC2 has no CPU options for bare metal such as m7i.metal-24xl; choose a virtualized size, " +
    "or remove threadsPerCore"]: { machineTypes: ["m7i.metal-24xl"], threadsPerCore: 1 },
    'os: AWS has no bottlerocket image for the Trainium of trn1.32xlarge on amd64; use "al2023"': {
      machineTypes: ["trn1.32xlarge"],
      os: "bottlerocket",
    },
    "os: AWS has no al2023 image for the Radeon of m99.large on amd64; choose another instance type": {
      machineTypes: ["m99.large"],
      hardware: { ...m99, accelerator: { kind: "amd", model: "Radeon", count: 1 } },
    },
    ["machineTypes: the images of EKS have no driver for the RTX PRO 4500 of g7.12xlarge; set amiId to an image " +
    "that has, or choose another instance type"]: { machineTypes: ["g7.12xlarge"] },
    "version: is that of the image of EKS, and amiId names another; remove one of them": {
      amiId: "ami-1",
      version: "1.35",
    },
    'version: fabricBy "claim" requires Kubernetes 1.35, not "1.34"; raise version': efaArgs({
      fabricBy: "claim",
      version: "1.34",
    }),
    ["machineTypes[0]: AWS has not published the network cards of p6e-gb300.36xlarge; choose another " +
    "instance type, such as p6e-gb200.36xlarge"]: {
      ...{
        machineTypes: ["p6e-gb300.36xlarge"],
        zones: ["us-east-1a"],
        capacity: "capacityBlock",
        reservationId: "cr-1",
      },
      hardware: { ...m99, efaInterfaces: 8, networkCards: 17 },
    },
    "localDisks: m7i.large has no local disks; remove localDisks, or choose a machine type that has": [
      { localDisks: "raid0" },
      { localDisks: "raw" },
    ],
    "localDisks: m99.large has no local disks; remove localDisks, or choose a machine type that has": {
      ...{ machineTypes: ["m99.large"], hardware: m99, localDisks: "raid0" },
    },
    "hardware.efaInterfaces: 2 EFA interfaces exceed networkCards 1; correct one of the two": {
      machineTypes: ["m99.large"],
      hardware: { ...m99, efaInterfaces: 2 },
    },
    "hardware.interfacesPerCard: has 1 numbers for networkCards 2; give one for each card": {
      machineTypes: ["m99.large"],
      hardware: { ...m99, networkCards: 2, interfacesPerCard: [1] },
    },
    "hardware.vcpus: 7 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore": {
      machineTypes: ["m99.large"],
      hardware: { ...m99, vcpus: 7 },
    },
    "hardware: this package has the hardware of m7i.large and m6i.large; remove hardware": {
      machineTypes: ["m7i.large", "m6i.large"],
      hardware: m99,
    },
    ["hardware: describes one instance type, and this package does not know m99.large, m98.large; use a pool " +
    "for each"]: { machineTypes: ["m99.large", "m7i.large", "m98.large"], hardware: { ...m99, vcpus: 2 } },
    "nvidiaPlugin: requires NVIDIA GPUs; remove nvidiaPlugin": { machineTypes: ["trn1.32xlarge"], nvidiaPlugin: {} },
    'nvidiaPlugin: Bottlerocket has its own NVIDIA plugin; remove nvidiaPlugin, or use os "al2023"': {
      machineTypes: ["g5.48xlarge"],
      os: "bottlerocket",
      nvidiaPlugin: { skip: true },
    },
    "machineTypes[1]: m7i.xlarge and m7i.large differ in CPUs; use a pool for each": {
      machineTypes: ["m7i.large", "m7i.xlarge"],
    },
    "machineTypes[1]: c7g.16xlarge and c6i.16xlarge differ in architecture, CPUs, EFA; use a pool for each": {
      machineTypes: ["c6i.16xlarge", "c7g.16xlarge"],
    },
    "machineTypes[1]: g5.16xlarge and g6.16xlarge differ in accelerators; use a pool for each": {
      machineTypes: ["g6.16xlarge", "g5.16xlarge"],
    },
    'fabricBy: requires fabric "efa"; set it, or remove fabricBy': { fabricBy: "claim" },
    "gpuBy: requires NVIDIA GPUs; remove gpuBy": { gpuBy: "claim" },
    ["capacity: p6e-gb200.36xlarge comes in capacity blocks of UltraServers, of 9 or 18 nodes each; reserve " +
    'one, and use "capacityBlock" with its id as reservationId']: [
      efaArgs({ machineTypes: ["p6e-gb200.36xlarge"], placement: "none" }),
      efaArgs({ machineTypes: ["p6e-gb200.36xlarge"], capacity: "spot" }),
    ],
  });
  rejectsAll(
    efaArgs({ machineTypes: ["p5.48xlarge"], fabricBy: "claim", gpuBy: "claim", nvidiaPlugin: {}, efaPlugin: {} }),
    [
      'nvidiaPlugin: gpuBy "claim" is served by a DRA driver, and no plugin runs beside it; remove nvidiaPlugin',
      'efaPlugin: fabricBy "claim" is served by a DRA driver, and no plugin runs beside it; remove efaPlugin',
    ],
  );
  accepts({
    "local disks that are described": {
      ...{ machineTypes: ["m99.large"], hardware: { ...m99, localDiskGb: 7500 }, localDisks: "raid0" },
    },
    "local disks that are left alone where there are none": { localDisks: "none" },
    "g7 with an image of the user's own": { machineTypes: ["g7.12xlarge"], amiId: "ami-595" },
    "claims of EFA on nodes of 1.35": efaArgs({ fabricBy: "claim", version: "1.35" }),
    "the architecture of the machine": { machineTypes: ["hpc7g.16xlarge"], arch: "arm64" },
    "two threads on bare metal": { machineTypes: ["m7i.metal-24xl"], threadsPerCore: 2 },
    "a described instance type like a known one": {
      machineTypes: ["m7i.large", "m99.large"],
      hardware: { ...m99, vcpus: 2 },
    },
    "plugins that are skipped": efaArgs({ nvidiaPlugin: { skip: true }, efaPlugin: { skip: true } }),
    "the EFA plugin beside claims of GPUs": efaArgs({ machineTypes: ["p5.48xlarge"], gpuBy: "claim", efaPlugin: {} }),
  });
});
