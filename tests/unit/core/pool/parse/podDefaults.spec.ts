import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs, MiniClusterResourcesArgs } from "../../../../../provider";
import * as fixtures from "../../../../support/fixtures";
import { building, itBuilds, manifestsOf } from "../../../../support/manifests";
import type { LooseArgs } from "../../../../support/problems";
import { containerOf, podOf } from "../../../../support/pod";

const { aBroker, aContainer, aGpuPool, aMiniCluster, aPool, aSidecar, withBroker, withTemplate } = fixtures;

const taint = (key: string, value: string, effect: string) => ({ key, operator: "Equal", value, effect });
const arch = (value: string, effect: string) => taint("kubernetes.io/arch", value, effect);

describe("a cluster on a pool", () => {
  itBuilds(
    "takes node selector and annotations of the pool, and those of the arguments over them",
    {
      pool: aPool({ annotations: { ours: "ours", both: "ours" } }),
      pod: {
        nodeSelector: { disk: "nvme", "minicluster/pool": pulumi.output("theirs") },
        annotations: { both: "theirs", b: "theirs" },
      },
    },
    {
      "pod.nodeSelector": { "kubernetes.io/arch": "amd64", "minicluster/pool": "theirs", disk: "nvme" },
      "template.annotations.ours": "ours",
      "template.annotations.both": "theirs",
      "template.annotations.b": "theirs",
    },
  );
  const taints = [
    { key: "gpu", value: "present", effect: "NoSchedule" } as const,
    { key: "team", effect: "NoExecute" } as const,
    { key: "spot", effect: "PreferNoSchedule" } as const,
  ];
  const other = { key: "other", operator: "Exists" } as const;
  itBuilds(
    "tolerates each taint of the pool",
    { pool: aPool({ taints }), pod: { tolerations: [other] } },
    {
      "pod.tolerations": [
        taint("gpu", "present", "NoSchedule"),
        taint("team", "", "NoExecute"),
        taint("spot", "", "PreferNoSchedule"),
        other,
      ],
    },
  );
  const archTaint = (value: "arm64" | "amd64", effect: "NoSchedule" | "NoExecute") => ({
    pool: aPool({ taints: [{ key: "kubernetes.io/arch", value, effect }] }, { arch: value }),
  });
  itBuilds("tolerates the taint of arm64 nodes once", archTaint("arm64", "NoSchedule"), {
    "pod.tolerations": [arch("arm64", "NoSchedule")],
  });
  itBuilds("tolerates another taint of the architecture key", archTaint("arm64", "NoExecute"), {
    "pod.tolerations": [arch("arm64", "NoSchedule"), arch("arm64", "NoExecute")],
  });
  itBuilds("tolerates a taint of amd64 nodes", archTaint("amd64", "NoSchedule"), {
    "pod.tolerations": [arch("amd64", "NoSchedule")],
  });
  const arm = { pool: aPool({}, { arch: "arm64" }) };
  itBuilds("has the Flux view of its architecture", arm, {
    "container.flux-view.image": "ghcr.io/converged-computing/flux-view-ubuntu:arm-noble",
  });
  itBuilds(
    "has the view of the arguments in its place",
    { ...arm, flux: { container: { image: "mine" } } },
    { "container.flux-view.image": "mine" },
  );
});

describe("the container that runs Flux, on a pool", () => {
  const variable = (name: string, value: string) => ({ [`container.demo.variables.${name}`]: { name, value } });
  itBuilds(
    "has the variables of the pool, and those of the arguments over them",
    {
      pool: aPool({ environment: { FI_PROVIDER: "efa", UCX_TLS: "rc", TOKEN: "ours" } }),
      ...withBroker({ environment: { UCX_TLS: "tcp", MINE: "x" }, secrets: { TOKEN: { name: "s", key: "k" } } }),
    },
    {
      ...variable("FI_PROVIDER", "efa"),
      ...variable("UCX_TLS", "tcp"),
      ...variable("MINE", "x"),
      "container.demo.variables.TOKEN.value": undefined,
      "container.demo.env[5]": undefined,
    },
  );
  const hostPaths = { "/opt/nvidia": "/home/nvidia", "/opt/nccl": "/home/nccl" };
  itBuilds(
    "has shared memory without a limit, and the directories of the node",
    { pool: aPool({ hostPaths }) },
    {
      'container.demo.mounts["/dev/shm"].name': "pool-shm",
      "volume.pool-shm.emptyDir": { medium: "Memory" },
      'container.demo.mounts["/opt/nvidia"].name': "pool-host-1",
      "volume.pool-host-1.hostPath": { path: "/home/nvidia" },
    },
  );
  const volumes = { own: { path: "/dev/shm", claimName: "c" }, nccl: { path: "/opt/nccl", claimName: "c" } };
  itBuilds(
    "has volumes of the arguments in their places",
    { pool: aPool({ hostPaths }), ...withBroker({ volumes }) },
    {
      'container.demo.mounts["/dev/shm"].name': "own",
      'container.demo.mounts["/opt/nccl"].name': "nccl",
      'volume["pool-shm"]': undefined,
      'volume["pool-host-0"]': undefined,
    },
  );
  const locking = (securityContext: MiniClusterContainerArgs["securityContext"]) => ({
    pool: aPool({ lockMemory: true }),
    ...withBroker({ securityContext }),
  });
  const capabilities = "container.demo.securityContext.capabilities";
  itBuilds("may lock memory if the fabric does", locking({ runAsUser: 0 }), {
    [capabilities]: { add: ["IPC_LOCK"] },
    "container.demo.securityContext.runAsUser": 0,
  });
  const own = { add: ["SYS_NICE"], drop: ["ALL"] };
  itBuilds("keeps the capabilities of the arguments beside IPC_LOCK", locking({ capabilities: own }), {
    [capabilities]: { add: ["SYS_NICE", "IPC_LOCK"], drop: ["ALL"] },
  });
  itBuilds("names IPC_LOCK once", locking({ capabilities: { add: ["IPC_LOCK"] } }), {
    [capabilities]: { add: ["IPC_LOCK"] },
  });
  itBuilds("has no capability if the pool locks no memory", { pool: aPool() }, { [capabilities]: undefined });
  const scratch = (localDiskSize?: string) =>
    withBroker({ volumes: { scratch: { path: "/scratch", localDisk: true, localDiskSize } } });
  itBuilds(
    "mounts the local disks of a pool as an empty directory",
    { pool: aPool({ localDisk: { gb: 7600 } }), ...scratch("100Gi") },
    { "volume.scratch": { name: "scratch", emptyDir: { sizeLimit: "100Gi" } } },
  );
  const claim = {
    accessModes: ["ReadWriteOnce"],
    storageClassName: "hpc-local-disks",
    resources: { requests: { storage: "3240G" } },
  };
  itBuilds(
    "claims nine tenths of the local disks that a driver gives out",
    { pool: aPool({ localDisk: { gb: 3600, storageClass: "hpc-local-disks" } }), ...scratch() },
    { "volume.scratch.ephemeral.volumeClaimTemplate.spec": claim },
  );
});

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
const demo = (fields: object) => withTemplate({ containers: [{ name: "demo", ...fields }] });

describe("what a pod takes of a node", () => {
  const itBuilds = building(onGpus);
  const itHas = (name: string, args: LooseArgs, resources?: object) =>
    itBuilds(name, args, { "container.demo.resources": resources });
  itHas("is all devices and nearly all CPUs", {}, { limits: devices, ...nearlyAll });
  const four = { "nvidia.com/gpu": "4", ephemeral: "1Gi" };
  itHas("is the amount in the arguments", withBroker(limits(four)), { limits: { ...four, ...rest }, ...nearlyAll });
  const pages = { "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" };
  itHas("is a request of a device as its limit too", withBroker(requests(pages)), {
    limits: { ...pages, "vpc.amazonaws.com/efa": "4" },
    requests: { cpu: "86", ...pages },
  });
  itHas("is the request of podTemplate for a device", demo({ resources: { requests: { "nvidia.com/gpu": 2 } } }), {
    limits: { "nvidia.com/gpu": "2", ...rest },
    requests: { cpu: "86", "nvidia.com/gpu": 2 },
  });
  const cpuLimit = { limits: { ...devices, cpu: "4" } };
  itHas("requests no CPUs beside a limit of them", withBroker(limits({ cpu: "4" })), cpuLimit);
  itHas("requests no CPUs beside a limit in podTemplate", demo(limits({ cpu: "4" })), cpuLimit);
  itHas("requests no CPUs beside a request of memory", withBroker(requests({ memory: "8Gi" })), {
    limits: devices,
    requests: { memory: "8Gi" },
  });
  const shared = { network: { affinity: "preferred" as const } };
  itHas("is one CPU if pods may share a node", shared, { limits: devices, requests: { cpu: "1" } });
  const ofPod = requests({ cpu: "8" });
  const nothing = { limits: devices, requests: { cpu: "1m" } };
  itHas("is next to nothing if the pod as a whole has requests", { pod: requests({ memory: "8Gi" }) }, nothing);
  itHas("is next to nothing if podTemplate has requests of the pod", withTemplate(ofPod), nothing);
  itHas("is nothing without huge pages if the pod as a whole has requests", { pool: aPool(), pod: ofPod });

  const unknown = fixtures.unknownHardware;
  itHas("is nothing if the CPUs of a node are unknown", { pool: aPool({}, unknown) });
  itHas(
    "is all devices if the CPUs of a node are unknown, with the CPU that huge pages need",
    { pool: aGpuPool({}, unknown) },
    nothing,
  );

  const machine = (vcpus: number) => ({ pool: aPool({}, { vcpus, cores: 1 }) });
  const cpu = (cpu: string) => ({ requests: { cpu } });
  itHas("is most of the only CPU of a machine", machine(1), cpu("900m"));
  itHas("is most of the only CPU of a machine that pods may share", { ...machine(1), ...shared }, cpu("900m"));
  itHas("is whole CPUs", machine(8), cpu("7"));
  itHas("is what a sidecar leaves of one CPU", { ...machine(2), ...beside(requests({ cpu: "1" })) }, cpu("800m"));
  itHas("is never nothing", { ...machine(1), ...beside(requests({ cpu: "950m" })) }, cpu("1m"));
  const busy = { resources: { requests: { cpu: "2" }, limits: { cpu: "50" } } };
  const sides = beside(busy, limits({ cpu: "3500m" }), requests({ cpu: pulumi.output("9") }), {});
  itHas("is less by the CPUs of the sidecars: 96 × 0.9 - 2 - 3.5", { pool: aPool(), ...sides }, cpu("80"));
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
  const restarted = withTemplate({ initContainers: [{ ...more, restartPolicy: "Always" }] });
  itHas("is less by what podTemplate gives a restartable init container", restarted, less);

  it("is for the container that runs Flux alone, wherever it stands, and not for the pod of the services", () => {
    const own = { nodeSelector: { a: "b" }, annotations: { c: "d" }, tolerations: [{ operator: "Exists" as const }] };
    const others = { containers: [aSidecar(), aBroker()], services: [aContainer({ name: "store" })], pod: own };
    const pool = aGpuPool({
      lockMemory: true,
      environment: { A: "a" },
      hostPaths: { "/opt/a": "/home/a" },
      taints: [{ key: "gpu", effect: "NoSchedule" as const }],
      annotations: { networks: "rdma" },
    });
    const sideOf = (args: Partial<MiniClusterArgs>) => containerOf(podOf(args), "side");
    assert.deepEqual(sideOf({ ...others, pool }), sideOf(others));
    assert.deepEqual(manifestsOf({ ...others, pool }).servicesPod, manifestsOf(others).servicesPod);
  });
});

describe("what a pod takes of the Neuron devices of a node", () => {
  const efa = { "vpc.amazonaws.com/efa": "8" };
  const [all, cores] = [{ "aws.amazon.com/neuron": "16" }, (count: string) => ({ "aws.amazon.com/neuroncore": count })];
  const pool = aPool({ resources: { ...all, ...efa } });
  const itBuilds = building((args: LooseArgs) => aMiniCluster({ pool, ...args } as object));
  const itHas = (name: string, args: LooseArgs, want: object) =>
    itBuilds(name, args, { "container.demo.resources.limits": want });
  const older = { "aws.amazon.com/neurondevice": pulumi.output("9") };
  itHas("is all beside a request for no cores", withBroker(limits(cores("0"))), { ...all, ...efa, ...cores("0") });
  itHas("is cores instead of devices", withBroker(limits(cores("8"))), { ...efa, ...cores("8") });
  itHas("is devices under their older name", withBroker({ resources: { limits: older } }), {
    ...efa,
    "aws.amazon.com/neurondevice": "9",
  });
  itHas("is cores in podTemplate instead of devices", demo(limits(cores("8"))), { ...efa, ...cores("8") });
  itHas("is no devices beside a sidecar with cores", beside(limits(cores("8"))), efa);
});
