import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { AksNodePoolArgs, EksNodePoolArgs, GkeNodePoolArgs } from "../../../provider";
import type { InputProblem } from "../../../provider/shared/errors";
import { aksArgs, aksProblems } from "./aks/fixtures";
import { anEksPoolArgs, eksProblemsOf } from "./eks/fixtures";
import { aGkePoolArgs, gkeProblemsOf } from "./gke/fixtures";

/** Values that an argument refuses, each with the place of the issue where that is deeper than the argument. */
type Wrong = unknown[] | Record<string, unknown>;

const sizes = {
  size: [-1, 100_001, "2"],
  autoscale: { "autoscale.max": {}, "autoscale.min": { min: -1, max: 4 }, "autoscale.desired": { max: 4, desired: 2 } },
  pairedWith: { "pairedWith.size": { size: -1 }, "pairedWith.maxSize": { maxSize: 0 } },
};
const common = {
  ...sizes,
  clusterName: [""],
  arch: ["x86"],
  fabric: ["ethernet"],
  placement: ["spread"],
  capacity: ["block"],
  version: [1.34],
  labels: { labels: ["a"], 'labels["not ok"]': { "not ok": "a" }, "labels.a": { a: "not ok" } },
  taints: {
    "taints[0].effect": [{ key: "a", effect: "NO_SCHEDULE" }],
    "taints[0].value": [{ key: "a", value: " ", effect: "NoSchedule" }],
    "taints[0]": [null],
  },
  staticCpu: ["yes"],
};
const hardware = {
  "hardware.arch": {},
  "hardware.vcpus": { vcpus: 0 },
  "hardware.accelerator.kind": { accelerator: { kind: "fast" } },
};
const plugin = (name: string) => ({
  [name]: false,
  [`${name}.image`]: { image: "" },
  [`${name}.disable`]: { disable: true },
});

const eks: Record<keyof EksNodePoolArgs, Wrong> = {
  ...common,
  name: ["Upper", 5],
  nodeRoleArn: [" ", undefined],
  subnetIds: { subnetIds: [], "subnetIds[0]": [""] },
  zones: { zones: "us-east-1a", "zones[0]": [5] },
  machineTypes: { machineTypes: [], "machineTypes[0]": [5] },
  hardware: {
    ...hardware,
    "hardware.networkCards": { networkCards: 0 },
    "hardware.efaInterfaces": { efaInterfaces: 65 },
  },
  efaLayout: ["new"],
  placementGroupName: [""],
  reservationId: [""],
  os: ["al2"],
  diskGib: [19, 16_385],
  diskType: [3],
  tags: { "tags.a": { a: 5 }, 'tags[""]': { "": "b" } },
  threadsPerCore: [0, 3],
  securityGroupIds: { "securityGroupIds[0]": [""] },
  efaSecurityGroup: ["no"],
  nvidiaPlugin: plugin("nvidiaPlugin"),
  efaPlugin: plugin("efaPlugin"),
};

const gke: Record<keyof GkeNodePoolArgs, Wrong> = {
  ...common,
  name: [""],
  location: [""],
  project: [""],
  zones: { "zones[0]": ["us-east4"] },
  machineType: ["", 5],
  hardware: { ...hardware, "hardware.rdmaInterfaces": { rdmaInterfaces: 65 }, "hardware.tier1": { tier1: 1 } },
  rdmaNetworks: { "rdmaNetworks[0].name": [{ network: "a", subnetwork: "b", name: "RDMA" }] },
  gvnicNetwork: { "gvnicNetwork.subnetwork": { network: "a" } },
  placementPolicyName: [""],
  reservationName: [""],
  maxRunSeconds: [0, 604_801],
  gpus: { "gpus.count": { type: "a", count: 17 }, "gpus.type": { type: "", count: 1 } },
  gpuDriver: ["newest"],
  autoRepair: [1],
  autoUpgrade: [1],
  diskGib: [9, 65_537],
  diskType: [""],
  tags: { "tags.Team": { Team: "hpc" }, 'tags["1a"]': { "1a": "hpc" }, "tags.team": { team: "HPC" } },
  networkTags: { "networkTags[0]": ["MPI"] },
  threadsPerCore: [0, 3],
  serviceAccount: [""],
};

const aks: Record<keyof AksNodePoolArgs, Wrong> = {
  ...common,
  name: ["Hpc", "my-pool", "1a", "abcdefghijklm", ""],
  resourceGroupName: [""],
  machineType: ["", 5],
  hardware: { ...hardware, "hardware.infinibandDevices": { infinibandDevices: 65 } },
  proximityPlacementGroupId: [""],
  location: [""],
  zones: { "zones[0]": ["eastus-1"] },
  capacityReservationGroupId: [""],
  spotMaxPrice: [0, "cheap"],
  gpuDriver: ["latest"],
  osSku: ["windows"],
  diskGib: [29, 2049],
  diskType: ["gp3"],
  vnetSubnetId: [""],
  applicationSecurityGroupIds: { "applicationSecurityGroupIds[0]": [""] },
  tags: { "tags.a": { a: 5 } },
  nvidiaPlugin: plugin("nvidiaPlugin"),
  rdmaPlugin: plugin("rdmaPlugin"),
};

interface Cloud {
  wrong: Record<string, Wrong>;
  args: object;
  problemsOf: (args: object) => InputProblem[];
  /** Arguments that may be outputs. All others decide on what is made, and have to be known. */
  inputs: string[];
}

const clouds: Record<string, Cloud> = {
  EksNodePool: {
    ...{ wrong: eks, args: anEksPoolArgs(), problemsOf: eksProblemsOf },
    inputs: ["clusterName", "nodeRoleArn", "placementGroupName", "reservationId", "version", "diskType"],
  },
  GkeNodePool: {
    ...{ wrong: gke, args: aGkePoolArgs(), problemsOf: gkeProblemsOf },
    inputs: [
      ...["clusterName", "location", "project", "placementPolicyName", "reservationName", "version", "diskType"],
      "serviceAccount",
    ],
  },
  AksNodePool: {
    ...{ wrong: aks, args: aksArgs(), problemsOf: aksProblems },
    inputs: [
      ...["clusterName", "resourceGroupName", "proximityPlacementGroupId", "location", "capacityReservationGroupId"],
      ...["spotMaxPrice", "version", "vnetSubnetId"],
    ],
  },
};

for (const [name, { wrong, args, problemsOf, inputs }] of Object.entries(clouds))
  describe(`the fields of ${name}`, () => {
    const reasonsAt = (path: string, key: string, value: unknown) =>
      problemsOf({ ...args, [key]: value }).flatMap(({ propertyPath, reason }) =>
        propertyPath === path ? [reason] : [],
      );

    for (const [key, values] of Object.entries(wrong)) {
      const cases = Array.isArray(values)
        ? values.map((value: unknown) => [key, value] as const)
        : Object.entries(values);
      it(`refuse what ${key} cannot be`, () => {
        for (const [path, value] of cases) {
          const reasons = reasonsAt(path, key, value);
          assert.match(reasons.join(), /must be|needs at least|unknown property/, `${path} ${JSON.stringify(value)}`);
        }
      });
      const isInput = inputs.includes(key);
      it(`${isInput ? "take" : "refuse"} an output as ${key}`, () => {
        const reasons = [pulumi.output("x"), Promise.resolve("x")].map((value) => reasonsAt(key, key, value).join());
        for (const reason of reasons)
          if (isInput) assert.doesNotMatch(reason, /must be/);
          else assert.match(reason, /^must be .*, known before anything is created; this is an output/);
      });
    }

    it("refuse unknown properties, and anything but an object", () => {
      assert.match(reasonsAt("nodeCount", "nodeCount", 3).join(), /^unknown property/);
      for (const given of [undefined, null, "pool", []])
        assert.equal(problemsOf(given as never)[0]?.reason, "must be an object with properties");
    });
  });

describe("the fields of every pool", () => {
  it("take outputs inside lists and maps, and as images", () => {
    const value = pulumi.output("x");
    const maps = { labels: { a: value }, tags: { a: value } };
    const gpus = { machineTypes: ["g5.48xlarge"], nvidiaPlugin: { image: value } };
    assert.deepEqual(
      eksProblemsOf(anEksPoolArgs({ ...maps, ...gpus, subnetIds: [value], securityGroupIds: [value] })),
      [],
    );
    assert.deepEqual(gkeProblemsOf(aGkePoolArgs({ ...maps, networkTags: [value] })), []);
    assert.deepEqual(aksProblems(aksArgs({ ...maps, applicationSecurityGroupIds: [value] })), []);
  });

  it("have the name of the resource where none is given", () => {
    assert.deepEqual(aksProblems(aksArgs({ name: undefined }), "hpc"), []);
    assert.deepEqual(
      aksProblems(aksArgs({ name: undefined }), "infiniband-pool").map(({ propertyPath }) => propertyPath),
      ["name"],
    );
  });
});
