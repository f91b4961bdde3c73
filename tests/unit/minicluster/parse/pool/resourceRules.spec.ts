import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterContainerArgs, NodePoolNode, NodePoolScheduling } from "../../../../../provider";
import { aContainer, aGpuPool, aPool } from "../../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../../support/problems";

describe("what the containers of a pod ask for together", () => {
  const on = (pool: NodePoolScheduling, ...asked: (MiniClusterContainerArgs["resources"] | undefined)[]) => ({
    pool,
    containers: asked.map((resources, index) => aContainer({ name: `c${index}`, runFlux: index === 1, resources })),
  });
  const small = (node: Partial<NodePoolNode> = {}) => aGpuPool({}, { vcpus: 8, memoryMib: 1024, ...node });
  const gpus = (count: string) => ({ limits: { "nvidia.com/gpu": count } });

  itAccepts({
    "all devices of a node, and nearly all else": on(small(), gpus("4"), {
      limits: { "nvidia.com/gpu": "4", cpu: "7999m", memory: "1023Mi" },
    }),
    "limits above a node, where requests are below": on(small(), undefined, {
      ...{ limits: { cpu: "80", memory: "2Gi" }, requests: { cpu: "7", memory: "1000Mi" } },
    }),
    "more huge pages than a pod takes by itself": on(small(), undefined, { limits: { "hugepages-2Mi": "10Gi" } }),
    "none of a device that no node has": on(aPool(), undefined, gpus("0")),
    "an amount that is only known later": on(small(), undefined, {
      ...{ limits: { "nvidia.com/gpu": pulumi.output("9") }, requests: { cpu: pulumi.output("9") } },
    }),
    "a shared device by two containers": on(
      aPool({ resources: { "rdma/hca": "1" } }, { fabric: "infiniband" }),
      { limits: { "rdma/hca": "1" } },
      undefined,
    ),
    "a device of the InfiniBand plugin that the user runs": on(aPool({}, { fabric: "infiniband" }), undefined, {
      limits: { "rdma/shared_ib": "1" },
    }),
    "a resource of which nobody knows": on(aPool(), undefined, { limits: { "example.com/dongle": "1" } }),
  });

  const tooMuch = (total: number, capacity: number) =>
    `the pod requests ${total} in total; a node of pool hpc has ${capacity}; lower it or choose a larger machine`;
  const all = (total: string, capacity: string) =>
    `the pod requests ${total} in total; a node of pool hpc has ${capacity}, less what the kubelet and the system keep; ` +
    "lower it or choose a larger machine";
  const none = "nodes of pool hpc have none; remove it or choose another pool";
  itRefuses([
    {
      rule: "more GPUs than the machine has",
      args: { pool: small(), containers: [aContainer({ resources: gpus("9") })] },
      path: 'containers[0].resources.limits["nvidia.com/gpu"]',
      says: tooMuch(9, 8),
    },
    {
      rule: "more GPUs than the machine has, in several containers",
      args: on(small(), gpus("5"), gpus("3"), gpus("1")),
      path: 'containers[2].resources.limits["nvidia.com/gpu"]',
      says: tooMuch(9, 8),
    },
    {
      rule: "more EFA interfaces than the machine has",
      args: on(small(), undefined, { limits: { "vpc.amazonaws.com/efa": "5" } }),
      path: 'containers[1].resources.limits["vpc.amazonaws.com/efa"]',
      says: tooMuch(5, 4),
    },
    {
      rule: "all CPUs of the machine, of which no pod ever gets the last one",
      args: on(small(), { requests: { cpu: "500m" } }, { limits: { cpu: "7500m" } }),
      path: "containers[1].resources.limits.cpu",
      says: all("8 CPUs", "8 CPUs"),
    },
    {
      rule: "more CPUs than the machine has",
      args: on(small(), undefined, { requests: { cpu: "9" } }),
      path: "containers[1].resources.requests.cpu",
      says: all("9 CPUs", "8 CPUs"),
    },
    {
      rule: "all CPUs of the machine in a container beside the one that leaves us the choice",
      args: on(small(), { requests: { cpu: "8" } }, undefined),
      path: "containers[0].resources.requests.cpu",
      says: all("8 CPUs", "8 CPUs"),
    },
    {
      rule: "all memory of the machine",
      args: on(small(), undefined, { limits: { memory: "2Mi" }, requests: { memory: "1Gi" } }),
      path: "containers[1].resources.requests.memory",
      says: all("1024Mi", "1024Mi"),
    },
    ...["nvidia.com/gpu", "amd.com/gpu", "vpc.amazonaws.com/efa", "aws.amazon.com/neuroncore", "rdma/hca"].map(
      (name) => ({
        rule: `a device that no node has, ${name}`,
        args: on(aPool(), { limits: { [name]: "1" } }, undefined),
        path: `containers[0].resources.limits["${name}"]`,
        says: none,
      }),
    ),
  ]);
});

describe("what a pod on a pool asks for by the user's template", () => {
  const pool = aGpuPool({}, { vcpus: 8, memoryMib: 1024 });
  const templated = (resources: unknown, args: object = {}) => ({
    pool,
    podTemplate: { spec: { containers: [{ name: "demo", resources }] } },
    ...args,
  });
  const added = (resources: object, more: object = {}) => ({ name: "more", image: "i", resources, ...more });
  const beside = {
    containers: [aContainer({ runFlux: true }), { image: "i", name: "side" }],
  };

  itAccepts({
    "devices in the place of those that the container has": templated(
      { limits: { "nvidia.com/gpu": 4 } },
      { containers: [aContainer({ resources: { limits: { "nvidia.com/gpu": "9" } } })] },
    ),
    "amounts that are only known later": templated({ limits: { "nvidia.com/gpu": pulumi.output(9) } }),
    "limits that are only known later": templated({ limits: pulumi.output({ "nvidia.com/gpu": 9 }) }),
    "resources that are only known later": templated(
      pulumi.output({}),
      // What stands here is gone with the rest.
      { containers: [aContainer({ resources: { limits: { "nvidia.com/gpu": "9" } } })] },
    ),
    "a container of which the default leaves the devices": {
      ...{ pool, podTemplate: { spec: { containers: [added({ limits: { "nvidia.com/gpu": 1, cpu: 2 } })] } } },
    },
    "what is gone before the brokers start": {
      ...{ pool, podTemplate: { spec: { initContainers: [added({ limits: { "nvidia.com/gpu": 8, cpu: 7 } })] } } },
    },
  });

  const gpus = /^the pod requests \d+ in total; a node of pool hpc has 8; lower it or choose a larger machine$/;
  const limits = (home: string, name: string) => `podTemplate.spec.${home}[0].resources.limits${name}`;
  itRefuses([
    {
      rule: "more GPUs than the machine has",
      args: templated({ limits: { "nvidia.com/gpu": "16" } }),
      path: limits("containers", '["nvidia.com/gpu"]'),
      says: gpus,
    },
    {
      rule: "more GPUs than the machine has, as a number",
      args: templated({ limits: { "nvidia.com/gpu": 16 } }),
      path: limits("containers", '["nvidia.com/gpu"]'),
      says: gpus,
    },
    ...Object.entries({ cpu: "8", memory: "1Gi" }).map(([name, quantity]) => ({
      rule: `all of the machine's ${name}`,
      args: templated({ limits: { [name]: quantity } }),
      path: limits("containers", `.${name}`),
      says: /^the pod requests .* in total; a node of pool hpc has .*, less what the kubelet and the system keep/,
    })),
    {
      rule: "a device that no node has",
      args: templated({ limits: { "amd.com/gpu": 1 } }),
      path: limits("containers", '["amd.com/gpu"]'),
      says: "nodes of pool hpc have none; remove it or choose another pool",
    },
    {
      rule: "too much beside the container that runs Flux",
      args: {
        ...{ pool, ...beside },
        podTemplate: { spec: { initContainers: [{ name: "side", resources: { limits: { "nvidia.com/gpu": 9 } } }] } },
      },
      path: limits("initContainers", '["nvidia.com/gpu"]'),
      says: gpus,
    },
    ...(
      [
        ["containers", {}],
        ["initContainers", { restartPolicy: "Always" }],
      ] as const
    ).map(([home, more]) => ({
      rule: `too much in a container of the template's own, in ${home}`,
      args: { pool, podTemplate: { spec: { [home]: [added({ limits: { "nvidia.com/gpu": 9 } }, more)] } } },
      path: limits(home, '["nvidia.com/gpu"]'),
      says: gpus,
    })),
  ]);
});

describe("the Neuron devices that a pod on a pool asks for", () => {
  const pool = aPool({ resources: { "aws.amazon.com/neuron": "16" } });
  const asking = (resource: string, count = "4") => ({
    pool,
    containers: [aContainer({ resources: { limits: { [resource]: count } } })],
  });

  itAccepts({
    "devices by their name": asking("aws.amazon.com/neuron"),
    "devices by their older name": asking("aws.amazon.com/neurondevice"),
    "cores, of which a device has several": asking("aws.amazon.com/neuroncore", "32"),
  });
  itRefuses([
    {
      rule: "more devices than there are",
      args: asking("aws.amazon.com/neuron", "17"),
      path: 'containers[0].resources.limits["aws.amazon.com/neuron"]',
      says: /^the pod requests 17 in total; a node of pool hpc has 16;/,
    },
    {
      rule: "GPUs in their place",
      args: asking("nvidia.com/gpu"),
      path: 'containers[0].resources.limits["nvidia.com/gpu"]',
      says: /have none/,
    },
  ]);
});

describe("the number of devices that a pod on a pool asks for", () => {
  const asking = (resource: string, count: string) => ({
    pool: aGpuPool({ resources: { "nvidia.com/gpu": "2000" } }),
    containers: [aContainer({ resources: { limits: { [resource]: count } } })],
  });
  const says = (count: string) =>
    `"${count}" is no whole number, and nothing can have a part of a device; make it an integer`;

  itAccepts({
    ...Object.fromEntries(
      ["1", "2.0", "2000m", "1k", "1.001k", "1e3"].map((count) => [
        `a whole number, ${count}`,
        asking("nvidia.com/gpu", count),
      ]),
    ),
    "a part of a CPU": asking("cpu", "1.5"),
    "a part of what only Kubernetes knows": asking("kubernetes.io/x", "1.5"),
  });
  itRefuses([
    ...["1.5", "500m", "1.0005k"].map((count) => ({
      rule: `a part of a GPU, ${count}`,
      args: asking("nvidia.com/gpu", count),
      path: 'containers[0].resources.limits["nvidia.com/gpu"]',
      says: says(count),
    })),
    {
      rule: "a part of a device of which nobody knows",
      args: asking("example.com/dongle", "1.5"),
      path: 'containers[0].resources.limits["example.com/dongle"]',
      says: says("1.5"),
    },
    {
      rule: "a part of a GPU in the user's template",
      args: {
        pool: aGpuPool(),
        podTemplate: { spec: { containers: [{ name: "demo", resources: { limits: { "nvidia.com/gpu": 1.5 } } }] } },
      },
      path: 'podTemplate.spec.containers[0].resources.limits["nvidia.com/gpu"]',
      says: says("1.5"),
    },
  ]);
});
