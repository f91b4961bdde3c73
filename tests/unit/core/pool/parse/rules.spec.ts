import * as pulumi from "@pulumi/pulumi";
import { errorsAt, sharing, validating } from "../../../../support/problems";
import {
  aBroker,
  aGpuPool,
  aPool,
  unknownHardware,
  aSidecar,
  withBroker,
  withTemplate,
} from "../../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

const shared = { affinity: "preferred" } as const;
const limits = (limits: Record<string, unknown>) => ({ resources: { limits } as { limits: Record<string, string> } });
const devices = (gpus: number, efa: number) =>
  limits({ "nvidia.com/gpu": `${gpus}`, "vpc.amazonaws.com/efa": `${efa}` });

describe("the sizes of a cluster and of its pool", () => {
  const [three, growing] = [aPool({ nodes: 3, maxNodes: 9 }), aPool({ maxNodes: 4 })];
  const two = aGpuPool({ nodes: 2 });
  rejects({
    "size: size 4 is above the 3 nodes of pool hpc; raise the pool's size or lower size": {
      pool: three,
      size: 4,
      maxSize: 4,
    },
    "maxSize: maxSize 5 is above the 4 nodes of pool hpc at most…": { pool: growing, size: 2, maxSize: 5 },
    "size: size 5 is above the 4 nodes of pool hpc at most; raise maxSize of the pool or lower size": {
      pool: growing,
      size: 5,
    },
    "size: size 3 is above the 2 pods that pool hpc has devices for; raise the pool's size or lower size": {
      pool: aGpuPool({ resources: { "nvidia.com/gpu": "0", "vpc.amazonaws.com/efa": "4" }, nodes: 2 }),
      size: 3,
      network: { affinity: "none" },
    },
    "size: size 5 is above the 4 pods that pool hpc has devices for at most; raise maxSize…": {
      pool: aGpuPool({ maxNodes: 2 }),
      size: 5,
      network: shared,
      containers: [aBroker(devices(3, 1)), aSidecar(limits({ "nvidia.com/gpu": "1" }))],
    },
  });
  accepts({
    "a pod for each node of a fixed pool, with a larger maxSize": { pool: three, size: 3, maxSize: 100 },
    "more pods than nodes while the cluster is suspended": { pool: aPool({ nodes: 0 }), size: 2, suspend: true },
    "as many pods as the pool may grow to": { pool: growing, size: 2, maxSize: 4 },
    "pods that share the nodes that the pool may grow to": {
      pool: aGpuPool({ maxNodes: 2 }),
      size: 4,
      network: shared,
      ...withBroker(devices(4, 2)),
    },
    "any size on a pool without a known limit": { pool: aPool(), size: 5000 },
    "more pods than nodes where pods share nodes": { pool: three, size: 30, network: shared },
    "pods that share nodes, with fewer devices by podTemplate": {
      pool: two,
      size: 4,
      network: shared,
      ...withTemplate({ containers: [{ name: "demo", ...devices(4, 2) }] }),
    },
    "pods that share nodes, without devices": { pool: two, size: 40, network: shared, ...withBroker(devices(0, 0)) },
  });
});

describe("the architecture and the labels of a cluster and of its pool", () => {
  const arm = aPool({}, { arch: "arm64" });
  const view = (image: pulumi.Input<string>) => ({ container: { image } });
  const rocky = "ghcr.io/converged-computing/flux-view-rocky";
  const label = "minicluster/pool";
  rejects({
    "flux.container.image: is a Flux view for arm64, and pool hpc is amd64; leave it out for the matching view": {
      pool: aPool(),
      flux: view(`${rocky}:arm-9`),
    },
  });
  rejectsAll({ pool: arm, flux: { arch: "amd64", ...view(`${rocky}:tag-9`) } }, [
    'flux.arch: "amd64" is not the architecture of pool hpc, arm64; leave it out',
    "flux.container.image: is a Flux view for amd64, and pool hpc is arm64; leave it out for the matching view",
  ]);
  rejectsAll(
    {
      pool: aPool(),
      pod: {
        nodeSelector: { [label]: "other", "kubernetes.io/arch": "arm64" },
        nodeAffinity: { [label]: ["one", "two"] },
      },
      ...withTemplate({ nodeSelector: { [label]: "other" } }),
    },
    [
      ...errorsAt(
        ["pod.nodeSelector", "pod.nodeAffinity", "podTemplate.spec.nodeSelector"].map((at) => `${at}["${label}"]`),
        'is "hpc" on the nodes of pool hpc; leave it out',
      ),
      'pod.nodeSelector["kubernetes.io/arch"]: is "amd64" on the nodes of pool hpc; leave it out',
    ],
  );
  accepts({
    "the architecture of the pool, and a view image of an unknown architecture": {
      pool: arm,
      flux: { arch: "arm64", ...view("example.com/flux-view:tag-9") },
    },
    "a view image that is known later": { pool: arm, flux: view(pulumi.output("x")) },
    "labels of the pool and unknown labels": {
      pool: aPool(),
      pod: { nodeSelector: { [label]: "hpc", disk: "nvme", constructor: "x" } },
    },
    "any architecture, view and amounts on nodes of unknown hardware": {
      pool: aPool({}, unknownHardware),
      flux: { arch: "arm64", ...view(`${rocky}:arm-9`) },
      pod: { nodeSelector: { "kubernetes.io/arch": "arm64" } },
      containers: [{ image: "i", resources: { requests: { cpu: "1000", memory: "9Ti" } } }],
    },
    "a label that is known later, and one value of the pool among others": {
      pool: aPool(),
      pod: { nodeSelector: { [label]: pulumi.output("x") }, nodeAffinity: { [label]: ["other", "hpc"] } },
    },
  });
});

describe("restricted pods on a pool", () => {
  const of = (pool: Parameters<typeof aPool>[0], podSecurity: "restricted" | "baseline" = "restricted") => ({
    pool: aPool(pool),
    podSecurity,
  });
  const hostPaths = { "/opt/nvidia": "/home/nvidia" };
  rejects({
    "podSecurity: pods on pool hpc need directories of the node, which restricted pods cannot have…": of({ hostPaths }),
    "podSecurity: pods on pool hpc need the capability IPC_LOCK and directories…": of({ lockMemory: true, hostPaths }),
  });
  accepts({
    "restricted pods on a pool that needs no privilege": of({}),
    "baseline pods on a pool that needs privileges": of({ lockMemory: true, hostPaths }, "baseline"),
  });
});

describe("a volume on local disks", () => {
  const scratch = { volumes: { scratch: { path: "/scratch", localDisk: true } } } as const;
  const at = "containers[0].volumes.scratch.localDisk";
  const pool = aPool({ localDisk: { gb: 100 } });
  rejects({
    [`${at}: requires a pool whose localDisks are "raid0"`]: withBroker(scratch),
    [`${at}: pool hpc mounts no local disks; set its localDisks to "raid0"`]: { pool: aPool(), ...withBroker(scratch) },
    "services[0].volumes.scratch.localDisk: services do not run on the nodes of the pool; use another source": {
      pool,
      services: [{ image: "a", name: "db", ...scratch }],
    },
  });
  accepts({ "a volume on the disks of the pool": { pool, ...withBroker(scratch) } });
});

const gpus = (count: number) => limits({ "nvidia.com/gpu": `${count}` });
const asking = (wanted: Record<string, string>) => withBroker(limits(wanted));
const demo = (wanted: Record<string, unknown>) => withTemplate({ containers: [{ name: "demo", ...limits(wanted) }] });
const inMain = (name: string) => `containers[0].resources.limits["${name}"]`;
const [many, missing] = ["the pod requests", "nodes of pool hpc have none; remove it or choose another pool"];

describe("what the containers of a pod request together", () => {
  const resources = { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "512Mi" };
  const { accepts, rejects, rejectsAll } = validating(
    sharing({ pool: aGpuPool({ resources }, { vcpus: 8, memoryMib: 1536 }) }),
  );
  const more = { name: "more", image: "i" };
  const kept = "less what the kubelet and the system keep…";
  rejects({
    [`containers[2].resources.limits["nvidia.com/gpu"]: ${many} 9 in total; a node of pool hpc has 8…`]: {
      containers: [aSidecar({ name: "a", ...gpus(5) }), aBroker(gpus(3)), aSidecar({ name: "b", ...gpus(1) })],
    },
    [`containers[1].resources.limits.cpu: ${many} 8 CPUs in total; a node of pool hpc has 8 CPUs, ${kept}`]: {
      containers: [aSidecar({ resources: { requests: { cpu: "500m" } } }), aBroker(limits({ cpu: "7500m" }))],
    },
    [`podTemplate.spec.initContainers[0].resources.limits["nvidia.com/gpu"]: ${many} 9 in total; …`]: [
      {
        containers: [aBroker(), aSidecar()],
        ...withTemplate({ initContainers: [{ name: "side", ...limits({ "nvidia.com/gpu": 9 }) }] }),
      },
      withTemplate({ initContainers: [{ ...more, ...gpus(9), restartPolicy: "Always" }] }),
    ],
  });
  const own = { limits: { "vpc.amazonaws.com/efa": "5" }, requests: { cpu: "9", memory: "1Gi" } };
  rejectsAll(withBroker({ resources: own }), [
    `containers[0].resources.requests.cpu: ${many} 9 CPUs in total; a node of pool hpc has 8 CPUs, ${kept}`,
    `containers[0].resources.requests.memory: ${many} 1024Mi in total; a node of pool hpc has 1024Mi, ${kept}`,
    `${inMain("vpc.amazonaws.com/efa")}: ${many} 5 in total; a node of pool hpc has 4…`,
  ]);
  const devicesOfOthers = ["nvidia.com/gpu", "aws.amazon.com/neuroncore", "rdma/hca"];
  rejectsAll(
    { pool: aPool(), ...asking(Object.fromEntries(devicesOfOthers.map((name) => [name, "1"]))) },
    errorsAt(devicesOfOthers.map(inMain), missing),
  );
  const place = "podTemplate.spec.containers[0].resources.limits";
  rejectsAll(demo({ "nvidia.com/gpu": 16, cpu: "8", "amd.com/gpu": 1 }), [
    `${place}.cpu: ${many} 8 CPUs in total; a node of pool hpc has 8 CPUs, ${kept}`,
    `${place}["nvidia.com/gpu"]: ${many} 16 in total; a node of pool hpc has 8…`,
    `${place}["amd.com/gpu"]: ${missing}`,
  ]);
  const late = withTemplate({ containers: [{ name: "demo", resources: pulumi.output("x") }] });
  accepts({
    "all GPUs and nearly all CPUs and memory of a node": {
      containers: [aSidecar(gpus(4)), aBroker(limits({ "nvidia.com/gpu": "4", cpu: "7999m", memory: "1023Mi" }))],
    },
    "limits above a node, with requests below": withBroker({
      resources: { limits: { cpu: "80", "hugepages-2Mi": "10Gi" }, requests: { cpu: "7" } },
    }),
    "no device of a kind without nodes, and an unknown resource": {
      pool: aPool(),
      ...asking({ "nvidia.com/gpu": "0", "example.com/dongle": "1" }),
    },
    "a device of a plugin that the user runs": {
      pool: aPool({}, { fabric: "infiniband" }),
      ...asking({ "rdma/shared_ib": "1" }),
    },
    "devices that podTemplate lowers": { ...demo({ "nvidia.com/gpu": 4 }), ...withBroker(gpus(9)) },
    "resources in podTemplate that are known later": { ...late, ...withBroker(gpus(9)) },
    "a container of podTemplate that takes one of the GPUs": withTemplate({
      containers: [{ ...more, ...limits({ "nvidia.com/gpu": 1, cpu: 2 }) }],
    }),
    "an init container, which ends before the brokers start": withTemplate({
      initContainers: [{ ...more, ...limits({ "nvidia.com/gpu": 8, cpu: 7 }) }],
    }),
  });
});

describe("the devices that a pod on a pool requests", () => {
  const { accepts, rejects, rejectsAll } = validating(
    sharing({ pool: aPool({ resources: { "aws.amazon.com/neuron": "16" } }) }),
  );
  const whole = "must be an integer; devices are indivisible";
  rejects({
    [`podTemplate.spec.containers[0].resources.limits["nvidia.com/gpu"]: "1.5" ${whole}`]: {
      pool: aGpuPool(),
      ...demo({ "nvidia.com/gpu": 1.5 }),
    },
  });
  rejectsAll(asking({ "aws.amazon.com/neuron": "17", "nvidia.com/gpu": "4" }), [
    `${inMain("aws.amazon.com/neuron")}: ${many} 17 in total; a node of pool hpc has 16…`,
    `${inMain("nvidia.com/gpu")}: ${missing}`,
  ]);
  rejectsAll(asking({ "aws.amazon.com/neuron": "1.5", "example.com/dongle": "1.0005k" }), [
    `${inMain("aws.amazon.com/neuron")}: "1.5" ${whole}`,
    `${inMain("example.com/dongle")}: "1.0005k" ${whole}`,
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

describe("a pool with the static CPU policy", () => {
  type Quantities = Record<string, pulumi.Input<string>>;
  const view = { limits: { cpu: "500m", memory: "1Gi" } };
  const { accepts, rejectsAll } = validating(
    sharing({
      pool: aPool({ staticCpu: true }, { vcpus: 16, memoryMib: 65_536 }),
      flux: { container: { resources: view } },
    }),
  );
  const having = (limits: Quantities, requests: Quantities = {}, ...others: Parameters<typeof aSidecar>) => ({
    containers: [aBroker({ resources: { limits, requests } }), ...others.map(aSidecar)],
  });
  rejectsAll(
    { ...having({ cpu: "8" }, {}, { resources: { limits: { memory: "8Gi" } } }), flux: {} },
    errorsAt(
      ["containers[0]", "containers[1]", "flux.container"].map((at) => `${at}.resources.limits`),
      "pool hpc has the static CPU policy, which requires limits for cpu (whole CPUs) and memory…",
    ),
  );
  const equal = "pool hpc has the static CPU policy, which requires a request equal to the limit; leave it out";
  rejectsAll(having({ cpu: "7500m", memory: "8Gi" }, { cpu: "4", memory: "4Gi" }), [
    `containers[0].resources.requests.cpu: ${equal}`,
    `containers[0].resources.requests.memory: ${equal}`,
    "containers[0].resources.limits.cpu: the static CPU policy assigns only whole CPUs; make it an integer",
  ]);
  const all = { cpu: "8", memory: "8Gi" };
  accepts({
    "limits on every container, with equal requests": having(
      ...([all, { cpu: "8000m", memory: "8192Mi" }, { resources: view }] as const),
    ),
    "amounts that are known later": having({ ...all, cpu: pulumi.output("x") }, { cpu: "7" }),
    "a view without limits that is an image volume": { flux: { container: { imageVolume: true } }, ...having(all) },
  });
});
