import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs, MiniClusterResourcesArgs } from "../../../../../provider";
import {
  aBroker,
  aContainer,
  aGpuPool,
  aMiniCluster,
  aPool,
  aSidecar,
  withBroker,
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

/** Resources of a container. */
const limits = (limits: Record<string, string | number>) => ({ resources: { limits } as MiniClusterResourcesArgs });
const requests = (requests: MiniClusterResourcesArgs["requests"]) => ({ resources: { requests } });
const beside = (...sides: Partial<MiniClusterContainerArgs>[]) => ({
  containers: [...sides.map((side, index) => aSidecar({ name: `side-${index}`, ...side })), aBroker()],
});

describe("what a pod takes of a node", () => {
  const itBuilds = building(onGpus);
  const itHas = (name: string, args: LooseArgs, resources?: object) =>
    itBuilds(name, args, { "container.demo.resources": resources });
  itHas("is all devices and nearly all CPUs", {}, { limits: devices, ...nearlyAll });
  itHas(
    "is the amount in the arguments in place of that of the pool",
    withBroker(limits({ "nvidia.com/gpu": "4", ephemeral: "1Gi" })),
    { limits: { "nvidia.com/gpu": "4", ...rest, ephemeral: "1Gi" }, ...nearlyAll },
  );
  const pages = { "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" };
  itHas("is a request of a device as its limit too", withBroker(requests(pages)), {
    ...{ limits: { ...pages, "vpc.amazonaws.com/efa": "4" }, requests: { cpu: "86", ...pages } },
  });
  itHas(
    "is the request of podTemplate for a device",
    withTemplate({ containers: [{ name: "demo", resources: { requests: { "nvidia.com/gpu": 2 } } }] }),
    { limits: { "nvidia.com/gpu": "2", ...rest }, requests: { cpu: "86", "nvidia.com/gpu": 2 } },
  );
  const cpuLimit = { limits: { ...devices, cpu: "4" } };
  itHas("requests no CPUs beside a limit of them", withBroker(limits({ cpu: "4" })), cpuLimit);
  itHas(
    "requests no CPUs beside a limit in podTemplate",
    withTemplate({ containers: [{ name: "demo", ...limits({ cpu: "4" }) }] }),
    cpuLimit,
  );
  itHas("requests no CPUs beside a request of memory", withBroker(requests({ memory: "8Gi" })), {
    ...{ limits: devices, requests: { memory: "8Gi" } },
  });
  const shared = { network: { affinity: "preferred" as const } };
  itHas("is one CPU if pods may share a node", shared, { limits: devices, requests: { cpu: "1" } });
  const ofPod = requests({ cpu: "8" });
  const nothing = { limits: devices, requests: { cpu: "1m" } };
  itHas("is next to nothing if the pod as a whole has requests", { pod: requests({ memory: "8Gi" }) }, nothing);
  itHas("is next to nothing if podTemplate has requests of the pod", withTemplate(ofPod), nothing);
  itHas("is nothing without huge pages if the pod as a whole has requests", { pool: aPool(), pod: ofPod });

  const machine = (vcpus: number) => ({ pool: aPool({}, { vcpus, cores: 1 }) });
  const cpu = (cpu: string) => ({ requests: { cpu } });
  itHas("is most of the only CPU of a machine", machine(1), cpu("900m"));
  itHas("is most of the only CPU of a machine that pods may share", { ...machine(1), ...shared }, cpu("900m"));
  itHas("is whole CPUs", machine(8), cpu("7"));
  itHas("is what a sidecar leaves of one CPU", { ...machine(2), ...beside(requests({ cpu: "1" })) }, cpu("800m"));
  itHas(
    "is at most one CPU if pods may share a node",
    { ...machine(2), ...shared, ...beside(requests({ cpu: "100m" })) },
    cpu("1"),
  );
  itHas("is never nothing", { ...machine(1), ...beside(requests({ cpu: "950m" })) }, cpu("1m"));
  itHas(
    "is less by the CPUs of the sidecars: 96 × 0.9 - 2 - 3.5",
    {
      pool: aPool(),
      ...beside(
        { resources: { requests: { cpu: "2" }, limits: { cpu: "50" } } },
        limits({ cpu: "3500m" }),
        requests({ cpu: pulumi.output("9") }),
        {},
      ),
    },
    cpu("80"),
  );
  itHas(
    "is less by the devices of the sidecars, but not by their huge pages",
    beside(limits({ "nvidia.com/gpu": "1", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "1Gi" })),
    { limits: { "nvidia.com/gpu": "7", "hugepages-2Mi": "5120Mi" }, ...nearlyAll },
  );
  const taken = limits({ "nvidia.com/gpu": 2, cpu: 6 });
  const less = { limits: { "nvidia.com/gpu": "6", ...rest }, ...cpu("80") };
  const more = { name: "more", image: "i", ...taken };
  itHas(
    "is less by what podTemplate gives a sidecar",
    { ...withTemplate({ initContainers: [{ name: "side", ...taken }] }), containers: [aSidecar(), aBroker()] },
    less,
  );
  itHas("is less by what podTemplate gives another container", withTemplate({ containers: [more] }), less);
  itHas(
    "is less by what podTemplate gives a restartable init container",
    withTemplate({ initContainers: [{ ...more, restartPolicy: "Always" }] }),
    less,
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
  const efa = { "vpc.amazonaws.com/efa": "8" };
  const pool = aPool({ resources: { "aws.amazon.com/neuron": "16", ...efa } });
  const itBuilds = building((args: LooseArgs) => aMiniCluster({ pool, ...args } as object));
  const itHas = (name: string, args: LooseArgs, want: object) =>
    itBuilds(name, args, { "container.demo.resources.limits": want });
  const cores = (count: string) => ({ "aws.amazon.com/neuroncore": count });
  const older = { "aws.amazon.com/neurondevice": pulumi.output("9") };
  itHas("is all Neuron devices", {}, { "aws.amazon.com/neuron": "16", ...efa });
  itHas("is all Neuron devices beside a request for no cores", withBroker(limits(cores("0"))), {
    ...{ "aws.amazon.com/neuron": "16", ...efa, ...cores("0") },
  });
  itHas("is cores instead of devices", withBroker(limits(cores("8"))), { ...efa, ...cores("8") });
  itHas("is devices under their older name", withBroker({ resources: { limits: older } }), {
    ...{ ...efa, "aws.amazon.com/neurondevice": "9" },
  });
  itHas(
    "is cores in podTemplate instead of devices",
    withTemplate({ containers: [{ name: "demo", ...limits(cores("8")) }] }),
    { ...efa, ...cores("8") },
  );
  itHas("is no devices beside a sidecar with cores", beside(limits(cores("8"))), efa);
});
