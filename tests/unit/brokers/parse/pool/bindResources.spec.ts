import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../../provider";
import {
  aBroker,
  aContainer,
  aGpuPool,
  aMiniCluster,
  aPool,
  aSidecar,
  withTemplate,
} from "../../../../support/fixtures";
import { manifestsOf, building } from "../../../../support/manifests";
import type { LooseArgs } from "../../../../support/problems";
import { containerOf, podOf } from "../../../../support/pod";

/** A cluster on a pool of GPUs, unless another one is given. */
const onGpus = (args: LooseArgs) => aMiniCluster({ pool: aGpuPool(), ...args } as object);

const rest = { "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "5120Mi" };
const devices = { "nvidia.com/gpu": "8", ...rest };
const nearlyAll = { requests: { cpu: "86" } };

describe("what a pod takes of a node", () => {
  const itBuilds = building(onGpus);
  itBuilds(
    "is all devices and nearly all CPUs",
    {},
    { "pod.containers[0].resources": { limits: { ...devices }, ...nearlyAll } },
  );
  itBuilds(
    "is the amount in the arguments in place of that of the pool",
    { containers: [aBroker({ resources: { limits: { "nvidia.com/gpu": "4", ephemeral: "1Gi" } } })] },
    { "pod.containers[0].resources": { limits: { "nvidia.com/gpu": "4", ...rest, ephemeral: "1Gi" }, ...nearlyAll } },
  );
  itBuilds(
    "is a request of a device as its limit too",
    { containers: [aBroker({ resources: { requests: { "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" } } })] },
    {
      "pod.containers[0].resources.limits": {
        "nvidia.com/gpu": "2",
        "vpc.amazonaws.com/efa": "4",
        "hugepages-2Mi": "1Gi",
      },
      "pod.containers[0].resources.requests": { cpu: "86", "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" },
    },
  );
  itBuilds(
    "is the request of podTemplate for a device",
    { podTemplate: { spec: { containers: [{ name: "demo", resources: { requests: { "nvidia.com/gpu": 2 } } }] } } },
    {
      "pod.containers[0].resources": {
        limits: { "nvidia.com/gpu": "2", ...rest },
        requests: { cpu: "86", "nvidia.com/gpu": 2 },
      },
    },
  );
  itBuilds(
    "requests no CPUs beside a limit of them",
    { containers: [aBroker({ resources: { limits: { cpu: "4" } } })] },
    { "pod.containers[0].resources": { limits: { ...devices, cpu: "4" } } },
  );
  itBuilds(
    "requests no CPUs beside a request of memory",
    { containers: [aBroker({ resources: { requests: { memory: "8Gi" } } })] },
    { "pod.containers[0].resources": { limits: { ...devices }, requests: { memory: "8Gi" } } },
  );
  itBuilds(
    "requests no CPUs beside a limit in podTemplate",
    { podTemplate: { spec: { containers: [{ name: "demo", resources: { limits: { cpu: "4" } } }] } } },
    { "pod.containers[0].resources": { limits: { ...devices, cpu: "4" } } },
  );
  itBuilds(
    "is one CPU if pods may share a node",
    { network: { affinity: "preferred" } },
    { "pod.containers[0].resources": { limits: { ...devices }, requests: { cpu: "1" } } },
  );
  itBuilds(
    "is next to nothing if the pod as a whole has requests",
    { pod: { resources: { requests: { memory: "8Gi" } } } },
    { "pod.containers[0].resources": { limits: { ...devices }, requests: { cpu: "1m" } } },
  );
  itBuilds(
    "is next to nothing if podTemplate has requests of the pod",
    { podTemplate: { spec: { resources: { requests: { cpu: "8" } } } } },
    { "pod.containers[0].resources": { limits: { ...devices }, requests: { cpu: "1m" } } },
  );
  itBuilds(
    "is nothing without huge pages if the pod as a whole has requests",
    { pool: aPool(), pod: { resources: { requests: { cpu: "8" } } } },
    { "pod.containers[0].resources": undefined },
  );
  itBuilds(
    "is most of the only CPU of a machine",
    { pool: aPool({}, { vcpus: 1, cores: 1 }) },
    { "pod.containers[0].resources": { requests: { cpu: "900m" } } },
  );
  itBuilds(
    "is most of the only CPU of a machine that pods may share",
    { pool: aPool({}, { vcpus: 1, cores: 1 }), network: { affinity: "preferred" } },
    { "pod.containers[0].resources": { requests: { cpu: "900m" } } },
  );
  itBuilds(
    "is whole CPUs",
    { pool: aPool({}, { vcpus: 8, cores: 1 }) },
    { "pod.containers[0].resources": { requests: { cpu: "7" } } },
  );
  itBuilds(
    "is what a sidecar leaves of one CPU",
    {
      pool: aPool({}, { vcpus: 2, cores: 1 }),
      containers: [aSidecar({ resources: { requests: { cpu: "1" } } }), aBroker()],
    },
    { "container.demo.resources": { requests: { cpu: "800m" } } },
  );
  itBuilds(
    "is at most one CPU if pods may share a node",
    {
      pool: aPool({}, { vcpus: 2, cores: 1 }),
      network: { affinity: "preferred" },
      containers: [aSidecar({ resources: { requests: { cpu: "100m" } } }), aBroker()],
    },
    { "container.demo.resources": { requests: { cpu: "1" } } },
  );
  itBuilds(
    "is never nothing",
    {
      pool: aPool({}, { vcpus: 1, cores: 1 }),
      containers: [aSidecar({ resources: { requests: { cpu: "950m" } } }), aBroker()],
    },
    { "container.demo.resources": { requests: { cpu: "1m" } } },
  );
  itBuilds(
    "is less by the CPUs of the sidecars: 96 × 0.9 - 2 - 3.5",
    {
      pool: aPool(),
      containers: [
        aSidecar({ resources: { requests: { cpu: "2" }, limits: { cpu: "50" } } }),
        aSidecar({ name: "b", resources: { limits: { cpu: "3500m" } } }),
        aSidecar({ name: "c", resources: { requests: { cpu: pulumi.output("9") } } }),
        aSidecar({ name: "d" }),
        aBroker(),
      ],
    },
    { "container.demo.resources": { requests: { cpu: "80" } } },
  );
  itBuilds(
    "is less by the devices of the sidecars, but not by their huge pages",
    {
      containers: [
        aSidecar({
          resources: { limits: { "nvidia.com/gpu": "1", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "1Gi" } },
        }),
        aBroker(),
      ],
    },
    { "container.demo.resources": { limits: { "nvidia.com/gpu": "7", "hugepages-2Mi": "5120Mi" }, ...nearlyAll } },
  );
  itBuilds(
    "is less by what podTemplate gives a sidecar",
    {
      ...withTemplate({ initContainers: [{ name: "side", resources: { limits: { "nvidia.com/gpu": 2, cpu: 6 } } }] }),
      containers: [aSidecar(), aBroker()],
    },
    { "container.demo.resources": { limits: { "nvidia.com/gpu": "6", ...rest }, requests: { cpu: "80" } } },
  );
  itBuilds(
    "is less by what podTemplate gives a container of its own",
    withTemplate({
      containers: [{ name: "more", image: "i", resources: { limits: { "nvidia.com/gpu": 2, cpu: 6 } } }],
    }),
    { "container.demo.resources": { limits: { "nvidia.com/gpu": "6", ...rest }, requests: { cpu: "80" } } },
  );
  itBuilds(
    "is less by what podTemplate gives a restartable init container",
    withTemplate({
      initContainers: [
        { name: "more", image: "i", resources: { limits: { "nvidia.com/gpu": 2, cpu: 6 } }, restartPolicy: "Always" },
      ],
    }),
    { "container.demo.resources": { limits: { "nvidia.com/gpu": "6", ...rest }, requests: { cpu: "80" } } },
  );

  it("is for the container that runs Flux alone, wherever it stands, and not for the pod of the services", () => {
    const own = { nodeSelector: { a: "b" }, annotations: { c: "d" }, tolerations: [{ operator: "Exists" as const }] };
    const containers = [aSidecar(), aBroker()];
    const others = { containers, services: [aContainer({ name: "store" })], pod: own };
    const pool = aGpuPool({
      ...{ lockMemory: true, environment: { A: "a" }, hostPaths: { "/opt/a": "/home/a" } },
      ...{ taints: [{ key: "gpu", effect: "NoSchedule" as const }], annotations: { networks: "rdma" } },
    });
    const sideOf = (args: Partial<MiniClusterArgs>) => containerOf(podOf(args), "side");
    assert.deepEqual(sideOf({ ...others, pool }), sideOf(others));
    assert.deepEqual(manifestsOf({ ...others, pool }).servicesPod, manifestsOf(others).servicesPod);
  });
});

describe("what a pod takes of the Neuron devices of a node", () => {
  const pool = aPool({ resources: { "aws.amazon.com/neuron": "16", "vpc.amazonaws.com/efa": "8" } });
  const limits = "container.demo.resources.limits";
  const itBuilds = building((args: LooseArgs) => aMiniCluster({ pool, ...args } as object));
  itBuilds("is all Neuron devices", {}, { [limits]: { "aws.amazon.com/neuron": "16", "vpc.amazonaws.com/efa": "8" } });
  itBuilds(
    "is all Neuron devices beside a request for no cores",
    { containers: [aBroker({ resources: { limits: { "aws.amazon.com/neuroncore": "0" } } })] },
    { [limits]: { "aws.amazon.com/neuron": "16", "vpc.amazonaws.com/efa": "8", "aws.amazon.com/neuroncore": "0" } },
  );
  itBuilds(
    "is cores instead of devices",
    { containers: [aBroker({ resources: { limits: { "aws.amazon.com/neuroncore": "8" } } })] },
    { [limits]: { "vpc.amazonaws.com/efa": "8", "aws.amazon.com/neuroncore": "8" } },
  );
  itBuilds(
    "is devices under their older name",
    { containers: [aBroker({ resources: { limits: { "aws.amazon.com/neurondevice": pulumi.output("9") } } })] },
    { [limits]: { "vpc.amazonaws.com/efa": "8", "aws.amazon.com/neurondevice": "9" } },
  );
  itBuilds(
    "is cores in podTemplate instead of devices",
    withTemplate({ containers: [{ name: "demo", resources: { limits: { "aws.amazon.com/neuroncore": "8" } } }] }),
    { [limits]: { "vpc.amazonaws.com/efa": "8", "aws.amazon.com/neuroncore": "8" } },
  );
  itBuilds(
    "is no devices beside a sidecar with cores",
    { containers: [aSidecar({ resources: { limits: { "aws.amazon.com/neuroncore": "8" } } }), aBroker()] },
    { [limits]: { "vpc.amazonaws.com/efa": "8" } },
  );
});
