import * as assert from "node:assert/strict";
import type { EksNodePoolArgs } from "../../../../provider";
import { type Case, casesOf } from "../cases";
import { anEfaPoolArgs as efa, anEksPoolArgs, eksProblemsOf, m99 } from "./fixtures";

type Args = Partial<EksNodePoolArgs>;

const { itRefuses, itAccepts, textsOf } = casesOf<EksNodePoolArgs>((args) => eksProblemsOf(anEksPoolArgs(args)));

const twoZones = { zones: ["us-east-1a", "us-east-1b"] };
const zones = ["us-east-1a"];
const block = { capacity: "capacityBlock", reservationId: "cr-1" } as const;
const reservation = { capacity: "reservation", reservationId: "cr-1" } as const;
const p5 = (args: Args) => efa("p5.48xlarge", args);
const types = (...machineTypes: string[]) => ({ machineTypes });
const described = (hardware: object) => ({ machineTypes: ["m99.large"], hardware: { ...m99, ...hardware } });

const oneZone = (reason: string, count: number) =>
  `zones: ${reason} requires exactly one availability zone, not ${count}; name one`;
const requires = (path: string, what: string) => `${path}: requires ${what}; set it, or remove ${path}`;

describe("the rules of an EksNodePool on its place", () => {
  itRefuses([
    [efa("hpc7g.16xlarge", twoZones), oneZone("EFA", 2)],
    [efa("hpc7g.16xlarge", { zones: undefined }), oneZone("EFA", 0)],
    [{ placement: "cluster", ...twoZones }, oneZone('placement "cluster"', 2)],
    [{ ...reservation }, oneZone('capacity "reservation"', 0)],
    [{ ...types("p5.48xlarge"), ...block, ...twoZones }, oneZone('capacity "capacityBlock"', 2)],
    [
      p5({ ...block, placement: "cluster", placementGroupName: "mine" }),
      "placement: a capacity block cannot be in a placement group; remove placement",
    ],
    [
      p5({ ...reservation, placement: "cluster" }),
      "placement: a reservation has no capacity in a new placement group; set placementGroupName to the reservation's own " +
        "group, or remove placement",
    ],
    ...[{ placementGroupName: "mine" }, p5({ placementGroupName: "mine", capacity: "spot" })].map(
      (args): Case<EksNodePoolArgs> => [args, requires("placementGroupName", 'placement "cluster"')],
    ),
    [{ efaLayout: "combined" }, requires("efaLayout", 'fabric "efa"')],
    [{ efaSecurityGroup: true }, requires("efaSecurityGroup", 'fabric "efa"')],
    [{ efaPlugin: { skip: true } }, requires("efaPlugin", 'fabric "efa"')],
    [{ diskType: "io2" }, 'diskType: provisioned-IOPS volumes (io1, io2) are not supported; use "gp3"'],
  ]);
  itAccepts({
    "several zones where nothing keeps to one": twoZones,
    "a placement group in one zone": { placement: "cluster", zones },
    "a named group where EFA brings one": efa("hpc7g.16xlarge", { placementGroupName: "mine" }),
    "the own group of a reservation": p5({ ...reservation, placement: "cluster", placementGroupName: "mine" }),
    "a reservation in one zone": { ...reservation, zones },
    "a capacity block in the only subnet": { ...types("p5.48xlarge"), ...block, subnetIds: ["subnet-a"] },
    "no security group for EFA where there is no EFA": { efaSecurityGroup: false },
  });
});

describe("the rules of an EksNodePool on capacity", () => {
  const needless =
    'reservationId: requires capacity "reservation" or "capacityBlock"; set one of these, or remove reservationId';
  itRefuses([
    [
      { capacity: "reservation", zones },
      'reservationId: capacity "reservation" requires the id of the reservation; add it',
    ],
    [
      p5({ capacity: "capacityBlock" }),
      'reservationId: capacity "capacityBlock" requires the id of the reservation; add it',
    ],
    [{ reservationId: "cr-1" }, needless],
    [{ capacity: "spot", reservationId: "cr-1" }, needless],
    [
      { ...reservation, zones, ...types("m7i.large", "m6i.large") },
      "machineTypes: a reservation has one instance type; keep that one",
    ],
    [
      { ...types("hpc7a.96xlarge"), capacity: "spot" },
      'capacity: hpc7a.96xlarge is not available as spot; use "onDemand" or "reservation"',
    ],
    [
      { ...types("g5.48xlarge"), ...block, zones },
      'capacity: g5.48xlarge is not available in capacity blocks; use "onDemand" or "reservation"',
    ],
  ]);
  itAccepts({ "spot machines": { capacity: "spot" } });
});

describe("the rules of an EksNodePool on labels and taints", () => {
  itRefuses([
    [
      { labels: { "minicluster/pool": "a" } },
      'labels["minicluster/pool"]: this package sets this label; remove it and set name',
    ],
    ...[
      ["node-role.kubernetes.io/hpc", "kubernetes.io"],
      ["k8s.io/a", "k8s.io"],
      ["my.eks.amazonaws.com/a", "eks.amazonaws.com"],
    ].map(([label = "", domain]): Case<EksNodePoolArgs> => [
      { labels: { [label]: "a" } },
      `labels["${label}"]: EKS reserves labels of ${domain}; use another prefix`,
    ]),
    [
      {
        taints: [
          { key: "a", value: "1", effect: "NoSchedule" },
          { key: "a", effect: "NoExecute" },
          { key: "a", value: "2", effect: "NoSchedule" },
        ],
      },
      "taints[2]: duplicate taint a:NoSchedule; remove one of the two",
    ],
  ]);
  itAccepts({
    "labels that only look reserved": {
      labels: {
        "k8s.amazonaws.com/accelerator": "mine",
        "mykubernetes.io/a": "b",
        "kubernetes.io.org/a": "b",
        "k8s.io": "b",
      },
    },
  });
});

describe("the rules of an EksNodePool on machine types", () => {
  const unknown = (index: number, type: string) =>
    `machineTypes[${index}]: unknown instance type "${type}"; correct it, or describe it as hardware: await lookupEksMachine("${type}")`;
  const differ = (a: string, b: string, facts: string): Case<EksNodePoolArgs> => [
    types(a, b),
    `machineTypes[1]: ${b} and ${a} differ in ${facts}; use a pool for each`,
  ];
  itRefuses([
    [efa("m7i.large"), "fabric: m7i.large has no EFA; choose another instance type, or remove fabric"],
    [types("m7i.large", "m99.large"), unknown(1, "m99.large")],
    [types("constructor"), unknown(0, "constructor")],
    [{ ...types("hpc7g.16xlarge"), arch: "amd64" }, "arch: hpc7g.16xlarge is arm64, not amd64; correct or remove arch"],
    [
      { ...types("c7g.16xlarge"), threadsPerCore: 2 },
      "threadsPerCore: c7g.16xlarge has one thread per core; remove threadsPerCore",
    ],
    [
      { ...types("m7i.metal-24xl"), threadsPerCore: 1 },
      "threadsPerCore: EC2 has no CPU options for bare metal such as m7i.metal-24xl; choose a virtualized size, or remove " +
        "threadsPerCore",
    ],
    [
      { ...types("trn1.32xlarge"), os: "bottlerocket" },
      'os: AWS has no bottlerocket image for the Trainium of trn1.32xlarge on amd64; use "al2023"',
    ],
    [
      described({ accelerator: { kind: "amd", model: "Radeon", count: 1 } }),
      "os: AWS has no al2023 image for the Radeon of m99.large on amd64; choose another instance type",
    ],
    [
      types("g7.12xlarge"),
      "machineTypes: the images of EKS have no driver for the RTX PRO 4500 of g7.12xlarge; choose another instance type",
    ],
    [
      described({ efaInterfaces: 2 }),
      "hardware.efaInterfaces: 2 EFA interfaces exceed networkCards 1; correct one of the two",
    ],
    [
      described({ vcpus: 7 }),
      "hardware.vcpus: 7 vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore",
    ],
    [
      { ...types("m7i.large", "m6i.large"), hardware: m99 },
      "hardware: this package knows m7i.large and m6i.large; remove hardware",
    ],
    [
      { ...types("m99.large", "m7i.large", "m98.large"), hardware: { ...m99, vcpus: 2 } },
      "hardware: describes one instance type, and this package does not know m99.large, m98.large; use a pool for each",
    ],
    [{ nvidiaPlugin: { skip: true } }, "nvidiaPlugin: requires NVIDIA GPUs; remove nvidiaPlugin"],
    [{ ...types("trn1.32xlarge"), nvidiaPlugin: {} }, "nvidiaPlugin: requires NVIDIA GPUs; remove nvidiaPlugin"],
    [
      { ...types("g5.48xlarge"), os: "bottlerocket", nvidiaPlugin: { skip: true } },
      'nvidiaPlugin: Bottlerocket has its own NVIDIA plugin; remove nvidiaPlugin, or use os "al2023"',
    ],
    differ("m7i.large", "m7i.xlarge", "CPUs"),
    differ("c6i.16xlarge", "c7g.16xlarge", "architecture, CPUs, EFA"),
    differ("g6.16xlarge", "g5.16xlarge", "accelerators"),
  ]);
  itAccepts({
    "the architecture of the machine": { ...types("hpc7g.16xlarge"), arch: "arm64" },
    "the threads of bare metal": { ...types("m7i.metal-24xl"), threadsPerCore: 2 },
    "types of different memory": types("m7i.16xlarge", "c6i.16xlarge"),
    "a described type with EFA": efa("m99.large", { hardware: { ...m99, efaInterfaces: 1 } }),
    "a described type beside a known one": { ...types("m7i.large", "m99.large"), hardware: { ...m99, vcpus: 2 } },
    "plugins with their devices": p5({ nvidiaPlugin: { skip: true }, efaPlugin: { skip: true } }),
  });
});

describe("the problems of an EksNodePool", () => {
  it("are all reported at once, each at its property", () => {
    const args = {
      ...{
        name: "A",
        clusterName: "",
        nodeRoleArn: undefined,
        subnetIds: [],
        machineTypes: ["m7i.large", 5],
        fabric: "efa",
      },
      ...{
        arch: "arm64",
        autoscale: { min: 3, max: 2 },
        size: 1,
        reservationId: "cr-1",
        taints: 5,
        efaLayout: "new",
        typo: 1,
      },
    };
    const paths = textsOf(args as never).map((text) => text.split(":")[0]);
    assert.deepEqual(paths.sort(), [
      ...["arch", "autoscale.min", "clusterName", "efaLayout", "fabric", "machineTypes[1]", "name", "nodeRoleArn"],
      ...["reservationId", "size", "subnetIds", "taints", "typo", "zones"],
    ]);
  });

  it("are those of a hardware's own properties where it is malformed", () => {
    const efaHardware = { ...m99, efaInterfaces: 1 };
    for (const hardware of [{}, { ...efaHardware, vcpus: "8" }, { ...efaHardware, accelerator: {} }, 5])
      for (const text of textsOf({ ...efa("m99.large"), arch: "amd64", hardware } as never))
        assert.match(text, /^hardware[.:]/);
  });
});
