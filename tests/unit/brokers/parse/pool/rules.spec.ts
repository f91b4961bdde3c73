import * as pulumi from "@pulumi/pulumi";
import { errorsAt, itValidates, sharing } from "../../../../support/problems";
import { aGpuPool, aPool } from "../../../../support/fixtures";

describe("the sizes of a cluster and of its pool", () => {
  itValidates([
    {
      name: "a pod for each node of a fixed pool, with a larger maxSize",
      args: { pool: aPool({ nodes: 3, maxNodes: 9 }), size: 3, maxSize: 100 },
    },
    {
      name: "more pods than nodes while the cluster is suspended",
      args: { pool: aPool({ nodes: 0 }), size: 2, suspend: true },
    },
    { name: "as many pods as the pool may grow to", args: { pool: aPool({ maxNodes: 4 }), size: 2, maxSize: 4 } },
    { name: "any size on a pool without a known limit", args: { pool: aPool(), size: 5000 } },
    {
      name: "more pods than nodes where pods share nodes",
      args: { pool: aPool({ nodes: 3, maxNodes: 9 }), size: 30, network: { affinity: "preferred" } },
    },
    {
      name: "pods that share nodes, with fewer devices by podTemplate",
      args: {
        pool: aGpuPool({ nodes: 2 }),
        size: 4,
        network: { affinity: "none" },
        podTemplate: {
          spec: {
            containers: [{ name: "demo", resources: { limits: { "nvidia.com/gpu": 4, "vpc.amazonaws.com/efa": 2 } } }],
          },
        },
      },
    },
    {
      name: "pods that share nodes, without devices",
      args: {
        pool: aGpuPool({ nodes: 2 }),
        size: 40,
        network: { affinity: "none" },
        containers: [{ image: "i", resources: { limits: { "nvidia.com/gpu": "0", "vpc.amazonaws.com/efa": "0" } } }],
      },
    },
    {
      name: "a size above the nodes of a fixed pool",
      args: { pool: aPool({ nodes: 3, maxNodes: 9 }), size: 4, maxSize: 4 },
      errors: ["size: size 4 is above the 3 nodes of pool hpc; raise the pool's size or lower size"],
    },
    {
      name: "a maxSize above the nodes that the pool may grow to",
      args: { pool: aPool({ maxNodes: 4 }), size: 2, maxSize: 5 },
      errors: [
        "maxSize: maxSize 5 is above the 4 nodes of pool hpc at most; raise autoscale.max of the pool or lower maxSize",
      ],
    },
    {
      name: "a size above the nodes that the pool may grow to",
      args: { pool: aPool({ maxNodes: 4 }), size: 5 },
      errors: ["size: size 5 is above the 4 nodes of pool hpc at most; raise autoscale.max of the pool or lower size"],
    },
    {
      name: "more pods than a fixed pool has devices for",
      args: {
        pool: aGpuPool({ resources: { "nvidia.com/gpu": "0", "vpc.amazonaws.com/efa": "4" }, nodes: 2 }),
        size: 3,
        network: { affinity: "none" },
      },
      errors: ["size: size 3 is above the 2 pods that pool hpc has devices for; raise the pool's size or lower size"],
    },
    {
      name: "more pods than a growing pool has devices for, over all containers",
      args: {
        pool: aGpuPool({ maxNodes: 2 }),
        size: 5,
        network: { affinity: "preferred" },
        containers: [
          { image: "i", runFlux: true, resources: { limits: { "nvidia.com/gpu": "3", "vpc.amazonaws.com/efa": "1" } } },
          { image: "i", name: "side", resources: { limits: { "nvidia.com/gpu": "1" } } },
        ],
      },
      errors: [
        "size: size 5 is above the 4 pods that pool hpc has devices for at most; raise autoscale.max of the pool " +
          "or lower size",
      ],
    },
  ]);
});

describe("the architecture and the labels of a cluster and of its pool", () => {
  itValidates([
    {
      name: "the architecture of the pool, and a view image of an unknown architecture",
      args: {
        pool: aPool({}, { arch: "arm64" }),
        flux: { arch: "arm64", container: { image: "example.com/flux-view:tag-9" } },
      },
    },
    {
      name: "a view image that is known later",
      args: { pool: aPool({}, { arch: "arm64" }), flux: { container: { image: pulumi.output("x") } } },
    },
    {
      name: "an architecture and a view image other than the pool's",
      args: {
        pool: aPool({}, { arch: "arm64" }),
        flux: { arch: "amd64", container: { image: "ghcr.io/converged-computing/flux-view-rocky:tag-9" } },
      },
      errors: [
        'flux.arch: "amd64" is not the architecture of pool hpc, arm64; leave it out',
        "flux.container.image: is a Flux view for amd64, and pool hpc is arm64; leave it out for the view that fits",
      ],
    },
    {
      name: "a view image for arm64 on an amd64 pool",
      args: { pool: aPool(), flux: { container: { image: "ghcr.io/converged-computing/flux-view-rocky:arm-9" } } },
      errors: [
        "flux.container.image: is a Flux view for arm64, and pool hpc is amd64; leave it out for the view that fits",
      ],
    },
    {
      name: "labels of the pool and unknown labels",
      args: {
        pool: aPool(),
        pod: {
          nodeSelector: { "minicluster/pool": "hpc", "kubernetes.io/arch": "amd64", disk: "nvme", constructor: "x" },
        },
      },
    },
    {
      name: "a label that is known later, and one value of the pool among others",
      args: {
        pool: aPool(),
        pod: {
          nodeSelector: { "minicluster/pool": pulumi.output("x") },
          nodeAffinity: { "minicluster/pool": ["other", "hpc"] },
        },
      },
    },
    {
      name: "values of labels that the nodes of the pool do not have",
      args: {
        pool: aPool(),
        pod: {
          nodeSelector: { "minicluster/pool": "other", "kubernetes.io/arch": "arm64" },
          nodeAffinity: { "minicluster/pool": ["one", "other"] },
        },
        podTemplate: { spec: { nodeSelector: { "minicluster/pool": "other" } } },
      },
      errors: [
        ...errorsAt(
          [
            'pod.nodeSelector["minicluster/pool"]',
            'pod.nodeAffinity["minicluster/pool"]',
            'podTemplate.spec.nodeSelector["minicluster/pool"]',
          ],
          'nodes of pool hpc have "hpc" here; leave it out',
        ),
        'pod.nodeSelector["kubernetes.io/arch"]: nodes of pool hpc have "amd64" here; leave it out',
      ],
    },
  ]);
});

describe("the tolerations of a template for pods on a pool", () => {
  const says =
    "podTemplate.spec.tolerations: replaces all tolerations, and none tolerates the taint gpu=yes:NoSchedule of " +
    "pool hpc; " +
    "add it here, or use pod.tolerations, which adds to those of the pool";
  const tolerated: Record<string, object> = {
    "the taint": { key: "gpu", operator: "Equal", value: "yes", effect: "NoSchedule" },
    "the taint with any effect": { key: "gpu", value: "yes" },
    "any value of the key": { key: "gpu", operator: "Exists" },
    "any taint": { operator: "Exists" },
    "a key that is known later": { key: pulumi.output("x"), value: "yes" },
  };
  const other: Record<string, object> = {
    "another key": { key: "cpu", value: "yes", effect: "NoSchedule" },
    "another value": { key: "gpu", value: "no", effect: "NoSchedule" },
    "an empty value": { key: "gpu" },
    "another effect": { key: "gpu", operator: "Exists", effect: "NoExecute" },
    "any value of another key": { key: "cpu", operator: "Exists" },
  };
  const withTolerations = (...tolerations: object[]) => ({ podTemplate: { spec: { tolerations } } });
  itValidates(
    [
      ...Object.entries(tolerated).map(([name, toleration]) => ({ name, args: withTolerations(toleration) })),
      ...Object.entries(other).map(([name, toleration]) => ({
        ...{ name, args: withTolerations(toleration), errors: [says] },
      })),
      { name: "no toleration", args: withTolerations(), errors: [says] },
      { name: "a template without tolerations", args: { podTemplate: { spec: {} } } },
      { name: "no toleration on a pool without taints", args: { pool: aPool(), ...withTolerations() } },
    ],
    sharing({
      pool: aPool({
        taints: [
          { key: "gpu", value: "yes", effect: "NoSchedule" },
          { key: "soft", effect: "PreferNoSchedule" },
        ],
      }),
    }),
  );
});

describe("restricted pods on a pool", () => {
  itValidates([
    { name: "restricted pods on a pool that needs no privilege", args: { pool: aPool(), podSecurity: "restricted" } },
    {
      name: "baseline pods on a pool that needs privileges",
      args: {
        pool: aPool({ lockMemory: true, hostPaths: { "/opt/nvidia": "/home/nvidia" } }),
        podSecurity: "baseline",
      },
    },
    {
      name: "restricted pods on a pool with directories of the node",
      args: { pool: aPool({ hostPaths: { "/opt/nvidia": "/home/nvidia" } }), podSecurity: "restricted" },
      errors: [
        "podSecurity: pods on pool hpc need directories of the node, which restricted pods cannot have; use " +
          '"baseline" or another pool',
      ],
    },
    {
      name: "restricted pods on a pool with locked memory and directories of the node",
      args: {
        pool: aPool({ lockMemory: true, hostPaths: { "/opt/nvidia": "/home/nvidia" } }),
        podSecurity: "restricted",
      },
      errors: [
        "podSecurity: pods on pool hpc need the capability IPC_LOCK and directories of the node, which " +
          'restricted pods cannot have; use "baseline" or another pool',
      ],
    },
  ]);
});
