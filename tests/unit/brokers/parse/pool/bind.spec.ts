import * as pulumi from "@pulumi/pulumi";
import { itBuilds } from "../../../../support/manifests";
import { aBroker, aPool } from "../../../../support/fixtures";

const taint = (key: string, value: string, effect: string) => ({ key, operator: "Equal", value, effect });
const arch = (value: string, effect: string) => taint("kubernetes.io/arch", value, effect);

describe("a cluster on a pool", () => {
  itBuilds([
    {
      name: "takes node selector and annotations of the pool, and those of the arguments over them",
      args: {
        pool: aPool({ annotations: { "a.io/networks": "ours", "a.io/more": "ours" } }),
        pod: {
          nodeSelector: { disk: "nvme", "minicluster/pool": pulumi.output("theirs") },
          annotations: { "a.io/more": "theirs", b: "theirs" },
        },
      },
      want: {
        "pod.nodeSelector": { "kubernetes.io/arch": "amd64", "minicluster/pool": "theirs", disk: "nvme" },
        'template.annotations["a.io/networks"]': "ours",
        'template.annotations["a.io/more"]': "theirs",
        "template.annotations.b": "theirs",
      },
    },
    {
      name: "tolerates each taint of the pool beside the tolerations of the arguments",
      args: {
        pool: aPool({
          taints: [
            { key: "gpu", value: "present", effect: "NoSchedule" },
            { key: "team", effect: "NoExecute" },
            { key: "spot", effect: "PreferNoSchedule" },
          ],
        }),
        pod: { tolerations: [{ key: "other", operator: "Exists" }] },
      },
      want: {
        "pod.tolerations": [
          taint("gpu", "present", "NoSchedule"),
          taint("team", "", "NoExecute"),
          taint("spot", "", "PreferNoSchedule"),
          { key: "other", operator: "Exists" },
        ],
      },
    },
    {
      name: "tolerates the taint of arm64 nodes once",
      args: {
        pool: aPool(
          { taints: [{ key: "kubernetes.io/arch", value: "arm64", effect: "NoSchedule" }] },
          { arch: "arm64" },
        ),
      },
      want: { "pod.tolerations": [arch("arm64", "NoSchedule")] },
    },
    {
      name: "tolerates another taint of the architecture key",
      args: {
        pool: aPool(
          { taints: [{ key: "kubernetes.io/arch", value: "arm64", effect: "NoExecute" }] },
          { arch: "arm64" },
        ),
      },
      want: { "pod.tolerations": [arch("arm64", "NoSchedule"), arch("arm64", "NoExecute")] },
    },
    {
      name: "tolerates a taint of amd64 nodes",
      args: { pool: aPool({ taints: [{ key: "kubernetes.io/arch", value: "amd64", effect: "NoSchedule" }] }) },
      want: { "pod.tolerations": [arch("amd64", "NoSchedule")] },
    },
    {
      name: "has the Flux view of the architecture of the pool",
      args: { pool: aPool({}, { arch: "arm64" }) },
      want: { "container.flux-view.image": "ghcr.io/converged-computing/flux-view-ubuntu:arm-noble" },
    },
    {
      name: "has the view of the arguments in its place",
      args: { pool: aPool({}, { arch: "arm64" }), flux: { container: { image: "mine" } } },
      want: { "container.flux-view.image": "mine" },
    },
  ]);
});

describe("the container that runs Flux, on a pool", () => {
  itBuilds([
    {
      name: "has the variables of the pool, and those of the arguments over them",
      args: {
        pool: aPool({ environment: { FI_PROVIDER: "efa", UCX_TLS: "rc", TOKEN: "ours" } }),
        containers: [
          aBroker({ environment: { UCX_TLS: "tcp", MINE: "x" }, secrets: { TOKEN: { name: "s", key: "k" } } }),
        ],
      },
      want: {
        "container.demo.variables.FI_PROVIDER": { name: "FI_PROVIDER", value: "efa" },
        "container.demo.variables.UCX_TLS": { name: "UCX_TLS", value: "tcp" },
        "container.demo.variables.MINE": { name: "MINE", value: "x" },
        "container.demo.variables.TOKEN.value": undefined,
        "container.demo.env[5]": undefined,
      },
    },
    {
      name: "has shared memory without a limit, and the directories of the node",
      args: { pool: aPool({ hostPaths: { "/opt/nvidia": "/home/nvidia", "/opt/nccl": "/home/nccl" } }) },
      want: {
        'container.demo.mounts["/dev/shm"].name': "pool-shm",
        "volume.pool-shm.emptyDir": { medium: "Memory" },
        'container.demo.mounts["/opt/nvidia"].name': "pool-host-0",
        "volume.pool-host-0.hostPath": { path: "/home/nvidia" },
      },
    },
    {
      name: "has volumes of the arguments in their places",
      args: {
        pool: aPool({ hostPaths: { "/opt/nccl": "/home/nccl" } }),
        containers: [
          aBroker({
            volumes: { own: { path: "/dev/shm", claimName: "c" }, nccl: { path: "/opt/nccl", claimName: "c" } },
          }),
        ],
      },
      want: {
        'container.demo.mounts["/dev/shm"].name': "own",
        'container.demo.mounts["/opt/nccl"].name': "nccl",
        'volume["pool-shm"]': undefined,
        'volume["pool-host-0"]': undefined,
      },
    },
    {
      name: "has shared memory of the arguments in its place",
      args: {
        pool: aPool(),
        containers: [aBroker({ volumes: { own: { emptyDir: true, emptyDirMedium: "Memory" } } })],
      },
      want: { 'container.demo.mounts["/dev/shm"].name': "own", "volume.pool-shm": undefined },
    },
    {
      name: "may lock memory if the fabric does",
      args: {
        pool: aPool({ lockMemory: true }),
        containers: [aBroker({ securityContext: { runAsUser: 0 } })],
      },
      want: {
        "container.demo.securityContext.capabilities": { add: ["IPC_LOCK"] },
        "container.demo.securityContext.runAsUser": 0,
      },
    },
    {
      name: "keeps the capabilities of the arguments beside IPC_LOCK",
      args: {
        pool: aPool({ lockMemory: true }),
        containers: [aBroker({ securityContext: { capabilities: { add: ["SYS_NICE"], drop: ["ALL"] } } })],
      },
      want: { "container.demo.securityContext.capabilities": { add: ["SYS_NICE", "IPC_LOCK"], drop: ["ALL"] } },
    },
    {
      name: "names IPC_LOCK once",
      args: {
        pool: aPool({ lockMemory: true }),
        containers: [aBroker({ securityContext: { capabilities: { add: ["IPC_LOCK"] } } })],
      },
      want: { "container.demo.securityContext.capabilities": { add: ["IPC_LOCK"] } },
    },
    {
      name: "has no capability if the pool locks no memory",
      args: { pool: aPool() },
      want: { "container.demo.securityContext.capabilities": undefined },
    },
  ]);
});
