import * as pulumi from "@pulumi/pulumi";
import { errorsAt, sharing, validating } from "../../../../support/problems";
import { aBroker, aGpuPool, aPool, aSidecar } from "../../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

const shared = { affinity: "preferred" } as const;
const devices = (gpus: number | string, efa: number | string) => ({
  ...{ resources: { limits: { "nvidia.com/gpu": `${gpus}`, "vpc.amazonaws.com/efa": `${efa}` } } },
});

describe("the sizes of a cluster and of its pool", () => {
  const [three, growing] = [aPool({ nodes: 3, maxNodes: 9 }), aPool({ maxNodes: 4 })];
  rejects({
    "size: size 4 is above the 3 nodes of pool hpc; raise the pool's size or lower size": {
      ...{ pool: three, size: 4, maxSize: 4 },
    },
    "maxSize: maxSize 5 is above the 4 nodes of pool hpc at most; raise autoscale.max of the pool or lower maxSize": {
      ...{ pool: growing, size: 2, maxSize: 5 },
    },
    "size: size 5 is above the 4 nodes of pool hpc at most; raise autoscale.max of the pool or lower size": {
      ...{ pool: growing, size: 5 },
    },
    "size: size 3 is above the 2 pods that pool hpc has devices for; raise the pool's size or lower size": {
      pool: aGpuPool({ resources: { "nvidia.com/gpu": "0", "vpc.amazonaws.com/efa": "4" }, nodes: 2 }),
      ...{ size: 3, network: { affinity: "none" } },
    },
  });
  rejectsAll(
    {
      ...{ pool: aGpuPool({ maxNodes: 2 }), size: 5, network: shared },
      containers: [aBroker(devices(3, 1)), aSidecar({ resources: { limits: { "nvidia.com/gpu": "1" } } })],
    },
    [
      "size: size 5 is above the 4 pods that pool hpc has devices for at most; raise autoscale.max of the pool or " +
        "lower size",
    ],
  );
  accepts({
    "a pod for each node of a fixed pool, with a larger maxSize": { pool: three, size: 3, maxSize: 100 },
    "more pods than nodes while the cluster is suspended": { pool: aPool({ nodes: 0 }), size: 2, suspend: true },
    "as many pods as the pool may grow to": { pool: growing, size: 2, maxSize: 4 },
    "any size on a pool without a known limit": { pool: aPool(), size: 5000 },
    "more pods than nodes where pods share nodes": { pool: three, size: 30, network: shared },
    "pods that share nodes, with fewer devices by podTemplate": {
      ...{ pool: aGpuPool({ nodes: 2 }), size: 4, network: shared },
      podTemplate: { spec: { containers: [{ name: "demo", ...devices(4, 2) }] } },
    },
    "pods that share nodes, without devices": {
      ...{ pool: aGpuPool({ nodes: 2 }), size: 40, network: shared, containers: [aBroker(devices(0, 0))] },
    },
  });
});

describe("the architecture and the labels of a cluster and of its pool", () => {
  const arm = aPool({}, { arch: "arm64" });
  const view = (image: pulumi.Input<string>) => ({ container: { image } });
  rejects({
    "flux.container.image: is a Flux view for arm64, and pool hpc is amd64; leave it out for the view that fits": {
      ...{ pool: aPool(), flux: view("ghcr.io/converged-computing/flux-view-rocky:arm-9") },
    },
  });
  rejectsAll({ pool: arm, flux: { arch: "amd64", ...view("ghcr.io/converged-computing/flux-view-rocky:tag-9") } }, [
    'flux.arch: "amd64" is not the architecture of pool hpc, arm64; leave it out',
    "flux.container.image: is a Flux view for amd64, and pool hpc is arm64; leave it out for the view that fits",
  ]);
  rejectsAll(
    {
      pool: aPool(),
      pod: {
        nodeSelector: { "minicluster/pool": "other", "kubernetes.io/arch": "arm64" },
        nodeAffinity: { "minicluster/pool": ["one", "other"] },
      },
      podTemplate: { spec: { nodeSelector: { "minicluster/pool": "other" } } },
    },
    [
      ...errorsAt(
        ["pod.nodeSelector", "pod.nodeAffinity", "podTemplate.spec.nodeSelector"].map(
          (at) => `${at}["minicluster/pool"]`,
        ),
        'nodes of pool hpc have "hpc" here; leave it out',
      ),
      'pod.nodeSelector["kubernetes.io/arch"]: nodes of pool hpc have "amd64" here; leave it out',
    ],
  );
  accepts({
    "the architecture of the pool, and a view image of an unknown architecture": {
      ...{ pool: arm, flux: { arch: "arm64", ...view("example.com/flux-view:tag-9") } },
    },
    "a view image that is known later": { pool: arm, flux: view(pulumi.output("x")) },
    "labels of the pool and unknown labels": {
      ...{ pool: aPool(), pod: { nodeSelector: { "minicluster/pool": "hpc", disk: "nvme", constructor: "x" } } },
    },
    "a label that is known later, and one value of the pool among others": {
      pool: aPool(),
      pod: {
        nodeSelector: { "minicluster/pool": pulumi.output("x"), "kubernetes.io/arch": "amd64" },
        nodeAffinity: { "minicluster/pool": ["other", "hpc"] },
      },
    },
  });
});

describe("the tolerations of a template for pods on a pool", () => {
  const taints = [
    { key: "gpu", value: "yes", effect: "NoSchedule" } as const,
    { key: "soft", effect: "PreferNoSchedule" } as const,
  ];
  const { accepts, rejects } = validating(sharing({ pool: aPool({ taints }) }));
  const having = (...tolerations: object[]) => ({ podTemplate: { spec: { tolerations } } });
  rejects({
    ["podTemplate.spec.tolerations: replaces all tolerations, and none tolerates the taint gpu=yes:NoSchedule of " +
    "pool hpc; add it here, or use pod.tolerations, which adds to those of the pool"]: [
      having(),
      having({ key: "cpu", value: "yes", effect: "NoSchedule" }),
      having({ key: "gpu", value: "no", effect: "NoSchedule" }),
      having({ key: "gpu" }),
      having({ key: "gpu", operator: "Exists", effect: "NoExecute" }),
      having({ key: "cpu", operator: "Exists" }),
    ],
  });
  accepts({
    "the taint": having({ key: "gpu", operator: "Equal", value: "yes", effect: "NoSchedule" }),
    "the taint with any effect": having({ key: "gpu", value: "yes" }),
    "any value of the key": having({ key: "gpu", operator: "Exists" }),
    "any taint": having({ operator: "Exists" }),
    "a key that is known later": having({ key: pulumi.output("x"), value: "yes" }),
    "a template without tolerations": { podTemplate: { spec: {} } },
    "no toleration on a pool without taints": { pool: aPool(), ...having() },
  });
});

describe("restricted pods on a pool", () => {
  const hostPaths = { "/opt/nvidia": "/home/nvidia" };
  rejects({
    ['podSecurity: pods on pool hpc need directories of the node, which restricted pods cannot have; use "baseline" ' +
    "or another pool"]: { pool: aPool({ hostPaths }), podSecurity: "restricted" },
    ["podSecurity: pods on pool hpc need the capability IPC_LOCK and directories of the node, which restricted pods " +
    'cannot have; use "baseline" or another pool']: {
      ...{ pool: aPool({ lockMemory: true, hostPaths }), podSecurity: "restricted" },
    },
  });
  accepts({
    "restricted pods on a pool that needs no privilege": { pool: aPool(), podSecurity: "restricted" },
    "baseline pods on a pool that needs privileges": {
      ...{ pool: aPool({ lockMemory: true, hostPaths }), podSecurity: "baseline" },
    },
  });
});

describe("a volume on local disks", () => {
  const scratch = { volumes: { scratch: { path: "/scratch", localDisk: true } } } as const;
  const at = "containers[0].volumes.scratch.localDisk";
  rejects({
    [`${at}: requires a pool whose localDisks are "raid0"`]: { containers: [aBroker(scratch)] },
    [`${at}: pool hpc mounts no local disks; set its localDisks to "raid0"`]: {
      ...{ pool: aPool(), containers: [aBroker(scratch)] },
    },
    "services[0].volumes.scratch.localDisk: services do not run on the nodes of the pool; use another source": {
      ...{ pool: aPool({ localDisk: { gb: 100 } }), services: [{ image: "a", name: "db", ...scratch }] },
    },
    "containers[0].volumes.scratch.localDiskSize: requires localDisk; add it or remove this": {
      containers: [aBroker({ volumes: { scratch: { path: "/s", hostPath: "/x", localDiskSize: "1Gi" } } })],
    },
  });
  accepts({
    "a volume on the disks of the pool": {
      ...{ pool: aPool({ localDisk: { gb: 100 } }), containers: [aBroker(scratch)] },
    },
  });
});
