import * as assert from "node:assert/strict";
import { aksArgs, aksProblems, itRefuses, unknownHardware } from "./fixtures";
import type { RuleCase } from "../../../support/problems";

const hb = { machineType: "Standard_HB120rs_v3", fabric: "infiniband" };
const mi300x = { machineType: "Standard_ND96isr_MI300X_v5" };

const onlyWith = (what: string) => new RegExp(`^only means something beside ${what}; `);

const refused: RuleCase[] = [
  {
    rule: "a size that nobody knows",
    args: { machineType: "Standard_X1" },
    path: "machineType",
    says: /^"Standard_X1" is no size that this package knows; correct it \(az vm list-skus .*\), or say what it has as hardware: /,
  },
  {
    rule: "an architecture that is not the size's",
    args: { machineType: "Standard_D64ps_v5", arch: "amd64" },
    path: "arch",
    says: "Standard_D64ps_v5 is arm64, not amd64; correct arch or leave it out",
  },
  {
    rule: "a driver without accelerators",
    args: { gpuDriver: "none" },
    path: "gpuDriver",
    says: "Standard_D8ds_v5 has no accelerators; remove it",
  },
  {
    rule: "a driver of AMD from AKS",
    args: { ...mi300x, gpuDriver: "install" },
    path: "gpuDriver",
    says: /^AKS installs no driver for the MI300X of Standard_ND96isr_MI300X_v5; use "none" and the AMD GPU Operator$/,
  },
  {
    rule: "accelerators of AMD on Azure Linux",
    args: { ...mi300x, osSku: "azureLinux" },
    path: "osSku",
    says: 'the driver of the MI300X is made for Ubuntu; use "ubuntu"',
  },
  {
    rule: "NVIDIA's plugin without GPUs",
    args: { nvidiaPlugin: { skip: true } },
    path: "nvidiaPlugin",
    says: "only means something beside NVIDIA GPUs, and Standard_D8ds_v5 has none; remove it",
  },
  {
    rule: "NVIDIA's plugin beside accelerators of AMD",
    args: { ...mi300x, nvidiaPlugin: {} },
    path: "nvidiaPlugin",
    says: onlyWith("NVIDIA GPUs, and Standard_ND96isr_MI300X_v5 has none"),
  },
  {
    rule: "NVIDIA's plugin beside the operator, which brings its own",
    args: { machineType: "Standard_NC4as_T4_v3", gpuDriver: "none", nvidiaPlugin: { image: "a" } },
    path: "nvidiaPlugin",
    says: 'only means something beside gpuDriver "install"; remove it',
  },
  {
    rule: "the plugin of InfiniBand without it",
    args: { machineType: hb.machineType, rdmaPlugin: { skip: true } },
    path: "rdmaPlugin",
    says: 'only means something beside fabric "infiniband"; remove it',
  },
  {
    rule: "hardware of a size that the package knows",
    args: { hardware: unknownHardware },
    path: "hardware",
    says: "only means something beside a type that this package does not know, and it knows Standard_D8ds_v5; remove it",
  },
  {
    rule: "virtual CPUs that make no whole cores",
    args: { machineType: "Standard_X1", hardware: { ...unknownHardware, vcpus: 3 } },
    path: "hardware.vcpus",
    says: "3 do not make whole cores of 2 threads; correct vcpus or threadsPerCore",
  },
  {
    rule: "accelerators that only AWS has",
    args: {
      machineType: "Standard_X1",
      hardware: { ...unknownHardware, accelerator: { kind: "neuron", model: "Trainium2", count: 1 } },
    },
    path: "hardware.accelerator.kind",
    says: 'Azure has accelerators of "nvidia" and "amd" only; correct it',
  },
];

describe("the rules on the machines of an AKS node pool", () => {
  itRefuses(refused);

  const accepted: Record<string, object> = {
    "an odd number of cores with one thread": {
      machineType: "Standard_X1",
      hardware: { ...unknownHardware, vcpus: 3, threadsPerCore: 1 },
    },
    "plugins for the devices that there are": {
      machineType: "Standard_ND96isr_H100_v5",
      fabric: "infiniband",
      nvidiaPlugin: { skip: true },
      rdmaPlugin: { image: "b" },
    },
    "the size's own architecture": { machineType: "Standard_D64ps_v5", arch: "arm64" },
    "AMD's accelerators on Ubuntu": mi300x,
    "NVIDIA's GPUs on Azure Linux": { machineType: "Standard_NC4as_T4_v3", osSku: "azureLinux" },
  };
  for (const [name, args] of Object.entries(accepted))
    it(`accept ${name}`, () => assert.deepEqual(aksProblems(aksArgs(args)), []));
});
