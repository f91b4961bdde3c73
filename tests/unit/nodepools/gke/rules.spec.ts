import * as pulumi from "@pulumi/pulumi";
import type { GkeNodePoolArgs } from "../../../../provider";
import { type Case, casesOf } from "../cases";
import {
  aFalconPoolArgs as falcon,
  aGkePoolArgs,
  aRocePoolArgs as roce,
  gkeProblemsOf,
  rdmaNetworks,
  x1,
} from "./fixtures";

type Args = Partial<GkeNodePoolArgs>;

const { itRefuses, itAccepts } = casesOf<GkeNodePoolArgs>((args) => gkeProblemsOf(aGkePoolArgs(args)));

const byNeed = { autoscale: { max: 4 } };
const zones = ["us-central1-a", "us-central1-b"];
const compact = (args: Args = {}): Args => ({ machineType: "c2d-standard-112", placement: "compact", ...args });
const described = (hardware: object): Args => ({ ...x1, hardware: { ...x1.hardware, ...hardware } });
const requires = (path: string, what: string) => `${path}: requires ${what}; set it, or remove ${path}`;

describe("the rules of a GkeNodePool on zones and placement", () => {
  const tooMany = (path: string): string =>
    `${path}: 1501 is above the 1500 nodes of a compact placement; lower it, or remove placement`;
  itRefuses([
    [{ zones: [] }, "zones: size requires zones, for GKE counts nodes by zone; name one or more"],
    [{ zones, size: 5 }, "size: 5 nodes cannot be spread evenly over 2 zones; use 4 or 6"],
    [{ zones: ["us-east4-a", "us-east4-a"] }, "zones[1]: duplicate zone us-east4-a; remove one of the two"],
    [compact({ zones }), 'zones: placement "compact" requires exactly one zone, not 2; name one'],
    [compact({ zones: undefined }), 'zones: placement "compact" requires exactly one zone, not 0; name one'],
    [roce({ zones }), 'zones: fabric "rdma" requires exactly one zone, not 2; name one'],
    [
      { capacity: "reservation", reservationName: "r", zones: [], ...byNeed },
      'zones: capacity "reservation" requires the zone of the reservation; name it',
    ],
    [
      compact({ machineType: "n1-standard-96" }),
      "placement: GKE has no compact placement for n1-standard-96; choose another machine type, or remove placement",
    ],
    [
      compact({ capacity: "queued", ...byNeed }),
      'placement: capacity "queued" has a placement of its own; remove placement',
    ],
    [
      compact({ capacity: "flexStart", ...byNeed }),
      'placement: capacity "flexStart" has compact placement of A3 Ultra, A4 and H4D only; choose one of these, or remove ' +
        "placement",
    ],
    [{ placementPolicyName: "p" }, requires("placementPolicyName", 'placement "compact"')],
    [compact({ size: 1501 }), tooMany("size")],
    [compact({ autoscale: { max: 1501 } }), tooMany("autoscale.max")],
    [compact({ pairedWith: { size: 1, maxSize: 1501 } }), tooMany("pairedWith.maxSize")],
    [compact({ pairedWith: { size: 1501 } }), tooMany("pairedWith.size")],
  ]);
  itAccepts({
    "no zones of a pool that is autoscaled": { ...byNeed, zones: [] },
    "a size that zones can share": { zones, size: 6 },
    "no node in two zones": { zones, size: 0 },
    "as many nodes as a compact placement has, by a policy": compact({ size: 1500, placementPolicyName: "p" }),
    ...Object.fromEntries(
      [roce(), roce({ machineType: "a4-highgpu-8g" }), falcon()].map((args) => [
        `compact placement of ${args.machineType} with flex start`,
        { ...args, ...byNeed, size: undefined, placement: "compact", capacity: "flexStart" } as const,
      ]),
    ),
  });
});

describe("the rules of a GkeNodePool on capacity", () => {
  itRefuses([
    [
      { capacity: "reservation" },
      'reservationName: capacity "reservation" requires the name of the reservation; add it',
    ],
    [{ capacity: "spot", reservationName: "r" }, requires("reservationName", 'capacity "reservation"')],
    ...(["flexStart", "queued"] as const).flatMap((capacity): Case<GkeNodePoolArgs>[] => [
      [
        { capacity, size: 2 },
        `size: nodes of capacity "${capacity}" are in no fixed number; use autoscale or pairedWith`,
      ],
      [
        { capacity, autoRepair: true, ...byNeed },
        `autoRepair: GKE does not repair nodes of capacity "${capacity}"; remove autoRepair`,
      ],
    ]),
    [
      { capacity: "queued", autoscale: { min: 1, max: 4 } },
      'autoscale.min: must be 0 with capacity "queued", not 1; lower it',
    ],
    [
      { maxRunSeconds: 60 },
      'maxRunSeconds: requires capacity "flexStart" or "queued"; set one of these, or remove maxRunSeconds',
    ],
    [
      { machineType: "h3-standard-88", capacity: "spot" },
      'capacity: h3-standard-88 is not available as spot; use "onDemand" or "reservation"',
    ],
  ]);
  itAccepts({
    "spot machines": { capacity: "spot" },
    "flex start with nodes that always run": { capacity: "flexStart", autoscale: { min: 1, max: 4 } },
    "queued nodes for a cluster": {
      capacity: "queued",
      pairedWith: { size: 4 },
      maxRunSeconds: 3600,
      autoRepair: false,
    },
    "a reservation that is known later": { capacity: "reservation", reservationName: pulumi.output("r") },
  });
});

describe("the rules of a GkeNodePool on its network", () => {
  const network = { network: "vpc", subnetwork: "subnet" };
  itRefuses([
    [
      { machineType: "c2d-standard-16", fabric: "tier1" },
      "fabric: c2d-standard-16 has no Tier_1 bandwidth; choose a larger machine type, or remove fabric",
    ],
    [
      roce({ machineType: "a3-megagpu-8g" }),
      "fabric: a3-megagpu-8g has no RDMA; choose A3 Ultra, A4, A4X or H4D, or remove fabric",
    ],
    [
      roce({ rdmaNetworks: rdmaNetworks(4) }),
      "rdmaNetworks: a3-ultragpu-8g has 8 RDMA interfaces, not 4; name one network for each",
    ],
    [
      falcon({ rdmaNetworks: undefined }),
      "rdmaNetworks: h4d-highmem-192-lssd has 1 RDMA interfaces, not 0; name one network for each",
    ],
    [
      roce({ gvnicNetwork: undefined }),
      "gvnicNetwork: a3-ultragpu-8g requires the network of its second gVNIC; add it",
    ],
    [falcon({ gvnicNetwork: network }), "gvnicNetwork: h4d-highmem-192-lssd has no second gVNIC; remove gvnicNetwork"],
    [{ rdmaNetworks: rdmaNetworks(1) }, requires("rdmaNetworks", 'fabric "rdma"')],
    [{ gvnicNetwork: network }, requires("gvnicNetwork", 'fabric "rdma"')],
    [
      roce({ rdmaNetworks: [...rdmaNetworks(7), ...rdmaNetworks(1)] }),
      'rdmaNetworks[7].name: duplicate name "rdma-0"; name a Network object for each interface',
    ],
    [
      falcon({ rdmaNetworks: [{ ...network, name: "default" }] }),
      'rdmaNetworks[0].name: "default" is the network of the cluster; use another name',
    ],
  ]);
  itAccepts({
    "Tier_1 on a large machine": { machineType: "c2d-standard-112", fabric: "tier1" },
    "RoCE between GPUs": roce(),
    "Falcon between CPUs": falcon(),
  });
});

describe("the rules of a GkeNodePool on its machine type", () => {
  const gpus = { type: "nvidia-tesla-v100", count: 8 };
  const accelerator = { kind: "nvidia", model: "X1", count: 2 } as const;
  itRefuses([
    [
      { machineType: "c2d-standard-113" },
      'machineType: unknown machine type "c2d-standard-113"; correct it, or describe it as hardware: ' +
        'await lookupGkeMachine("c2d-standard-113", { zone, arch, threadsPerCore })',
    ],
    [
      { machineType: "c4a-standard-72", arch: "amd64" },
      "arch: c4a-standard-72 is arm64, not amd64; correct or remove arch",
    ],
    [
      { machineType: "t2d-standard-60", threadsPerCore: 2 },
      "threadsPerCore: t2d-standard-60 has one thread per core; remove threadsPerCore",
    ],
    [
      { machineType: "n1-standard-32", gpus: { ...gpus, count: 3 } },
      "gpus.count: n1-standard-32 takes 1, 2, 4, 8 of V100, not 3; use one of these",
    ],
    [
      { machineType: "n1-standard-32", gpus: { ...gpus, type: "toString" } },
      'gpus.type: n1-standard-32 takes no GPUs "toString"; use one of nvidia-tesla-p4, nvidia-tesla-p100, ' +
        "nvidia-tesla-t4, nvidia-tesla-v100",
    ],
    [{ gpus }, "gpus: n4-standard-16 takes no GPUs; choose one of N1, or one that comes with GPUs"],
    [{ machineType: "g2-standard-96", gpus }, "gpus: g2-standard-96 comes with its GPUs; remove gpus"],
    [{ ...x1, gpus }, "gpus: x1-standard-8 takes no GPUs; describe those that it has as hardware.accelerator"],
    [{ gpuDriver: "latest" }, "gpuDriver: n4-standard-16 has no GPUs; remove gpuDriver"],
    [
      described({ accelerator }),
      'hardware.acceleratorType: hardware.accelerator requires the name that GKE has for it, such as "nvidia-l4"; add it',
    ],
    [
      described({ acceleratorType: "x1", accelerator: { ...accelerator, kind: "neuron" } }),
      'hardware.accelerator.kind: GKE has accelerators of "nvidia" only; correct it',
    ],
    [
      described({ acceleratorType: "nvidia-x1" }),
      "hardware.acceleratorType: requires hardware.accelerator; add it, or remove acceleratorType",
    ],
    [
      described({ vcpus: 3 }),
      "hardware.vcpus: 3 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore",
    ],
    [{ hardware: x1.hardware }, "hardware: this package knows n4-standard-16; remove hardware"],
    [
      { diskType: "pd-ssd" },
      'diskType: n4-standard-16 has no Persistent Disk; use "hyperdisk-balanced", or remove diskType',
    ],
  ]);
  itAccepts({
    "GPUs on a machine that takes them": { machineType: "n1-standard-32", gpus, gpuDriver: "latest" },
    "a driver for GPUs that come with the machine": { machineType: "g2-standard-96", gpuDriver: "none" },
    "an odd number of cores with one thread": described({ vcpus: 3, threadsPerCore: 1 }),
    "described GPUs": described({ accelerator, acceleratorType: "nvidia-x1" }),
    "described RDMA": falcon(described({ rdmaInterfaces: 1 })),
    "described Tier_1": { fabric: "tier1", ...described({ tier1: true }) },
    "described compact placement": { placement: "compact", ...described({ compactPlacement: true }) },
    "a Persistent Disk where there is one": { machineType: "c3-standard-88", diskType: "pd-ssd" },
    "a disk that is known later": { diskType: pulumi.output("pd-ssd") },
    "the architecture that matches": { machineType: "c4a-standard-72", arch: "arm64" },
  });
});

describe("the rules of a GkeNodePool on labels and taints", () => {
  const taints = (...keys: string[]): Args => ({ taints: keys.map((key) => ({ key, effect: "NoSchedule" })) });
  const own = (args: Args, key: string): Case<GkeNodePoolArgs> => [
    { ...args, ...taints(key) },
    `taints[0]: GKE sets the taint ${key} on these nodes; remove it`,
  ];
  itRefuses([
    own({ machineType: "t2a-standard-8" }, "kubernetes.io/arch"),
    own({ machineType: "g2-standard-8" }, "nvidia.com/gpu"),
    own({ machineType: "n1-standard-8", gpus: { type: "nvidia-tesla-t4", count: 1 } }, "nvidia.com/gpu"),
    own({ capacity: "queued", ...byNeed }, "cloud.google.com/gke-queued"),
    ...[
      ...["kubernetes.io/arch", "topology.kubernetes.io/zone", "cloud.google.com/gke-spot"],
      ...["cloud.google.com/gke-accelerator", "cloud.google.com/gce-topology-block"],
    ].map((key): Case<GkeNodePoolArgs> => [
      { labels: { [key]: "x" } },
      `labels["${key}"]: GKE sets this label; use another key`,
    ]),
  ]);
  itAccepts({
    "taints that GKE sets on other nodes": taints(
      "nvidia.com/gpu",
      "kubernetes.io/arch",
      "cloud.google.com/gke-queued",
    ),
    "labels of GKE that the user sets": { labels: { "cloud.google.com/gke-queued": "true" } },
  });
});
