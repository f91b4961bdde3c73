import * as pulumi from "@pulumi/pulumi";
import type { GkeNodePoolArgs } from "../../../../provider";
import { itValidates } from "../../../support/problems";
import { aFalconPoolArgs, aGkePoolArgs, gkeProblemsOf, x1GkeArgs } from "../../clouds/nodes/fixtures";

describe("the rules of a GkeNodePool on machines and labels", () =>
  itValidates(
    [
      {
        name: "an unknown machine type",
        args: { machineType: "c2d-standard-113" },
        errors: [
          'machineType: unknown machine type "c2d-standard-113"; correct it, or describe it as hardware: await ' +
            'lookupGkeMachine("c2d-standard-113", { zone, arch, threadsPerCore })',
        ],
      },
      {
        name: "another architecture",
        args: { machineType: "c4a-standard-72", arch: "amd64" },
        errors: ["arch: c4a-standard-72 is arm64, not amd64; correct or remove arch"],
      },
      {
        name: "two threads per core of a processor with one",
        args: { machineType: "t2d-standard-60", threadsPerCore: 2 },
        errors: ["threadsPerCore: t2d-standard-60 has one thread per core; remove threadsPerCore"],
      },
      {
        name: "a number of GPUs that the machine type does not take",
        args: { machineType: "n1-standard-32", gpus: { type: "nvidia-tesla-v100", count: 3 } },
        errors: ["gpus.count: n1-standard-32 takes 1, 2, 4, 8 of V100, not 3; use one of these"],
      },
      {
        name: "a GPU type that the machine type does not take",
        args: { machineType: "n1-standard-32", gpus: { type: "toString", count: 8 } },
        errors: [
          'gpus.type: n1-standard-32 takes no GPUs "toString"; use one of nvidia-tesla-p4, nvidia-tesla-p100, ' +
            "nvidia-tesla-t4, nvidia-tesla-v100",
        ],
      },
      {
        name: "GPUs for a machine type that takes none",
        args: { gpus: { type: "nvidia-tesla-v100", count: 8 } },
        errors: ["gpus: n4-standard-16 takes no GPUs; choose one of N1, or one that comes with GPUs"],
      },
      {
        name: "GPUs for a machine type that has them",
        args: { machineType: "g2-standard-96", gpus: { type: "nvidia-tesla-v100", count: 8 } },
        errors: ["gpus: g2-standard-96 comes with its GPUs; remove gpus"],
      },
      {
        name: "GPUs for a described machine type",
        args: {
          machineType: "x1-standard-8",
          hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024 },
          gpus: { type: "nvidia-l4", count: 8 },
        },
        errors: ["gpus: x1-standard-8 takes no GPUs; describe those that it has as hardware.accelerator"],
      },
      {
        name: "a GPU driver without GPUs",
        args: { gpuDriver: "latest" },
        errors: ["gpuDriver: n4-standard-16 has no GPUs; remove gpuDriver"],
      },
      {
        name: "a described accelerator without the name of GKE",
        args: x1GkeArgs({ hardware: { accelerator: { kind: "nvidia", model: "X1", count: 2 } } }),
        errors: [
          "hardware.acceleratorType: hardware.accelerator requires the name that GKE has for it, such as " +
            '"nvidia-l4"; add it',
        ],
      },
      {
        name: "a described accelerator of another kind",
        args: x1GkeArgs({
          hardware: { acceleratorType: "x1", accelerator: { kind: "neuron", model: "X1", count: 2 } },
        }),
        errors: ['hardware.accelerator.kind: GKE has accelerators of "nvidia" only; correct it'],
      },
      {
        name: "the name of an accelerator without the accelerator",
        args: x1GkeArgs({ hardware: { acceleratorType: "nvidia-x1" } }),
        errors: ["hardware.acceleratorType: requires hardware.accelerator; add it, or remove acceleratorType"],
      },
      {
        name: "a fraction of a core",
        args: x1GkeArgs({ hardware: { vcpus: 3 } }),
        errors: [
          "hardware.vcpus: 3 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore",
        ],
      },
      {
        name: "a description of a known machine type",
        args: { hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024 } },
        errors: ["hardware: this package knows n4-standard-16; remove hardware"],
      },
      {
        name: "a disk type that the machine type does not have",
        args: { diskType: "pd-ssd" },
        errors: ['diskType: n4-standard-16 has no Persistent Disk; use "hyperdisk-balanced", or remove diskType'],
      },
      {
        name: "the newest driver for added GPUs",
        args: { machineType: "n1-standard-32", gpus: { type: "nvidia-tesla-v100", count: 8 }, gpuDriver: "latest" },
      },
      {
        name: "no driver for the GPUs of the machine type",
        args: { machineType: "g2-standard-96", gpuDriver: "none" },
      },
      {
        name: "an odd number of vcpus with one thread per core",
        args: x1GkeArgs({ hardware: { vcpus: 3, threadsPerCore: 1 } }),
      },
      {
        name: "a described machine type with RDMA",
        args: aFalconPoolArgs({
          machineType: "x1-standard-8",
          hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024, rdmaInterfaces: 1 },
        }),
      },
      {
        name: "a described machine type with Tier_1 bandwidth and compact placement",
        args: {
          fabric: "tier1",
          placement: "compact",
          machineType: "x1-standard-8",
          hardware: {
            arch: "amd64",
            vcpus: 8,
            threadsPerCore: 2,
            memoryMib: 1024,
            tier1: true,
            compactPlacement: true,
          },
        },
      },
      { name: "a Persistent Disk", args: { machineType: "c3-standard-88", diskType: "pd-ssd" } },
      { name: "a disk type that is known later", args: { diskType: pulumi.output("pd-ssd") } },
      { name: "the architecture of the machine", args: { machineType: "c4a-standard-72", arch: "arm64" } },
      {
        name: "the taint of arm64 nodes",
        args: { machineType: "t2a-standard-8", taints: [{ key: "kubernetes.io/arch", effect: "NoSchedule" }] },
        errors: ["taints[0]: GKE sets the taint kubernetes.io/arch on these nodes; remove it"],
      },
      {
        name: "the taint of nodes with GPUs",
        args: { machineType: "g2-standard-8", taints: [{ key: "nvidia.com/gpu", effect: "NoSchedule" }] },
        errors: ["taints[0]: GKE sets the taint nvidia.com/gpu on these nodes; remove it"],
      },
      {
        name: "the taint of nodes with added GPUs",
        args: {
          machineType: "n1-standard-8",
          gpus: { type: "nvidia-tesla-t4", count: 1 },
          taints: [{ key: "nvidia.com/gpu", effect: "NoSchedule" }],
        },
        errors: ["taints[0]: GKE sets the taint nvidia.com/gpu on these nodes; remove it"],
      },
      {
        name: "the taint of queued nodes",
        args: {
          capacity: "queued",
          autoscale: { max: 4 },
          taints: [{ key: "cloud.google.com/gke-queued", effect: "NoSchedule" }],
        },
        errors: ["taints[0]: GKE sets the taint cloud.google.com/gke-queued on these nodes; remove it"],
      },
      {
        name: "labels that GKE sets",
        args: {
          labels: {
            "topology.kubernetes.io/zone": "x",
            "kubernetes.io/arch": "x",
            "cloud.google.com/gke-accelerator": "x",
            "cloud.google.com/gce-topology-block": "x",
          },
        },
        errors: [
          'labels["topology.kubernetes.io/zone"]: GKE sets this label; use another key',
          'labels["kubernetes.io/arch"]: GKE sets this label; use another key',
          'labels["cloud.google.com/gke-accelerator"]: GKE sets this label; use another key',
          'labels["cloud.google.com/gce-topology-block"]: GKE sets this label; use another key',
        ],
      },
      {
        name: "taints that GKE sets on other nodes",
        args: {
          taints: [
            { key: "nvidia.com/gpu", effect: "NoSchedule" },
            { key: "kubernetes.io/arch", effect: "NoSchedule" },
            { key: "cloud.google.com/gke-queued", effect: "NoSchedule" },
          ],
        },
      },
      { name: "a label that GKE sets on no node", args: { labels: { "cloud.google.com/gke-queued": "true" } } },
    ],
    (args: Partial<GkeNodePoolArgs>) => gkeProblemsOf(aGkePoolArgs(args)),
  ));
