import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../../provider";
import { aContainer, aGpuPool, aMiniCluster, aPool } from "../../../../support/fixtures";
import { manifestsOf } from "../../../../support/manifests";
import { containerOf, podOf } from "../../../../support/pod";

type Args = Partial<MiniClusterArgs>;
type Resources = MiniClusterContainerArgs["resources"];

/** Resources of the container that runs Flux, on a pool of GPUs unless another one is given. */
const resourcesOf = (args: Args) => aMiniCluster({ pool: aGpuPool(), ...args }).main.resources ?? {};
const withOwn = (resources: Resources): Args => ({ containers: [aContainer({ resources })] });
const beside = (...others: Resources[]): Args => ({
  containers: [
    ...others.map((resources, index) => ({ image: "side", name: `side-${index}`, resources })),
    aContainer({ runFlux: true }),
  ],
});
const template = (home: "containers" | "initContainers", item: object): Args => ({
  podTemplate: { spec: { [home]: [item] } },
});

const devices = { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "5120Mi" };
const small = (vcpus: number, args: Args = {}): Args => ({ pool: aPool({}, { vcpus, cores: 1 }), ...args });
const shared: Args = { network: { affinity: "preferred" } };
const later = pulumi.output("9");

describe("what a pod takes of a node", () => {
  const cases: [name: string, args: Args, want: Resources][] = [
    ["all devices, and nearly all CPUs", {}, { limits: devices, requests: { cpu: "86" } }],
    [
      "what the user gives in the place of what the pool says",
      withOwn({ limits: { "nvidia.com/gpu": "4", ephemeral: "1Gi" } }),
      { limits: { ...devices, "nvidia.com/gpu": "4", ephemeral: "1Gi" }, requests: { cpu: "86" } },
    ],
    [
      "a request of a device as the limit, too, since Kubernetes knows one number of both",
      withOwn({ requests: { "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" } }),
      {
        limits: { ...devices, "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" },
        requests: { cpu: "86", "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" },
      },
    ],
    [
      "what the user's template asks for of a device",
      template("containers", { name: "demo", resources: { requests: { "nvidia.com/gpu": 2 } } }),
      { limits: { ...devices, "nvidia.com/gpu": "2" }, requests: { cpu: "86" } },
    ],
    ["no CPUs beside a limit of them", withOwn({ limits: { cpu: "4" } }), { limits: { ...devices, cpu: "4" } }],
    [
      "no CPUs beside a request of memory",
      withOwn({ requests: { memory: "8Gi" } }),
      { limits: devices, requests: { memory: "8Gi" } },
    ],
    [
      "no CPUs beside those of the user's template",
      template("containers", { name: "demo", resources: { limits: { cpu: "4" } } }),
      { limits: devices },
    ],
    ["one CPU where pods may share a node", shared, { limits: devices, requests: { cpu: "1" } }],
    [
      "next to nothing where the pod as a whole has its resources, but what Kubernetes wants beside huge pages",
      { pod: { resources: { requests: { memory: "8Gi" } } } },
      { limits: devices, requests: { cpu: "1m" } },
    ],
    [
      "the same where the user's template gives the pod its resources",
      { podTemplate: { spec: { resources: { requests: { cpu: "8" } } } } },
      { limits: devices, requests: { cpu: "1m" } },
    ],
    ["nothing there without huge pages", { pool: aPool(), pod: { resources: { requests: { cpu: "8" } } } }, {}],
    ["most of the only CPU of a machine", small(1), { requests: { cpu: "900m" } }],
    ["no more of it where pods may share the machine", small(1, shared), { requests: { cpu: "900m" } }],
    ["whole CPUs", small(8), { requests: { cpu: "7" } }],
    ["what is left of one CPU", small(2, beside({ requests: { cpu: "1" } })), { requests: { cpu: "800m" } }],
    ["at most one CPU", small(2, { ...shared, ...beside({ requests: { cpu: "100m" } }) }), { requests: { cpu: "1" } }],
    ["never nothing", small(1, beside({ requests: { cpu: "950m" } })), { requests: { cpu: "1m" } }],
    [
      "less by the CPUs of the containers beside it: requests, or limits where there are none",
      // 96 × 0.9 - 2 - 3.5
      {
        pool: aPool(),
        ...beside(
          { requests: { cpu: "2" }, limits: { cpu: "50" } },
          { limits: { cpu: "3500m" } },
          { requests: { cpu: later } },
          undefined,
        ),
      },
      { requests: { cpu: "80" } },
    ],
    [
      "less by their devices, and not by huge pages, of which a node may have more",
      beside({ limits: { "nvidia.com/gpu": "1", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "1Gi" } }),
      { limits: { "nvidia.com/gpu": "7", "hugepages-2Mi": "5120Mi" }, requests: { cpu: "86" } },
    ],
  ];
  for (const [name, args, want] of cases) it(`is ${name}`, () => assert.deepEqual(resourcesOf(args), want));

  it("is less by what the user's template gives to containers beside it, those of its own included", () => {
    const resources = { limits: { "nvidia.com/gpu": 2, cpu: 6 } };
    const one = { name: "more", image: "i", resources };
    for (const args of [
      { ...beside(undefined), ...template("initContainers", { name: "side-0", resources }) },
      template("containers", one),
      template("initContainers", { ...one, restartPolicy: "Always" }),
    ]) {
      const { limits, requests } = resourcesOf(args);
      assert.deepEqual([limits?.["nvidia.com/gpu"], requests?.["cpu"]], ["6", "80"]);
    }
  });

  it("is for the container that runs Flux alone, wherever it stands, and not for the pod of the services", () => {
    const own = { nodeSelector: { a: "b" }, annotations: { c: "d" }, tolerations: [{ operator: "Exists" as const }] };
    const others = { ...beside(undefined), services: [aContainer({ name: "store" })], pod: own };
    const pool = aGpuPool({
      ...{ lockMemory: true, environment: { A: "a" }, hostPaths: { "/opt/a": "/home/a" } },
      ...{ taints: [{ key: "gpu", effect: "NoSchedule" as const }], annotations: { networks: "rdma" } },
    });
    const sideOf = (args: Args) => containerOf(podOf(args), "side-0");
    assert.deepEqual(sideOf({ ...others, pool }), sideOf(others));
    assert.deepEqual(manifestsOf({ ...others, pool }).servicesPod, manifestsOf(others).servicesPod);
  });
});

describe("what a pod takes of the Neuron devices of a node", () => {
  const pool = aPool({ resources: { "aws.amazon.com/neuron": "16", "vpc.amazonaws.com/efa": "8" } });
  const rest = { "vpc.amazonaws.com/efa": "8" };
  const limitsOf = (limits: Record<string, pulumi.Input<string>>, args: Args = {}) =>
    resourcesOf({ pool, ...withOwn({ limits }), ...args }).limits;

  it("is all of them, unless the user asks for some by another name, and nothing beside that", () => {
    const all = { ...rest, "aws.amazon.com/neuron": "16" };
    assert.deepEqual(limitsOf({}), all);
    assert.deepEqual(limitsOf({ "aws.amazon.com/neuroncore": "0" }), { ...all, "aws.amazon.com/neuroncore": "0" });
    for (const [name, amount] of [
      ["core", "8"],
      ["device", later],
    ] as const)
      // prettier-ignore
      assert.deepEqual(limitsOf({ [`aws.amazon.com/neuron${name}`]: amount }), {
        ...{ ...rest, [`aws.amazon.com/neuron${name}`]: amount },
      });
    const known = { limits: { "aws.amazon.com/neuroncore": "8" } };
    assert.deepEqual(limitsOf({}, template("containers", { name: "demo", resources: known })), rest);
    assert.deepEqual(limitsOf({}, beside(known)), rest);
  });
});
