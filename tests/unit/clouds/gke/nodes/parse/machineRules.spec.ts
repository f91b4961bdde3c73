import * as pulumi from "@pulumi/pulumi";
import type { GkeNodePoolArgs } from "../../../../../../provider";
import { validating } from "../../../../../support/problems";
import { aFalconPoolArgs, aGkePoolArgs, gkeProblemsOf, x1GkeArgs } from "../../../nodes/fixtures";

describe("the rules of a GkeNodePool on machines and labels", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<GkeNodePoolArgs>) =>
    gkeProblemsOf(aGkePoolArgs(args)),
  );
  rejects({
    "localDisks: n4-standard-16 has no local disks…": { localDisks: "raid0" },
    'localDisks: a3-highgpu-8g always has local SSDs; use "raid0" or "raw", or remove localDisks': {
      machineType: "a3-highgpu-8g",
      localDisks: "none",
    },
    "localDisks: Google advises against raw local SSDs of…": { machineType: "z3-highmem-88", localDisks: "raw" },
    "secondaryBootDisks: requires imageStreaming; set it to true, or remove secondaryBootDisks": [
      { secondaryBootDisks: [{ diskImage: "projects/p/global/images/i" }] },
      { secondaryBootDisks: [{ diskImage: "projects/p/global/images/i" }], imageStreaming: false },
    ],
    'secondaryBootDisks[0].diskImage: "images/i" must be a disk image, "projects/PROJECT/global/images/NAME"': {
      secondaryBootDisks: [{ diskImage: "images/i" }],
      imageStreaming: true,
    },
    'machineType: unknown machine type "c2d-standard-113"…': { machineType: "c2d-standard-113" },
    "arch: c4a-standard-72 is arm64, not amd64; correct or remove…": { machineType: "c4a-standard-72", arch: "amd64" },
    "threadsPerCore: t2d-standard-60 has one thread per core…": { machineType: "t2d-standard-60", threadsPerCore: 2 },
    "gpus.count: n1-standard-32 supports 1, 2, 4, 8 GPUs of V100, not 3; use one of these numbers": {
      machineType: "n1-standard-32",
      gpus: { type: "nvidia-tesla-v100", count: 3 },
    },
    ['gpus.type: GPUs of type "toString" cannot be added to n1-standard-32; use one of nvidia-tesla-p4, ' +
    "nvidia-tesla-p100, nvidia-tesla-t4, nvidia-tesla-v100"]: {
      machineType: "n1-standard-32",
      gpus: { type: "toString", count: 8 },
    },
    "gpus: GPUs cannot be added to n4-standard-16; choose a type of N1, or a type with GPUs": {
      gpus: { type: "nvidia-tesla-v100", count: 8 },
    },
    "gpus: g2-standard-96 has a fixed number of GPUs; remove gpus": {
      machineType: "g2-standard-96",
      gpus: { type: "nvidia-tesla-v100", count: 8 },
    },
    "gpus: GPUs cannot be added to x1-standard-8; set the GPUs of the type in hardware.accelerator": {
      machineType: "x1-standard-8",
      hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024 },
      gpus: { type: "nvidia-l4", count: 8 },
    },
    "gpuDriver: n4-standard-16 has no GPUs; remove gpuDriver": { gpuDriver: "latest" },
    ["hardware.acceleratorType: hardware.accelerator requires the name of the GPUs in GKE, such as " +
    '"nvidia-l4"; add it']: x1GkeArgs({ hardware: { accelerator: { kind: "nvidia", model: "X1", count: 2 } } }),
    'hardware.accelerator.kind: GKE supports only accelerators of "nvidia"; correct it': x1GkeArgs({
      hardware: { acceleratorType: "x1", accelerator: { kind: "neuron", model: "X1", count: 2 } },
    }),
    "hardware.acceleratorType: requires hardware.accelerator; add it, or remove acceleratorType": x1GkeArgs({
      hardware: { acceleratorType: "nvidia-x1" },
    }),
    "hardware.vcpus: 3 vcpus at 2 threads per core are not a whole number of…": x1GkeArgs({ hardware: { vcpus: 3 } }),
    "hardware: this package has the hardware of n4-standard-16; remove hardware": {
      hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024 },
    },
    'diskType: n4-standard-16 does not support Persistent Disk; use "hyperdisk-balanced", or remove diskType': {
      diskType: "pd-ssd",
    },
    "taints[0]: GKE sets the taint kubernetes.io/arch on these nodes; remove it": {
      machineType: "t2a-standard-8",
      taints: [{ key: "kubernetes.io/arch", effect: "NoSchedule" }],
    },
    "taints[0]: GKE sets the taint nvidia.com/gpu on these nodes; remove it": [
      { machineType: "g2-standard-8", taints: [{ key: "nvidia.com/gpu", effect: "NoSchedule" }] },
      {
        machineType: "n1-standard-8",
        gpus: { type: "nvidia-tesla-t4", count: 1 },
        taints: [{ key: "nvidia.com/gpu", effect: "NoSchedule" }],
      },
    ],
    "taints[0]: GKE sets the taint cloud.google.com/gke-queued on these nodes; remove it": {
      capacityType: "queued",
      maxSize: 4,
      taints: [{ key: "cloud.google.com/gke-queued", effect: "NoSchedule" }],
    },
  });
  rejectsAll(
    {
      labels: {
        "topology.kubernetes.io/zone": "x",
        "kubernetes.io/arch": "x",
        "cloud.google.com/gke-accelerator": "x",
        "cloud.google.com/gce-topology-block": "x",
      },
    },
    [
      'labels["topology.kubernetes.io/zone"]: GKE sets this label; use another key',
      'labels["kubernetes.io/arch"]: GKE sets this label; use another key',
      'labels["cloud.google.com/gke-accelerator"]: GKE sets this label; use another key',
      'labels["cloud.google.com/gce-topology-block"]: GKE sets this label; use another key',
    ],
  );
  accepts({
    "secondary boot disks whose image streaming is known later": {
      secondaryBootDisks: [{ diskImage: pulumi.output("i") }],
      imageStreaming: pulumi.output(true),
    },
    "the newest driver for added GPUs": {
      machineType: "n1-standard-32",
      gpus: { type: "nvidia-tesla-v100", count: 8 },
      gpuDriver: "latest",
    },
    "no driver for the GPUs of the machine type": { machineType: "g2-standard-96", gpuDriver: "none" },
    "an odd number of vcpus with one thread per core": x1GkeArgs({ hardware: { vcpus: 3, threadsPerCore: 1 } }),
    "a described machine type with RDMA": aFalconPoolArgs({
      machineType: "x1-standard-8",
      hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024, rdmaInterfaces: 1 },
    }),
    "a described machine type with Tier_1 bandwidth and compact placement": {
      fabric: "tier1",
      placement: "compact",
      machineType: "x1-standard-8",
      hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024, tier1: true, compactPlacement: true },
    },
    "a Persistent Disk": { machineType: "c3-standard-88", diskType: "pd-ssd" },
    "a disk type that is known later": { diskType: pulumi.output("pd-ssd") },
    "the architecture of the machine": { machineType: "c4a-standard-72", arch: "arm64" },
    "taints that GKE sets on other nodes": {
      taints: [
        { key: "nvidia.com/gpu", effect: "NoSchedule" },
        { key: "kubernetes.io/arch", effect: "NoSchedule" },
        { key: "cloud.google.com/gke-queued", effect: "NoSchedule" },
      ],
    },
    "a label that GKE sets on no node": { labels: { "cloud.google.com/gke-queued": "true" } },
  });
});
