import * as assert from "node:assert/strict";
import type { EksNodePoolArgs } from "../../../../provider";
import { buildLaunchTemplate, buildNodeGroup, needsPlacementGroup } from "../../../../provider/nodepools/eks/pool";
import { renderUserData } from "../../../../provider/nodepools/eks/os";
import type { EksPoolSpec } from "../../../../provider/nodepools/eks/parse";
import { anEfaPool, anEksPool } from "./fixtures";

const securityGroups = ["sg-cluster", "sg-own"];
const launchTemplate = { id: "lt-1", version: "3" };

const templateOf = (spec: EksPoolSpec, placementGroup?: string) =>
  buildLaunchTemplate(spec, { securityGroups, placementGroup });
const groupOf = (spec: EksPoolSpec) => buildNodeGroup(spec, { subnetIds: ["subnet-a"], launchTemplate });
const base64 = (text: string | undefined) => Buffer.from(text ?? assert.fail("no user data")).toString("base64");

const disk = { volumeSize: 150, volumeType: "gp3", deleteOnTermination: "true", encrypted: "true" };

/** What every template of a pool called "hpc" has. */
const template = {
  description: "minicluster pool hpc",
  updateDefaultVersion: true,
  blockDeviceMappings: [{ deviceName: "/dev/xvda", ebs: disk }],
  metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
};

/** What every such pool has. */
const group = {
  clusterName: "flux",
  nodeRoleArn: "arn:aws:iam::1:role/nodes",
  subnetIds: ["subnet-a"],
  capacityType: "ON_DEMAND",
  labels: { "minicluster/pool": "hpc" },
  launchTemplate,
};
const ofTwo = { scalingConfig: { minSize: 2, maxSize: 2, desiredSize: 2 } };

const onCard = (networkCardIndex: number, deviceIndex: number, interfaceType: string) => ({
  ...{ networkCardIndex, deviceIndex, interfaceType },
  ...{ securityGroups, deleteOnTermination: "true" },
});
const allCards = (count: number) => [
  onCard(0, 0, "efa"),
  ...Array.from({ length: count - 1 }, (_, index) => onCard(index + 1, 1, "efa-only")),
];

const autoscalerTag = (name: string) => `k8s.io/cluster-autoscaler/node-template/resources/${name}`;

interface Case {
  name: string;
  spec: EksPoolSpec;
  placementGroup?: string;
  template: object;
  group: object;
}

const cases: Case[] = [
  {
    name: "a plain pool of CPUs",
    spec: anEksPool(),
    template: { ...template, vpcSecurityGroupIds: securityGroups },
    group: { ...group, ...ofTwo, amiType: "AL2023_x86_64_STANDARD", instanceTypes: ["m7i.large"] },
  },
  {
    name: "hpc7g with EFA on Bottlerocket in a placement group",
    spec: anEfaPool("hpc7g.16xlarge"),
    placementGroup: "together",
    template: {
      ...template,
      blockDeviceMappings: [{ deviceName: "/dev/xvdb", ebs: disk }],
      networkInterfaces: [onCard(0, 0, "efa")],
      placement: { groupName: "together", availabilityZone: "us-east-1a" },
    },
    group: { ...group, ...ofTwo, amiType: "BOTTLEROCKET_ARM_64", instanceTypes: ["hpc7g.16xlarge"] },
  },
  {
    name: "hpc7a with EFA on Amazon Linux, which gets the host's part of EFA, in the separate layout",
    spec: anEfaPool("hpc7a.96xlarge", { os: "al2023", efaLayout: "separate", placement: "none" }),
    template: {
      ...template,
      networkInterfaces: [
        { networkCardIndex: 0, deviceIndex: 0, securityGroups, deleteOnTermination: "true" },
        onCard(0, 1, "efa-only"),
        onCard(1, 0, "efa-only"),
      ],
      userData: base64(renderUserData({ os: "al2023", staticCpu: false, installEfa: true })),
    },
    group: { ...group, ...ofTwo, amiType: "AL2023_x86_64_STANDARD", instanceTypes: ["hpc7a.96xlarge"] },
  },
  {
    name: "a capacity block, whose instance type stands in the template alone",
    spec: anEfaPool("p5en.48xlarge", { capacity: "capacityBlock", reservationId: "cr-1" }),
    template: {
      ...template,
      networkInterfaces: allCards(16),
      capacityReservationSpecification: { capacityReservationTarget: { capacityReservationId: "cr-1" } },
      instanceMarketOptions: { marketType: "capacity-block" },
      instanceType: "p5en.48xlarge",
    },
    group: { ...group, ...ofTwo, capacityType: "CAPACITY_BLOCK", amiType: "AL2023_x86_64_NVIDIA" },
  },
  {
    name: "whole CPUs for pods, and one thread for each core",
    spec: anEksPool({ machineTypes: ["c7i.48xlarge"], staticCpu: true, threadsPerCore: 1 }),
    template: {
      ...template,
      vpcSecurityGroupIds: securityGroups,
      cpuOptions: { coreCount: 96, threadsPerCore: 1 },
      userData: base64(renderUserData({ os: "al2023", staticCpu: true, installEfa: false })),
    },
    group: { ...group, ...ofTwo, amiType: "AL2023_x86_64_STANDARD", instanceTypes: ["c7i.48xlarge"] },
  },
  {
    name: "a pool that is scaled by need, with everything that people set",
    spec: anEfaPool("trn1.32xlarge", {
      ...{ autoscale: { min: 1, max: 8 }, placement: "none", tags: { team: "physics" }, labels: { tier: "fast" } },
      taints: [
        { key: "a", value: "b", effect: "NoSchedule" },
        { key: "c", effect: "PreferNoSchedule" },
        { key: "d", effect: "NoExecute" },
      ],
      ...{ version: "1.34", diskGib: 500, diskType: "gp2" },
    }),
    template: {
      ...template,
      blockDeviceMappings: [{ deviceName: "/dev/xvda", ebs: { ...disk, volumeSize: 500, volumeType: "gp2" } }],
      networkInterfaces: allCards(8),
      tagSpecifications: ["instance", "volume", "network-interface"].map((resourceType) => ({
        ...{ resourceType, tags: { team: "physics" } },
      })),
      tags: { team: "physics" },
    },
    group: {
      ...group,
      amiType: "AL2023_x86_64_NEURON",
      instanceTypes: ["trn1.32xlarge"],
      scalingConfig: { minSize: 1, maxSize: 8, desiredSize: 1 },
      labels: { tier: "fast", "minicluster/pool": "hpc" },
      taints: [
        { key: "a", value: "b", effect: "NO_SCHEDULE" },
        { key: "c", value: "", effect: "PREFER_NO_SCHEDULE" },
        { key: "d", value: "", effect: "NO_EXECUTE" },
      ],
      version: "1.34",
      tags: {
        [autoscalerTag("aws.amazon.com/neuron")]: "16",
        [autoscalerTag("vpc.amazonaws.com/efa")]: "8",
        [autoscalerTag("hugepages-2Mi")]: "5120Mi",
        team: "physics",
      },
    },
  },
];

describe("what AWS is asked for", () => {
  for (const { name, spec, placementGroup, template: wantTemplate, group: wantGroup } of cases) {
    it(`is this launch template for ${name}`, () => assert.deepEqual(templateOf(spec, placementGroup), wantTemplate));
    it(`is this node group for ${name}`, () => assert.deepEqual(groupOf(spec), wantGroup));
  }

  it("has these capacities, several types, and a limit of one where it has no nodes", () => {
    const capacityOf = (args: Partial<EksNodePoolArgs>) => groupOf(anEksPool(args)).capacityType;
    const reserved = { reservationId: "cr-1", zones: ["us-east-1a"] };
    assert.deepEqual(
      [capacityOf({}), capacityOf({ capacity: "spot" }), capacityOf({ capacity: "reservation", ...reserved })],
      ["ON_DEMAND", "SPOT", "ON_DEMAND"],
    );
    const machineTypes = ["m7i.large", "m6i.large"];
    assert.deepEqual(groupOf(anEksPool({ machineTypes })).instanceTypes, machineTypes);
    assert.deepEqual(groupOf(anEksPool({ size: 0 })).scalingConfig, { minSize: 0, maxSize: 1, desiredSize: 0 });
  });

  it("sets no CPU options where the threads are those of the machine", () =>
    assert.equal(templateOf(anEksPool({ machineTypes: ["c7i.48xlarge"], threadsPerCore: 2 })).cpuOptions, undefined));

  it("installs no EFA where the image has it, or where there is none", () => {
    const specs = [
      ...[anEfaPool("p5.48xlarge"), anEfaPool("hpc7a.96xlarge"), anEfaPool("hpc7a.96xlarge", { os: "bottlerocket" })],
      anEksPool({ machineTypes: ["hpc7a.96xlarge"] }),
    ];
    for (const spec of specs) assert.equal(templateOf(spec).userData, undefined, `${spec.os} ${spec.fabric}`);
  });

  it("tells the autoscaler of no device that it knows itself, and of none in a pool of fixed size", () => {
    const autoscale = { max: 4 };
    assert.equal(groupOf(anEksPool({ machineTypes: ["g5.48xlarge"], autoscale })).tags, undefined);
    assert.equal(groupOf(anEfaPool("p5.48xlarge", { size: 4 })).tags, undefined);
    assert.deepEqual(Object.keys(groupOf(anEfaPool("p5.48xlarge", { autoscale })).tags ?? {}), [
      autoscalerTag("vpc.amazonaws.com/efa"),
      autoscalerTag("hugepages-2Mi"),
    ]);
  });

  const gpuLabel = "k8s.amazonaws.com/accelerator";
  const labelsOf = (spec: EksPoolSpec) => (groupOf(spec).labels ?? {}) as Record<string, string>;

  it("has the autoscaler wait for the GPUs of a new node, by the names that the autoscaler has for them", () => {
    const names: [machineType: string, name: string][] = [
      ["p4d.24xlarge", "nvidia-tesla-a100"],
      ["g5g.xlarge", "nvidia-t4g"],
      ["p5.48xlarge", "nvidia-h100"],
    ];
    for (const [machineType, name] of names)
      assert.equal(labelsOf(anEksPool({ machineTypes: [machineType], autoscale: { max: 4 } }))[gpuLabel], name);
  });

  it("makes a label of whatever a GPU is called", () => {
    const accelerator = { kind: "nvidia", model: `RTX PRO (Server) ${"x".repeat(43)} y`, count: 1 } as const;
    const hardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 1024, accelerator } as const;
    const spec = anEksPool({ machineTypes: ["g99.large"], hardware, autoscale: { max: 4 } });
    assert.equal(labelsOf(spec)[gpuLabel], `nvidia-rtx-pro-server-${"x".repeat(41)}`);
    const spaced = { ...hardware, accelerator: { ...accelerator, model: `${"x".repeat(55)} y` } };
    const ending = anEksPool({ machineTypes: ["g99.large"], hardware: spaced, autoscale: { max: 4 } });
    assert.equal(labelsOf(ending)[gpuLabel], `nvidia-${"x".repeat(55)}`);
  });

  it("has no such label without NVIDIA's GPUs or without an autoscaler, and leaves the user his own", () => {
    const autoscale = { max: 4 };
    for (const args of [
      { autoscale },
      { autoscale, machineTypes: ["trn1.32xlarge"] },
      { machineTypes: ["g5.48xlarge"] },
    ])
      assert.deepEqual(Object.keys(labelsOf(anEksPool(args))), ["minicluster/pool"]);
    const own = anEksPool({ machineTypes: ["g5.48xlarge"], autoscale, labels: { [gpuLabel]: "mine" } });
    assert.equal(labelsOf(own)[gpuLabel], "mine");
  });

  it("lets a tag of the user's own stand above that for the autoscaler", () => {
    const tags = { [autoscalerTag("hugepages-2Mi")]: "1Gi" };
    const own = (groupOf(anEfaPool("hpc7g.16xlarge", { autoscale: { max: 4 }, tags })).tags ?? {}) as typeof tags;
    assert.equal(own[autoscalerTag("hugepages-2Mi")], "1Gi");
  });
});

describe("a new placement group", () => {
  const needs: [name: string, args: Partial<EksNodePoolArgs>, want: boolean][] = [
    ["is made for EFA on demand", {}, true],
    ["is not made where one is named", { placementGroupName: "mine" }, false],
    ["is not made without placement", { placement: "none" }, false],
    ["is made for spot capacity on request", { capacity: "spot", placement: "cluster" }, true],
  ];
  for (const [name, args, want] of needs)
    it(name, () => assert.equal(needsPlacementGroup(anEfaPool("p4d.24xlarge", args)), want));
});
