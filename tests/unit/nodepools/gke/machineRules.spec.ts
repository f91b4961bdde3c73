import * as pulumi from "@pulumi/pulumi";
import type { GkeNodePoolArgs } from "../../../../provider";
import { aFalconPoolArgs, aGkePoolArgs, itAccepts, itRefuses, type RuleCase } from "./fixtures";

const pool = aGkePoolArgs;
const byNeed = { autoscale: { max: 4 } };
const noSchedule = (key: string) => ({ key, value: "true", effect: "NoSchedule" as const });

describe("the machines of a GKE node pool", () => {
  const gpus = { type: "nvidia-tesla-v100", count: 8 };
  const hardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024 } as const;
  const accelerator = { kind: "nvidia", model: "X1", count: 2 } as const;
  const unknown = (args: Partial<GkeNodePoolArgs>) => pool({ machineType: "x1-standard-8", hardware, ...args });
  itRefuses([
    [
      "an unknown machine type",
      pool({ machineType: "c2d-standard-113" }),
      "machineType",
      '"c2d-standard-113" is no machine type that this package knows; correct it, or say what it has as hardware: ' +
        'await lookupGkeMachine("c2d-standard-113", { zone, arch, threadsPerCore })',
    ],
    [
      "an architecture that does not match",
      pool({ machineType: "c4a-standard-72", arch: "amd64" }),
      "arch",
      /^c4a-standard-72 is arm64, not amd64/,
    ],
    [
      "two threads of a core that has one",
      pool({ machineType: "t2d-standard-60", threadsPerCore: 2 }),
      "threadsPerCore",
      /one thread/,
    ],
    [
      "more GPUs than a machine takes",
      pool({ machineType: "n1-standard-32", gpus: { ...gpus, count: 16 } }),
      "gpus.count",
      /^n1-standard-32 takes 1, 2, 4, 8 of V100, not 16/,
    ],
    [
      "a number of GPUs that is not sold",
      pool({ machineType: "n1-standard-32", gpus: { ...gpus, count: 3 } }),
      "gpus.count",
      /not 3/,
    ],
    [
      "GPUs that are no type of their own",
      pool({ machineType: "n1-standard-32", gpus: { ...gpus, type: "toString" } }),
      "gpus.type",
      /use one of .*nvidia-tesla-t4/,
    ],
    ["GPUs on a machine that takes none", pool({ gpus }), "gpus", /^n4-standard-16 takes no GPUs; choose one of N1/],
    [
      "further GPUs on a machine that has some",
      pool({ machineType: "g2-standard-96", gpus }),
      "gpus",
      /comes with its GPUs/,
    ],
    ["GPUs beside hardware that has none", unknown({ gpus }), "gpus", /hardware.accelerator$/],
    ["a driver without GPUs", pool({ gpuDriver: "latest" }), "gpuDriver", /^n4-standard-16 has no GPUs/],
    [
      "GPUs without Google's name",
      unknown({ hardware: { ...hardware, accelerator } }),
      "hardware.acceleratorType",
      /its own name/,
    ],
    [
      "accelerators that GKE does not have",
      unknown({ hardware: { ...hardware, acceleratorType: "x1", accelerator: { ...accelerator, kind: "neuron" } } }),
      "hardware.accelerator.kind",
      /"nvidia" only/,
    ],
    [
      "Google's name for GPUs that there are not",
      unknown({ hardware: { ...hardware, acceleratorType: "nvidia-x1" } }),
      "hardware.acceleratorType",
      "only means something beside accelerator; add it or remove the name",
    ],
    [
      "virtual CPUs that make no whole cores",
      unknown({ hardware: { ...hardware, vcpus: 3 } }),
      "hardware.vcpus",
      "3 do not make whole cores of 2 threads; correct vcpus or threadsPerCore",
    ],
    [
      "hardware of a type that the package knows",
      pool({ hardware }),
      "hardware",
      "only means something beside a type that this package does not know, and it knows n4-standard-16; remove it",
    ],
    ["a persistent disk where there is none", pool({ diskType: "pd-ssd" }), "diskType", /use "hyperdisk-balanced"/],
    ["a disk that is too small", pool({ diskGib: 9 }), "diskGib", /from 10 to 65536/],
  ]);
  itAccepts({
    "GPUs on a machine that takes them": pool({ machineType: "n1-standard-32", gpus, gpuDriver: "latest" }),
    "a driver for GPUs that come with the machine": pool({ machineType: "g2-standard-96", gpuDriver: "none" }),
    "a type that the user knows": unknown({}),
    "an odd number of cores with one thread": unknown({ hardware: { ...hardware, vcpus: 3, threadsPerCore: 1 } }),
    "GPUs that the user knows": unknown({ hardware: { ...hardware, accelerator, acceleratorType: "nvidia-x1" } }),
    "what the user says of a type with RDMA": aFalconPoolArgs({
      machineType: "x1-standard-8",
      hardware: { ...hardware, rdmaInterfaces: 1 },
    }),
    "what the user says of a type with Tier_1": unknown({ fabric: "tier1", hardware: { ...hardware, tier1: true } }),
    "what the user says of a type with placement": unknown({
      placement: "compact",
      hardware: { ...hardware, compactPlacement: true },
    }),
    "a persistent disk where there is one": pool({ machineType: "c3-standard-88", diskType: "pd-ssd" }),
    "a disk that is not known yet": pool({ diskType: pulumi.output("pd-ssd") }),
    "the architecture that matches": pool({ machineType: "c4a-standard-72", arch: "arm64" }),
  });
});

describe("the labels and taints of a GKE node pool", () => {
  const taints = (key: string) => ({ taints: [noSchedule(key)] });
  itRefuses([
    [
      "the ARM taint",
      pool({ machineType: "t2a-standard-8", ...taints("kubernetes.io/arch") }),
      "taints[0]",
      /^GKE sets a taint kubernetes.io\/arch on these nodes by itself/,
    ],
    [
      "the GPU taint",
      pool({ machineType: "g2-standard-8", ...taints("nvidia.com/gpu") }),
      "taints[0]",
      /GKE sets a taint nvidia.com\/gpu/,
    ],
    [
      "the GPU taint with GPUs that are added",
      pool({ machineType: "n1-standard-8", gpus: { type: "nvidia-tesla-t4", count: 1 }, ...taints("nvidia.com/gpu") }),
      "taints[0]",
      /nvidia.com\/gpu/,
    ],
    [
      "the taint of queued nodes",
      pool({ capacity: "queued", ...byNeed, ...taints("cloud.google.com/gke-queued") }),
      "taints[0]",
      /gke-queued/,
    ],
    ["a taint twice", pool({ taints: [noSchedule("a"), noSchedule("a")] }), "taints[1]", /stands twice/],
    ["this package's label", pool({ labels: { "minicluster/pool": "x" } }), 'labels["minicluster/pool"]', /set name/],
    ...[
      "kubernetes.io/arch",
      "topology.kubernetes.io/zone",
      "node.kubernetes.io/instance-type",
      "cloud.google.com/gke-spot",
      "cloud.google.com/gce-topology-block",
    ].map((key): RuleCase => [
      `GKE's label ${key}`,
      pool({ labels: { [key]: "x" } }),
      `labels["${key}"]`,
      /^is set by GKE itself/,
    ]),
    ["a tag in upper case", pool({ tags: { Team: "hpc" } }), "tags.Team", /label of Google Cloud/],
    ["a tag that begins with a digit", pool({ tags: { "1a": "hpc" } }), 'tags["1a"]', /label of Google Cloud/],
    ["a tag's value in upper case", pool({ tags: { team: "HPC" } }), "tags.team", /label of Google Cloud/],
    ["a network tag in upper case", pool({ networkTags: ["MPI"] }), "networkTags[0]", /lowercase DNS label/],
  ]);
  itAccepts({
    "taints that GKE sets elsewhere": pool({
      taints: [
        noSchedule("nvidia.com/gpu"),
        noSchedule("kubernetes.io/arch"),
        noSchedule("cloud.google.com/gke-queued"),
      ],
    }),
    "labels of GKE that the user sets": pool({
      labels: { "cloud.google.com/gke-queued": "true", "cloud.google.com/gke-networking-dra-driver": "true" },
    }),
    tags: pool({ tags: { team: "hpc-1", empty: "", owner: pulumi.output("me") }, networkTags: ["mpi"] }),
  });
});
