import * as assert from "node:assert/strict";
import type { EksNodePoolArgs } from "../../../../provider";
import { unknownOutput } from "../../../support/mocks";
import { anEksPoolArgs, eksProblemsOf, outputOf } from "./fixtures";

const number = (range: string) => `must be an integer ${range}`;
const anObject = "must be an object with properties";
const aFlag = "must be true or false";
const notEmpty = "must be a string that is not empty";
const label = "must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends";
const labelKey =
  "must be a key such as app or example.com/app: at most 63 letters, digits, -, _ and . after an optional DNS prefix";
const labelText = "must be a label value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends";
const later =
  ", known before anything is created; this is an output: give the value itself, and what it waits for as dependsOn";

interface Wrong {
  value: unknown;
  /** What is complained about, each as `path: reason`. */
  problems: string[];
}

const wrong = (value: unknown, ...problems: string[]): Wrong => ({ value, problems });
const efa = { fabric: "efa", zones: ["us-east-1a"], machineTypes: ["p4d.24xlarge"] };

/** A value of the wrong form for every property, and for what is inside it. */
const wrongForms: Record<keyof EksNodePoolArgs, Wrong[]> = {
  name: [wrong("Upper", `name: "Upper" ${label}`), wrong(5, `name: ${label}`)],
  clusterName: [wrong("", `clusterName: "" ${notEmpty}`), wrong(undefined, `clusterName: ${notEmpty}`)],
  nodeRoleArn: [wrong(" ", `nodeRoleArn: " " ${notEmpty}`), wrong(undefined, `nodeRoleArn: ${notEmpty}`)],
  subnetIds: [
    wrong([], "subnetIds: needs at least one subnet; add one"),
    wrong("subnet-a", "subnetIds: must be a list"),
    wrong([""], `subnetIds[0]: "" ${notEmpty}`),
    wrong(undefined, "subnetIds: must be a list"),
  ],
  zones: [wrong("us-east-1a", "zones: must be a list"), wrong([5], `zones[0]: ${notEmpty}`)],
  machineTypes: [
    wrong("m7i.large", "machineTypes: must be a list"),
    wrong([], "machineTypes: needs at least one instance type; add one"),
    wrong([5], `machineTypes[0]: ${notEmpty}`),
  ],
  hardware: [
    wrong("large", `hardware: ${anObject}`),
    wrong(
      { network: 1, vcpus: 1.5, networkCards: "2", efaInterfaces: -1, accelerator: 8 },
      'hardware.arch: must be one of "amd64", "arm64"',
      `hardware.vcpus: 1.5 ${number("from 1 to 100000")}`,
      `hardware.threadsPerCore: ${number("from 1 to 2")}`,
      `hardware.memoryMib: ${number("of at least 1")}`,
      `hardware.accelerator: ${anObject}`,
      `hardware.networkCards: ${number("from 1 to 64")}`,
      `hardware.efaInterfaces: -1 ${number("from 0 to 64")}`,
      "hardware.network: unknown property; correct its name or remove it",
    ),
    wrong(
      {
        arch: "amd64",
        vcpus: 2,
        threadsPerCore: 2,
        memoryMib: 1024,
        accelerator: { kind: "fast", model: "", count: 0 },
      },
      'hardware.accelerator.kind: must be one of "nvidia", "amd", "neuron"',
      `hardware.accelerator.model: "" ${notEmpty}`,
      `hardware.accelerator.count: 0 ${number("from 1 to 1000")}`,
    ),
  ],
  arch: [wrong("x86", 'arch: must be one of "amd64", "arm64"')],
  size: [wrong(-1, `size: -1 ${number("from 0 to 100000")}`), wrong("2", `size: ${number("from 0 to 100000")}`)],
  autoscale: [
    wrong(4, `autoscale: ${anObject}`),
    wrong({}, `autoscale.max: ${number("from 1 to 100000")}`),
    wrong({ min: -1, max: 4 }, `autoscale.min: -1 ${number("from 0 to 100000")}`),
    wrong({ min: 0, max: 0 }, `autoscale.max: 0 ${number("from 1 to 100000")}`),
    wrong({ max: 4, desired: 2 }, "autoscale.desired: unknown property; correct its name or remove it"),
  ],
  pairedWith: [
    wrong("cluster", `pairedWith: ${anObject}`),
    wrong({ size: -1 }, `pairedWith.size: -1 ${number("from 0 to 100000")}`),
    wrong(
      { size: 0 },
      "pairedWith.maxSize: says how far the pool may grow, for a cluster that has no pods yet; add it",
    ),
    wrong({ maxSize: 100_001 }, `pairedWith.maxSize: 100001 ${number("from 1 to 100000")}`),
  ],
  fabric: [wrong("rdma", 'fabric: must be one of "none", "efa"')],
  efaLayout: [wrong("new", 'efaLayout: must be one of "combined", "separate"')],
  placement: [wrong("spread", 'placement: must be one of "none", "cluster"')],
  placementGroupName: [wrong("", `placementGroupName: "" ${notEmpty}`)],
  capacity: [wrong("block", 'capacity: must be one of "onDemand", "spot", "reservation", "capacityBlock"')],
  reservationId: [wrong("", `reservationId: "" ${notEmpty}`)],
  os: [wrong("al2", 'os: must be one of "al2023", "bottlerocket"')],
  version: [wrong(1.34, `version: ${notEmpty}`)],
  diskGib: [
    wrong(19, `diskGib: 19 ${number("from 20 to 16384")}`),
    wrong(16_385, `diskGib: 16385 ${number("from 20 to 16384")}`),
  ],
  diskType: [
    wrong(3, `diskType: ${notEmpty}`),
    wrong("io2", 'diskType: io2 is sold by operations per second, which this package does not set; use "gp3"'),
  ],
  labels: [
    wrong(["a"], "labels: must be a map of names to values"),
    wrong({ "not ok": "a" }, `labels["not ok"]: "not ok" ${labelKey}`),
    wrong({ a: "not ok" }, `labels.a: "not ok" ${labelText}`),
  ],
  taints: [
    wrong({}, "taints: must be a list"),
    wrong(
      [{ key: "a", effect: "NO_SCHEDULE" }],
      'taints[0].effect: must be one of "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ),
    wrong([{ key: "", effect: "NoSchedule" }], `taints[0].key: "" ${labelKey}`),
    wrong([{ key: "a", value: " ", effect: "NoSchedule" }], `taints[0].value: " " ${labelText}`),
  ],
  tags: [
    wrong("a=b", "tags: must be a map of names to values"),
    wrong({ a: 5 }, "tags.a: must be a string"),
    wrong({ "": "b" }, `tags[""]: "" ${notEmpty}`),
  ],
  threadsPerCore: [wrong(3, `threadsPerCore: 3 ${number("from 1 to 2")}`)],
  staticCpu: [wrong("yes", `staticCpu: ${aFlag}`)],
  securityGroupIds: [
    wrong("sg-1", "securityGroupIds: must be a list"),
    wrong([""], `securityGroupIds[0]: "" ${notEmpty}`),
  ],
  efaSecurityGroup: [wrong("no", `efaSecurityGroup: ${aFlag}`)],
  nvidiaPlugin: [
    wrong(false, `nvidiaPlugin: ${anObject}`),
    wrong({ skip: 1, image: "" }, `nvidiaPlugin.skip: ${aFlag}`, `nvidiaPlugin.image: "" ${notEmpty}`),
  ],
  efaPlugin: [
    wrong("skip", `efaPlugin: ${anObject}`),
    wrong({ disable: true }, "efaPlugin.disable: unknown property; correct its name or remove it"),
  ],
};

/** What else has to be there for a property to mean something. */
const beside: Partial<Record<keyof EksNodePoolArgs, object>> = {
  placementGroupName: { placement: "cluster", zones: ["us-east-1a"] },
  reservationId: { capacity: "reservation", zones: ["us-east-1a"] },
  hardware: { machineTypes: ["m99.large"] },
  efaLayout: efa,
  efaSecurityGroup: efa,
  efaPlugin: efa,
  nvidiaPlugin: { machineTypes: ["g5.48xlarge"] },
  autoscale: { size: undefined },
  pairedWith: { size: undefined },
};

/** Everything that is wrong where one property has a value, as `path: reason`. */
function problemsWith(property: string, value: unknown): string[] {
  const args = { ...anEksPoolArgs(), ...beside[property as keyof EksNodePoolArgs], [property]: value };
  return eksProblemsOf(args).map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`);
}

describe("the arguments of an EksNodePool", () => {
  for (const [property, cases] of Object.entries(wrongForms))
    for (const { value, problems } of cases)
      it(`refuse ${property} of ${JSON.stringify(value)}`, () =>
        assert.deepEqual(problemsWith(property, value).sort(), problems.sort()));

  it("refuse properties that nobody knows", () =>
    assert.deepEqual(eksProblemsOf({ ...anEksPoolArgs(), instanceType: "m7i.large", nodeCount: 3 }), [
      { propertyPath: "instanceType", reason: "unknown property; correct its name or remove it" },
      { propertyPath: "nodeCount", reason: "unknown property; correct its name or remove it" },
    ]));

  it("refuse anything but an object", () => {
    for (const args of [undefined, null, "pool", []])
      assert.deepEqual(
        eksProblemsOf(args).filter(({ propertyPath }) => propertyPath === ""),
        [{ propertyPath: "", reason: anObject }],
      );
  });

  it("refuse everything that is wrong at once", () => {
    const args = {
      ...{
        name: "A",
        clusterName: "",
        subnetIds: [],
        machineTypes: ["m7i.large"],
        fabric: "efa",
        size: 1,
        arch: "arm64",
      },
      ...{ autoscale: { min: 3, max: 2 }, reservationId: "cr-1", taints: 5, typo: 1 },
    };
    const paths = eksProblemsOf(args).map(({ propertyPath }) => propertyPath);
    const want = [
      ...["name", "clusterName", "nodeRoleArn", "subnetIds", "zones", "fabric", "arch", "size", "autoscale.min"],
      ...["reservationId", "taints", "typo"],
    ];
    assert.deepEqual(paths.sort(), want.sort());
  });
});

/** A right value for every property, and whether it may be one that is known later. */
const rightForms: Record<keyof EksNodePoolArgs, { value: unknown; deferred: boolean; rule?: string }> = {
  name: { value: "pool", deferred: false, rule: label },
  clusterName: { value: "flux", deferred: true },
  nodeRoleArn: { value: "arn", deferred: true },
  subnetIds: { value: ["subnet-a"], deferred: false, rule: "must be a list" },
  zones: { value: ["us-east-1a"], deferred: false, rule: "must be a list" },
  machineTypes: { value: ["m7i.large"], deferred: false, rule: "must be a list" },
  hardware: {
    value: { arch: "amd64", vcpus: 2, threadsPerCore: 2, memoryMib: 1024 },
    ...{ deferred: false, rule: anObject },
  },
  arch: { value: "amd64", deferred: false, rule: 'must be one of "amd64", "arm64"' },
  size: { value: 2, deferred: false, rule: number("from 0 to 100000") },
  autoscale: { value: { max: 4 }, deferred: false, rule: anObject },
  pairedWith: { value: { maxSize: 4 }, deferred: false, rule: anObject },
  fabric: { value: "none", deferred: false, rule: 'must be one of "none", "efa"' },
  efaLayout: { value: "combined", deferred: false, rule: 'must be one of "combined", "separate"' },
  placement: { value: "none", deferred: false, rule: 'must be one of "none", "cluster"' },
  placementGroupName: { value: "group", deferred: true },
  capacity: {
    value: "spot",
    ...{ deferred: false, rule: 'must be one of "onDemand", "spot", "reservation", "capacityBlock"' },
  },
  reservationId: { value: "cr-1", deferred: true },
  os: { value: "al2023", deferred: false, rule: 'must be one of "al2023", "bottlerocket"' },
  version: { value: "1.34", deferred: true },
  diskGib: { value: 20, deferred: false, rule: number("from 20 to 16384") },
  diskType: { value: "gp3", deferred: true },
  labels: { value: { a: "b" }, deferred: false, rule: "must be a map of names to values" },
  taints: { value: [], deferred: false, rule: "must be a list" },
  tags: { value: { a: "b" }, deferred: false, rule: "must be a map of names to values" },
  threadsPerCore: { value: 2, deferred: false, rule: number("from 1 to 2") },
  staticCpu: { value: true, deferred: false, rule: aFlag },
  securityGroupIds: { value: ["sg-1"], deferred: false, rule: "must be a list" },
  efaSecurityGroup: { value: true, deferred: false, rule: aFlag },
  nvidiaPlugin: { value: { skip: true }, deferred: false, rule: anObject },
  efaPlugin: { value: { skip: true }, deferred: false, rule: anObject },
};

describe("values that are known later", () => {
  for (const [property, { value, deferred, rule }] of Object.entries(rightForms))
    it(`are ${deferred ? "taken" : "refused"} as ${property}`, () => {
      assert.deepEqual(problemsWith(property, value), []);
      const problems = [outputOf(value), Promise.resolve(value), unknownOutput()].map((each) =>
        problemsWith(property, each),
      );
      const want = deferred ? [] : [`${property}: ${rule}${later}`];
      assert.deepEqual(problems, [want, want, want]);
    });

  it("are taken inside lists and maps of values, and as images", () => {
    const value = unknownOutput();
    const args: Partial<EksNodePoolArgs> = {
      ...{ subnetIds: [value], securityGroupIds: [value], labels: { a: value }, tags: { a: value } },
      ...{ nvidiaPlugin: { image: value }, efaPlugin: { image: value } },
    };
    const gpus = { ...anEksPoolArgs(args), machineTypes: ["g5.48xlarge"], fabric: "efa", zones: ["us-east-1a"] };
    assert.deepEqual(eksProblemsOf(gpus), []);
  });
});
