import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../../provider";
import { aBroker, aContainer, aGpuPool, aMiniCluster, aPool, aSidecar } from "../../../../support/fixtures";
import { itBuilds, manifestsOf } from "../../../../support/manifests";
import type { LooseArgs } from "../../../../support/problems";
import { containerOf, podOf } from "../../../../support/pod";

/** A cluster on a pool of GPUs, unless another one is given. */
const onGpus = (args: LooseArgs) => aMiniCluster({ pool: aGpuPool(), ...args } as object);

const rest = { "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "5120Mi" };
const devices = { "nvidia.com/gpu": "8", ...rest };
const nearlyAll = { requests: { cpu: "86" } };

describe("what a pod takes of a node", () => {
  itBuilds(
    [
      {
        name: "is all devices and nearly all CPUs",
        args: {},
        want: { "pod.containers[0].resources": { limits: { ...devices }, ...nearlyAll } },
      },
      {
        name: "is the amount in the arguments in place of that of the pool",
        args: {
          containers: [aBroker({ resources: { limits: { "nvidia.com/gpu": "4", ephemeral: "1Gi" } } })],
        },
        want: {
          "pod.containers[0].resources": { limits: { "nvidia.com/gpu": "4", ...rest, ephemeral: "1Gi" }, ...nearlyAll },
        },
      },
      {
        name: "is a request of a device as its limit too",
        args: {
          containers: [aBroker({ resources: { requests: { "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" } } })],
        },
        want: {
          "pod.containers[0].resources.limits": {
            "nvidia.com/gpu": "2",
            "vpc.amazonaws.com/efa": "4",
            "hugepages-2Mi": "1Gi",
          },
          "pod.containers[0].resources.requests": { cpu: "86", "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" },
        },
      },
      {
        name: "is the request of podTemplate for a device",
        args: {
          podTemplate: { spec: { containers: [{ name: "demo", resources: { requests: { "nvidia.com/gpu": 2 } } }] } },
        },
        want: {
          "pod.containers[0].resources": {
            limits: { "nvidia.com/gpu": "2", ...rest },
            requests: { cpu: "86", "nvidia.com/gpu": 2 },
          },
        },
      },
      {
        name: "requests no CPUs beside a limit of them",
        args: { containers: [aBroker({ resources: { limits: { cpu: "4" } } })] },
        want: { "pod.containers[0].resources": { limits: { ...devices, cpu: "4" } } },
      },
      {
        name: "requests no CPUs beside a request of memory",
        args: { containers: [aBroker({ resources: { requests: { memory: "8Gi" } } })] },
        want: { "pod.containers[0].resources": { limits: { ...devices }, requests: { memory: "8Gi" } } },
      },
      {
        name: "requests no CPUs beside a limit in podTemplate",
        args: { podTemplate: { spec: { containers: [{ name: "demo", resources: { limits: { cpu: "4" } } }] } } },
        want: { "pod.containers[0].resources": { limits: { ...devices, cpu: "4" } } },
      },
      {
        name: "is one CPU if pods may share a node",
        args: { network: { affinity: "preferred" } },
        want: { "pod.containers[0].resources": { limits: { ...devices }, requests: { cpu: "1" } } },
      },
      {
        name: "is next to nothing if the pod as a whole has requests",
        args: { pod: { resources: { requests: { memory: "8Gi" } } } },
        want: { "pod.containers[0].resources": { limits: { ...devices }, requests: { cpu: "1m" } } },
      },
      {
        name: "is next to nothing if podTemplate has requests of the pod",
        args: { podTemplate: { spec: { resources: { requests: { cpu: "8" } } } } },
        want: { "pod.containers[0].resources": { limits: { ...devices }, requests: { cpu: "1m" } } },
      },
      {
        name: "is nothing without huge pages if the pod as a whole has requests",
        args: { pool: aPool(), pod: { resources: { requests: { cpu: "8" } } } },
        want: { "pod.containers[0].resources": undefined },
      },
      {
        name: "is most of the only CPU of a machine",
        args: { pool: aPool({}, { vcpus: 1, cores: 1 }) },
        want: { "pod.containers[0].resources": { requests: { cpu: "900m" } } },
      },
      {
        name: "is most of the only CPU of a machine that pods may share",
        args: { pool: aPool({}, { vcpus: 1, cores: 1 }), network: { affinity: "preferred" } },
        want: { "pod.containers[0].resources": { requests: { cpu: "900m" } } },
      },
      {
        name: "is whole CPUs",
        args: { pool: aPool({}, { vcpus: 8, cores: 1 }) },
        want: { "pod.containers[0].resources": { requests: { cpu: "7" } } },
      },
      {
        name: "is what a sidecar leaves of one CPU",
        args: {
          pool: aPool({}, { vcpus: 2, cores: 1 }),
          containers: [aSidecar({ resources: { requests: { cpu: "1" } } }), aBroker()],
        },
        want: { "container.demo.resources": { requests: { cpu: "800m" } } },
      },
      {
        name: "is at most one CPU if pods may share a node",
        args: {
          pool: aPool({}, { vcpus: 2, cores: 1 }),
          network: { affinity: "preferred" },
          containers: [aSidecar({ resources: { requests: { cpu: "100m" } } }), aBroker()],
        },
        want: { "container.demo.resources": { requests: { cpu: "1" } } },
      },
      {
        name: "is never nothing",
        args: {
          pool: aPool({}, { vcpus: 1, cores: 1 }),
          containers: [aSidecar({ resources: { requests: { cpu: "950m" } } }), aBroker()],
        },
        want: { "container.demo.resources": { requests: { cpu: "1m" } } },
      },
      {
        name: "is less by the CPUs of the sidecars: 96 × 0.9 - 2 - 3.5",
        args: {
          pool: aPool(),
          containers: [
            aSidecar({ resources: { requests: { cpu: "2" }, limits: { cpu: "50" } } }),
            aSidecar({ name: "b", resources: { limits: { cpu: "3500m" } } }),
            aSidecar({ name: "c", resources: { requests: { cpu: pulumi.output("9") } } }),
            aSidecar({ name: "d" }),
            aBroker(),
          ],
        },
        want: { "container.demo.resources": { requests: { cpu: "80" } } },
      },
      {
        name: "is less by the devices of the sidecars, but not by their huge pages",
        args: {
          containers: [
            aSidecar({
              resources: { limits: { "nvidia.com/gpu": "1", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "1Gi" } },
            }),
            aBroker(),
          ],
        },
        want: {
          "container.demo.resources": { limits: { "nvidia.com/gpu": "7", "hugepages-2Mi": "5120Mi" }, ...nearlyAll },
        },
      },
      {
        name: "is less by what podTemplate gives a sidecar",
        args: {
          podTemplate: {
            spec: { initContainers: [{ name: "side", resources: { limits: { "nvidia.com/gpu": 2, cpu: 6 } } }] },
          },
          containers: [aSidecar(), aBroker()],
        },
        want: { "container.demo.resources": { limits: { "nvidia.com/gpu": "6", ...rest }, requests: { cpu: "80" } } },
      },
      {
        name: "is less by what podTemplate gives a container of its own",
        args: {
          podTemplate: {
            spec: {
              containers: [{ name: "more", image: "i", resources: { limits: { "nvidia.com/gpu": 2, cpu: 6 } } }],
            },
          },
        },
        want: { "container.demo.resources": { limits: { "nvidia.com/gpu": "6", ...rest }, requests: { cpu: "80" } } },
      },
      {
        name: "is less by what podTemplate gives a restartable init container",
        args: {
          podTemplate: {
            spec: {
              initContainers: [
                {
                  name: "more",
                  image: "i",
                  resources: { limits: { "nvidia.com/gpu": 2, cpu: 6 } },
                  restartPolicy: "Always",
                },
              ],
            },
          },
        },
        want: { "container.demo.resources": { limits: { "nvidia.com/gpu": "6", ...rest }, requests: { cpu: "80" } } },
      },
    ],
    onGpus,
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
  itBuilds(
    [
      {
        name: "is all Neuron devices",
        args: {},
        want: { [limits]: { "aws.amazon.com/neuron": "16", "vpc.amazonaws.com/efa": "8" } },
      },
      {
        name: "is all Neuron devices beside a request for no cores",
        args: {
          containers: [aBroker({ resources: { limits: { "aws.amazon.com/neuroncore": "0" } } })],
        },
        want: {
          [limits]: { "aws.amazon.com/neuron": "16", "vpc.amazonaws.com/efa": "8", "aws.amazon.com/neuroncore": "0" },
        },
      },
      {
        name: "is cores instead of devices",
        args: {
          containers: [aBroker({ resources: { limits: { "aws.amazon.com/neuroncore": "8" } } })],
        },
        want: { [limits]: { "vpc.amazonaws.com/efa": "8", "aws.amazon.com/neuroncore": "8" } },
      },
      {
        name: "is devices under their older name",
        args: {
          containers: [aBroker({ resources: { limits: { "aws.amazon.com/neurondevice": pulumi.output("9") } } })],
        },
        want: { [limits]: { "vpc.amazonaws.com/efa": "8", "aws.amazon.com/neurondevice": "9" } },
      },
      {
        name: "is cores in podTemplate instead of devices",
        args: {
          podTemplate: {
            spec: { containers: [{ name: "demo", resources: { limits: { "aws.amazon.com/neuroncore": "8" } } }] },
          },
        },
        want: { [limits]: { "vpc.amazonaws.com/efa": "8", "aws.amazon.com/neuroncore": "8" } },
      },
      {
        name: "is no devices beside a sidecar with cores",
        args: {
          containers: [aSidecar({ resources: { limits: { "aws.amazon.com/neuroncore": "8" } } }), aBroker()],
        },
        want: { [limits]: { "vpc.amazonaws.com/efa": "8" } },
      },
    ],
    (args: LooseArgs) => aMiniCluster({ pool, ...args } as object),
  );
});
