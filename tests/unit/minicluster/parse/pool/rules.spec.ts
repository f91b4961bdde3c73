import * as pulumi from "@pulumi/pulumi";
import { aContainer, aGpuPool, aPool } from "../../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../../support/problems";

const fixed = aPool({ nodes: 3, maxNodes: 9 });
const growing = aPool({ maxNodes: 4 });
const devices = aGpuPool({ nodes: 2 });
const apart = (affinity: string) => ({ network: { affinity } });

describe("the sizes of a cluster and of its pool", () => {
  itAccepts({
    "a pod for each node of a fixed pool": { pool: fixed, size: 3 },
    "a largest size above a fixed pool, which is raised with it": { pool: fixed, size: 3, maxSize: 100 },
    "more pods than nodes while the cluster is suspended": { pool: aPool({ nodes: 0 }), size: 2, suspend: true },
    "as many pods as a pool may grow to": { pool: growing, size: 2, maxSize: 4 },
    "a pool whose limit nobody knows": { pool: aPool(), size: 5000 },
    "pods that share nodes": { pool: fixed, size: 30, ...apart("preferred") },
    "pods that share nodes and take a part of the devices": {
      ...{ pool: devices, size: 4, ...apart("none") },
      containers: [aContainer({ resources: { limits: { "nvidia.com/gpu": "4", "vpc.amazonaws.com/efa": "2" } } })],
    },
    "pods that share nodes and take the part of the devices that the user's template says": {
      ...{ pool: devices, size: 4, ...apart("none") },
      podTemplate: {
        spec: {
          containers: [{ name: "demo", resources: { limits: { "nvidia.com/gpu": 4, "vpc.amazonaws.com/efa": 2 } } }],
        },
      },
    },
    "pods that share nodes and take no devices": {
      ...{ pool: devices, size: 40, ...apart("none") },
      containers: [aContainer({ resources: { limits: { "nvidia.com/gpu": "0", "vpc.amazonaws.com/efa": "0" } } })],
    },
  });

  itRefuses([
    {
      rule: "more pods than a fixed pool has nodes",
      args: { pool: fixed, size: 4, maxSize: 4 },
      path: "size",
      says: "size 4 is above the 3 nodes of pool hpc; raise the pool's size or lower size",
    },
    {
      rule: "a pod where there is no node",
      args: { pool: aPool({ nodes: 0 }) },
      path: "size",
      says: "size 1 is above the 0 nodes of pool hpc; raise the pool's size or lower size",
    },
    {
      rule: "a largest size above what a pool may grow to",
      args: { pool: growing, size: 2, maxSize: 5 },
      path: "maxSize",
      says: "maxSize 5 is above the 4 nodes of pool hpc at most; raise autoscale.max of the pool or lower maxSize",
    },
    {
      rule: "a size above what a pool may grow to",
      args: { pool: growing, size: 5 },
      path: "size",
      says: "size 5 is above the 4 nodes of pool hpc at most; raise autoscale.max of the pool or lower size",
    },
    {
      rule: "more pods than nodes where each takes all devices of one",
      args: { pool: devices, size: 3, ...apart("none") },
      path: "size",
      says: "size 3 is above the 2 pods that pool hpc has devices for; raise the pool's size or lower size",
    },
    {
      rule: "more pods than there are devices for, whatever else the nodes have none of",
      args: {
        pool: aGpuPool({ nodes: 2, resources: { "nvidia.com/gpu": "0", "vpc.amazonaws.com/efa": "4" } }),
        ...{ size: 3, ...apart("none") },
      },
      path: "size",
      says: "size 3 is above the 2 pods that pool hpc has devices for; raise the pool's size or lower size",
    },
    {
      rule: "more pods than there are devices for, those of the containers beside Flux included",
      args: {
        ...{ pool: aGpuPool({ maxNodes: 2 }), size: 5, ...apart("preferred") },
        containers: [
          aContainer({ runFlux: true, resources: { limits: { "nvidia.com/gpu": "3", "vpc.amazonaws.com/efa": "1" } } }),
          { image: "i", name: "side", resources: { limits: { "nvidia.com/gpu": "1" } } },
        ],
      },
      path: "size",
      says: "size 5 is above the 4 pods that pool hpc has devices for at most; raise autoscale.max of the pool or lower size",
    },
  ]);
});

describe("the architecture of a cluster and of its pool", () => {
  const arm = aPool({}, { arch: "arm64" });
  const view = (image: unknown) => ({ flux: { container: { image } } });
  const ofOperator = "ghcr.io/converged-computing/flux-view-rocky:";

  itAccepts({
    "an architecture that is said twice": { pool: arm, flux: { arch: "arm64" } },
    "a view for ARM": { pool: arm, ...view(`${ofOperator}arm-9`) },
    "a view for x86": { pool: aPool(), ...view(`${ofOperator}tag-9`) },
    "a view of which nobody knows the architecture": { pool: arm, ...view("example.com/flux-view:tag-9") },
    "a view that is only known later": { pool: arm, ...view(pulumi.output(`${ofOperator}tag-9`)) },
  });

  itRefuses([
    {
      rule: "another architecture",
      args: { pool: arm, flux: { arch: "amd64" } },
      path: "flux.arch",
      says: '"amd64" is not the architecture of pool hpc, arm64; leave it out',
    },
    {
      rule: "a view for x86 on ARM",
      args: { pool: arm, ...view(`${ofOperator}tag-9`) },
      path: "flux.container.image",
      says: "is a Flux view for amd64, and pool hpc is arm64; leave it out for the view that fits",
    },
    {
      rule: "a view for ARM on x86",
      args: { pool: aPool(), ...view(`${ofOperator}arm-9`) },
      path: "flux.container.image",
      says: "is a Flux view for arm64, and pool hpc is amd64; leave it out for the view that fits",
    },
  ]);
});

describe("the labels that a cluster wants of the nodes of its pool", () => {
  const own = { "minicluster/pool": "hpc", "kubernetes.io/arch": "amd64" };

  itAccepts({
    "the pool's own": { pool: aPool(), pod: { nodeSelector: own } },
    "others, which nobody knows": { pool: aPool(), pod: { nodeSelector: { disk: "nvme", constructor: "x" } } },
    "one that is only known later": {
      pool: aPool(),
      pod: { nodeSelector: { "minicluster/pool": pulumi.output("x") } },
    },
    "one of some that the pool has": { pool: aPool(), pod: { nodeAffinity: { "minicluster/pool": ["other", "hpc"] } } },
  });

  itRefuses([
    {
      rule: "another value than the nodes have",
      args: { pool: aPool(), pod: { nodeSelector: { "minicluster/pool": "other" } } },
      path: 'pod.nodeSelector["minicluster/pool"]',
      says: 'nodes of pool hpc have "hpc" here; leave it out',
    },
    {
      rule: "another architecture than the nodes have",
      args: { pool: aPool(), pod: { nodeSelector: { "kubernetes.io/arch": "arm64" } } },
      path: 'pod.nodeSelector["kubernetes.io/arch"]',
      says: 'nodes of pool hpc have "amd64" here; leave it out',
    },
    {
      rule: "values of which the nodes have none",
      args: { pool: aPool(), pod: { nodeAffinity: { "minicluster/pool": ["one", "other"] } } },
      path: 'pod.nodeAffinity["minicluster/pool"]',
      says: 'nodes of pool hpc have "hpc" here; leave it out',
    },
    {
      rule: "another value in the user's template",
      args: { pool: aPool(), podTemplate: { spec: { nodeSelector: { "minicluster/pool": "other" } } } },
      path: 'podTemplate.spec.nodeSelector["minicluster/pool"]',
      says: 'nodes of pool hpc have "hpc" here; leave it out',
    },
  ]);
});

describe("the tolerations of a template for pods on a pool", () => {
  const pool = aPool({
    taints: [
      { key: "gpu", value: "yes", effect: "NoSchedule" },
      { key: "soft", effect: "PreferNoSchedule" },
    ],
  });
  const template = (tolerations: unknown) => ({ pool, podTemplate: { spec: { tolerations } } });
  const says =
    "replaces all tolerations, and none tolerates the taint gpu=yes:NoSchedule of pool hpc; add it here, " +
    "or use pod.tolerations, which adds to those of the pool";
  const tolerated: Record<string, object> = {
    "the taint itself": { key: "gpu", operator: "Equal", value: "yes", effect: "NoSchedule" },
    "the taint with any effect": { key: "gpu", value: "yes" },
    "every value of the taint": { key: "gpu", operator: "Exists" },
    everything: { operator: "Exists" },
    "what is only known later": { key: pulumi.output("gpu"), value: "yes" },
  };
  const untolerated: Record<string, object> = {
    "another key": { key: "cpu", value: "yes", effect: "NoSchedule" },
    "another value": { key: "gpu", value: "no", effect: "NoSchedule" },
    "no value": { key: "gpu" },
    "another effect": { key: "gpu", operator: "Exists", effect: "NoExecute" },
    "another key with every value": { key: "cpu", operator: "Exists" },
  };

  itAccepts({
    ...Object.fromEntries(Object.entries(tolerated).map(([name, item]) => [name, template([{ key: "x" }, item])])),
    "a template without tolerations": { pool, podTemplate: { spec: { tolerations: undefined } } },
    "no tolerations where no taint keeps pods away": { ...template([]), pool: aPool() },
  });
  itRefuses([
    ...Object.entries(untolerated).map(([rule, item]) => ({
      ...{ rule, args: template([item]), path: "podTemplate.spec.tolerations", says },
    })),
    { rule: "an empty list", args: template([]), path: "podTemplate.spec.tolerations", says },
  ]);
});
