import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../../provider";
import { aContainer, aGpuPool, aMiniCluster, aPool } from "../../../../support/fixtures";
import { manifestsOf } from "../../../../support/manifests";
import { containerOf, podOf } from "../../../../support/pod";

/** The container that runs Flux in the pods of a cluster. */
const mainOf = (args: Partial<MiniClusterArgs>) => containerOf(podOf(args), "demo");

const devices = { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "5120Mi" };
const oneCpu = aPool({}, { vcpus: 1, cores: 1 });

describe("what a pod takes of a node", () => {
  const cases: [name: string, args: Partial<MiniClusterArgs>, want: object][] = [
    ["all devices, and nearly all CPUs", {}, { limits: devices, requests: { cpu: "86" } }],
    [
      "what the user gives in the place of what the pool says",
      { containers: [aContainer({ resources: { limits: { "nvidia.com/gpu": "4", ephemeral: "1Gi" } } })] },
      { limits: { ...devices, "nvidia.com/gpu": "4", ephemeral: "1Gi" }, requests: { cpu: "86" } },
    ],
    [
      "a request of a device as the limit, too, since Kubernetes knows one number of both",
      { containers: [aContainer({ resources: { requests: { "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" } } })] },
      {
        limits: { ...devices, "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" },
        requests: { cpu: "86", "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" },
      },
    ],
    ...(["limits", "requests"] as const).flatMap((list) =>
      [{ cpu: "4" }, { memory: "8Gi" }].map((own): (typeof cases)[number] => [
        `no CPUs but those that the user says with ${list}.${Object.keys(own).join()}`,
        { containers: [aContainer({ resources: { [list]: own } })] },
        { limits: { ...devices, ...(list === "limits" && own) }, ...(list === "requests" && { requests: own }) },
      ]),
    ),
    [
      "one CPU where pods may share a node",
      { network: { affinity: "preferred" } },
      { limits: devices, requests: { cpu: "1" } },
    ],
    [
      "one CPU where nobody keeps apart",
      { network: { affinity: "none" } },
      { limits: devices, requests: { cpu: "1" } },
    ],
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
    [
      "the CPUs that the user's template gives to the container",
      { podTemplate: { spec: { containers: [{ name: "demo", resources: { limits: { cpu: "4" } } }] } } },
      { limits: { ...devices, cpu: "4" } },
    ],
    ["most of the only CPU of a machine", { pool: oneCpu }, { requests: { cpu: "900m" } }],
    [
      "no more of it where pods may share the machine",
      { pool: oneCpu, network: { affinity: "none" } },
      { requests: { cpu: "900m" } },
    ],
    ["whole CPUs", { pool: aPool({}, { vcpus: 8 }) }, { requests: { cpu: "7" } }],
  ];
  for (const [name, args, want] of cases)
    it(`is ${name}`, () => {
      const { resources = {} } = mainOf({ pool: aGpuPool(), ...args });
      assert.deepEqual(resources, want);
    });

  const whole = (vcpus: number, cpu: string, affinity: "required" | "preferred" = "required") =>
    mainOf({ ...beside({ requests: { cpu } }), pool: aPool({}, { vcpus }), network: { affinity } }).resources?.requests;

  it("is less than one CPU where the containers beside it leave no more, and never nothing", () => {
    assert.deepEqual(whole(2, "1"), { cpu: "800m" });
    assert.deepEqual(whole(2, "800m"), { cpu: "1" });
    assert.deepEqual(whole(1, "300m"), { cpu: "600m" });
    assert.deepEqual(whole(2, "1", "preferred"), { cpu: "800m" });
    assert.deepEqual(whole(1, "950m"), { cpu: "1m" });
  });

  const beside = (...others: MiniClusterContainerArgs["resources"][]) => ({
    pool: aGpuPool(),
    containers: [
      ...others.map((resources, index) => ({ image: "side", name: `side-${index}`, resources })),
      aContainer({ runFlux: true }),
    ],
  });

  it("is less by the CPUs of the containers beside it: requests, or limits where there are none", () => {
    const pod = beside(
      { requests: { cpu: "2" }, limits: { cpu: "50" } },
      { limits: { cpu: "3500m" } },
      { requests: { cpu: pulumi.output("9") } },
      undefined,
    );
    // 96 × 0.9 - 2 - 3.5
    assert.equal(mainOf(pod).resources?.requests?.["cpu"], "80");
  });

  it("is less by their devices, and not by huge pages, of which a node may have more", () => {
    const taken = { "nvidia.com/gpu": "1", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "1Gi" };
    assert.deepEqual(mainOf(beside({ limits: taken })).resources?.limits, {
      "nvidia.com/gpu": "7",
      "hugepages-2Mi": "5120Mi",
    });
  });

  it("is for the container that runs Flux alone, wherever it stands", () => {
    const pool = aGpuPool({ lockMemory: true, environment: { A: "a" }, hostPaths: { "/opt/a": "/home/a" } });
    const pod = podOf({ ...beside(undefined), pool });
    const bare = podOf({ ...beside(undefined), pool: undefined });
    assert.deepEqual(containerOf(pod, "side-0"), containerOf(bare, "side-0"));
    assert.deepEqual(containerOf(pod, "demo").resources, { limits: devices, requests: { cpu: "86" } });
  });

  it("leaves the pod of the services where the user says", () => {
    const pod = { nodeSelector: { a: "b" }, annotations: { c: "d" }, tolerations: [{ operator: "Exists" as const }] };
    const services = [aContainer({ name: "store" })];
    const pool = aGpuPool({ taints: [{ key: "gpu", effect: "NoSchedule" }], annotations: { networks: "rdma" } });
    const servicesOf = (args: Partial<MiniClusterArgs>) => manifestsOf({ ...args, services, pod }).servicesPod;
    assert.deepEqual(servicesOf({ pool }), servicesOf({}));
  });

  const template = (home: "containers" | "initContainers", ...items: object[]) => ({
    podTemplate: { spec: { [home]: items } },
  });
  const limitsOf = (args: Partial<MiniClusterArgs>) =>
    aMiniCluster({ pool: aGpuPool(), ...args }).main.resources?.limits;

  it("is less by what the user's template gives to containers beside it, those of its own included", () => {
    const resources = { limits: { "nvidia.com/gpu": 2, cpu: 6 } };
    const one = { name: "more", image: "i", resources };
    const named = { ...beside(undefined), ...template("initContainers", { name: "side-0", resources }) };
    for (const args of [
      named,
      template("containers", one),
      template("initContainers", { ...one, restartPolicy: "Always" }),
    ]) {
      const { resources: main } = aMiniCluster({ pool: aGpuPool(), ...args }).main;
      assert.deepEqual([main?.limits?.["nvidia.com/gpu"], main?.requests?.["cpu"]], ["6", "80"]);
    }
  });

  it("is what the user's template asks for of a device, since Kubernetes knows one number of both", () =>
    assert.deepEqual(
      limitsOf(template("containers", { name: "demo", resources: { requests: { "nvidia.com/gpu": 2 } } })),
      { ...devices, "nvidia.com/gpu": "2" },
    ));
});

describe("what a pod takes of the Neuron devices of a node", () => {
  const pool = aPool({ resources: { "aws.amazon.com/neuron": "16", "vpc.amazonaws.com/efa": "8" } });
  const rest = { "vpc.amazonaws.com/efa": "8" };
  const limitsOf = (limits: Record<string, pulumi.Input<string>>, args: Partial<MiniClusterArgs> = {}) =>
    mainOf({ pool, containers: [aContainer({ resources: { limits } })], ...args }).resources?.limits;

  it("is all of them", () => assert.deepEqual(limitsOf({}), { ...rest, "aws.amazon.com/neuron": "16" }));

  for (const name of ["aws.amazon.com/neuroncore", "aws.amazon.com/neurondevice"])
    it(`is what the user asks for as ${name}, and nothing beside it`, () => {
      const known = { [name]: "8" };
      assert.deepEqual(limitsOf(known), { ...rest, ...known });
      const later = { [name]: pulumi.output("8") };
      assert.deepEqual(limitsOf(later), { ...rest, ...later });
      const resources = { limits: known };
      const podTemplate = { spec: { containers: [{ name: "demo", resources }] } };
      assert.deepEqual(limitsOf({}, { podTemplate }), { ...rest, ...known });
      const side = { image: "i", name: "side", resources };
      assert.deepEqual(limitsOf({}, { containers: [aContainer({ runFlux: true }), side] }), rest);
    });

  it("is all of them where the user asks for none by another name", () =>
    assert.deepEqual(limitsOf({ "aws.amazon.com/neuroncore": "0" }), {
      ...{ ...rest, "aws.amazon.com/neuron": "16", "aws.amazon.com/neuroncore": "0" },
    }));
});
