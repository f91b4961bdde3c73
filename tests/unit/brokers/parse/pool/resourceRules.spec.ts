import * as pulumi from "@pulumi/pulumi";
import { errorsAt, sharing, validating } from "../../../../support/problems";
import { aBroker, aGpuPool, aPool, aSidecar, withBroker, withTemplate } from "../../../../support/fixtures";

const limits = (limits: Record<string, unknown>) => ({ resources: { limits } as { limits: Record<string, string> } });
const gpus = (count: number) => limits({ "nvidia.com/gpu": `${count}` });
const asking = (wanted: Record<string, string>) => withBroker(limits(wanted));
const demo = (wanted: Record<string, unknown>) => ({ containers: [{ name: "demo", ...limits(wanted) }] });
const larger = "lower it or choose a larger machine";
const kept = `less what the kubelet and the system keep; ${larger}`;

describe("what the containers of a pod ask for together", () => {
  const { accepts, rejects, rejectsAll } = validating(
    sharing({
      pool: aGpuPool(
        { resources: { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "512Mi" } },
        { vcpus: 8, memoryMib: 1536 },
      ),
    }),
  );
  const more = { name: "more", image: "i" };
  rejects({
    ['containers[2].resources.limits["nvidia.com/gpu"]: the pod requests 9 in total; a node of pool hpc has ' +
    `8; ${larger}`]: {
      containers: [aSidecar({ name: "a", ...gpus(5) }), aBroker(gpus(3)), aSidecar({ name: "b", ...gpus(1) })],
    },
    [`containers[1].resources.limits.cpu: the pod requests 8 CPUs in total; a node of pool hpc has 8 CPUs, ${kept}`]: {
      containers: [aSidecar({ resources: { requests: { cpu: "500m" } } }), aBroker(limits({ cpu: "7500m" }))],
    },
    ['podTemplate.spec.initContainers[0].resources.limits["nvidia.com/gpu"]: the pod requests 9 in total; a node of ' +
    `pool hpc has 8; ${larger}`]: [
      {
        containers: [aBroker(), aSidecar()],
        ...withTemplate({ initContainers: [{ name: "side", ...limits({ "nvidia.com/gpu": 9 }) }] }),
      },
      withTemplate({ initContainers: [{ ...more, ...gpus(9), restartPolicy: "Always" }] }),
    ],
  });
  rejectsAll(
    withBroker({ resources: { limits: { "vpc.amazonaws.com/efa": "5" }, requests: { cpu: "9", memory: "1Gi" } } }),
    [
      "containers[0].resources.requests.cpu: the pod requests 9 CPUs in total; a node of pool hpc has 8 CPUs, less " +
        "what the kubelet and the system keep; lower it or choose a larger machine",
      "containers[0].resources.requests.memory: the pod requests 1024Mi in total; a node of pool hpc has 1024Mi, " +
        kept,
      'containers[0].resources.limits["vpc.amazonaws.com/efa"]: the pod requests 5 in total; a node of pool hpc has ' +
        `4; ${larger}`,
    ],
  );
  rejectsAll(
    { pool: aPool(), ...asking({ "nvidia.com/gpu": "1", "aws.amazon.com/neuroncore": "1", "rdma/hca": "1" }) },
    errorsAt(
      ["nvidia.com/gpu", "aws.amazon.com/neuroncore", "rdma/hca"].map(
        (name) => `containers[0].resources.limits["${name}"]`,
      ),
      "nodes of pool hpc have none; remove it or choose another pool",
    ),
  );
  const place = "podTemplate.spec.containers[0].resources.limits";
  rejectsAll(withTemplate(demo({ "nvidia.com/gpu": 16, cpu: "8", "amd.com/gpu": 1 })), [
    `${place}.cpu: the pod requests 8 CPUs in total; a node of pool hpc has 8 CPUs, ${kept}`,
    `${place}["nvidia.com/gpu"]: the pod requests 16 in total; a node of pool hpc has 8; ${larger}`,
    `${place}["amd.com/gpu"]: nodes of pool hpc have none; remove it or choose another pool`,
  ]);
  accepts({
    "all GPUs and nearly all CPUs and memory of a node": {
      containers: [aSidecar(gpus(4)), aBroker(limits({ "nvidia.com/gpu": "4", cpu: "7999m", memory: "1023Mi" }))],
    },
    "limits above a node, with requests below": withBroker({
      resources: {
        limits: { cpu: "80", memory: "2Gi", "hugepages-2Mi": "10Gi" },
        requests: { cpu: "7", memory: "1000Mi" },
      },
    }),
    "no device of a kind without nodes, and an unknown resource": {
      ...{ pool: aPool(), ...asking({ "nvidia.com/gpu": "0", "example.com/dongle": "1" }) },
    },
    "a device of a plugin that the user runs": {
      ...{ pool: aPool({}, { fabric: "infiniband" }), ...asking({ "rdma/shared_ib": "1" }) },
    },
    "devices that podTemplate lowers": { ...withTemplate(demo({ "nvidia.com/gpu": 4 })), ...withBroker(gpus(9)) },
    "resources in podTemplate that are known later": {
      ...withTemplate({ containers: [{ name: "demo", resources: pulumi.output("x") }] }),
      ...withBroker(gpus(9)),
    },
    "a container of podTemplate that takes one of the GPUs": withTemplate({
      containers: [{ ...more, ...limits({ "nvidia.com/gpu": 1, cpu: 2 }) }],
    }),
    "an init container, which ends before the brokers start": withTemplate({
      initContainers: [{ ...more, ...limits({ "nvidia.com/gpu": 8, cpu: 7 }) }],
    }),
  });
});

describe("the devices that a pod on a pool asks for", () => {
  const { accepts, rejects, rejectsAll } = validating(
    sharing({ pool: aPool({ resources: { "aws.amazon.com/neuron": "16" } }) }),
  );
  rejects({
    ['podTemplate.spec.containers[0].resources.limits["nvidia.com/gpu"]: "1.5" must be an integer; devices are ' +
    "indivisible"]: { pool: aGpuPool(), ...withTemplate(demo({ "nvidia.com/gpu": 1.5 })) },
  });
  rejectsAll(asking({ "aws.amazon.com/neuron": "17", "nvidia.com/gpu": "4" }), [
    'containers[0].resources.limits["aws.amazon.com/neuron"]: the pod requests 17 in total; a node of pool hpc has ' +
      `16; ${larger}`,
    'containers[0].resources.limits["nvidia.com/gpu"]: nodes of pool hpc have none; remove it or choose another pool',
  ]);
  rejectsAll(asking({ "aws.amazon.com/neuron": "1.5", "example.com/dongle": "1.0005k" }), [
    'containers[0].resources.limits["aws.amazon.com/neuron"]: "1.5" must be an integer; devices are indivisible',
    'containers[0].resources.limits["example.com/dongle"]: "1.0005k" must be an integer; devices are indivisible',
  ]);
  accepts({
    "Neuron devices under their older name": asking({ "aws.amazon.com/neurondevice": "4" }),
    "Neuron cores, of which a device has several": asking({ "aws.amazon.com/neuroncore": "32" }),
    "integers with a unit, and fractions of resources that Kubernetes counts": {
      pool: aGpuPool({ resources: { "nvidia.com/gpu": "2000" } }),
      ...asking({ "nvidia.com/gpu": "1.001k", cpu: "1.5", "kubernetes.io/x": "1.5" }),
    },
  });
});
