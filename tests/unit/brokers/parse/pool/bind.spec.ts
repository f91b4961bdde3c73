import * as pulumi from "@pulumi/pulumi";
import { itBuilds } from "../../../../support/manifests";
import { aBroker, aPool, withBroker } from "../../../../support/fixtures";

const taint = (key: string, value: string, effect: string) => ({ key, operator: "Equal", value, effect });
const arch = (value: string, effect: string) => taint("kubernetes.io/arch", value, effect);

describe("a cluster on a pool", () => {
  itBuilds(
    "takes node selector and annotations of the pool, and those of the arguments over them",
    {
      pool: aPool({ annotations: { "a.io/networks": "ours", "a.io/more": "ours" } }),
      pod: {
        nodeSelector: { disk: "nvme", "minicluster/pool": pulumi.output("theirs") },
        annotations: { "a.io/more": "theirs", b: "theirs" },
      },
    },
    {
      "pod.nodeSelector": { "kubernetes.io/arch": "amd64", "minicluster/pool": "theirs", disk: "nvme" },
      'template.annotations["a.io/networks"]': "ours",
      'template.annotations["a.io/more"]': "theirs",
      "template.annotations.b": "theirs",
    },
  );
  itBuilds(
    "tolerates each taint of the pool beside the tolerations of the arguments",
    {
      pool: aPool({
        taints: [
          { key: "gpu", value: "present", effect: "NoSchedule" },
          { key: "team", effect: "NoExecute" },
          { key: "spot", effect: "PreferNoSchedule" },
        ],
      }),
      pod: { tolerations: [{ key: "other", operator: "Exists" }] },
    },
    {
      "pod.tolerations": [
        taint("gpu", "present", "NoSchedule"),
        taint("team", "", "NoExecute"),
        taint("spot", "", "PreferNoSchedule"),
        { key: "other", operator: "Exists" },
      ],
    },
  );
  itBuilds(
    "tolerates the taint of arm64 nodes once",
    {
      pool: aPool({ taints: [{ key: "kubernetes.io/arch", value: "arm64", effect: "NoSchedule" }] }, { arch: "arm64" }),
    },
    { "pod.tolerations": [arch("arm64", "NoSchedule")] },
  );
  itBuilds(
    "tolerates another taint of the architecture key",
    {
      pool: aPool({ taints: [{ key: "kubernetes.io/arch", value: "arm64", effect: "NoExecute" }] }, { arch: "arm64" }),
    },
    { "pod.tolerations": [arch("arm64", "NoSchedule"), arch("arm64", "NoExecute")] },
  );
  itBuilds(
    "tolerates a taint of amd64 nodes",
    { pool: aPool({ taints: [{ key: "kubernetes.io/arch", value: "amd64", effect: "NoSchedule" }] }) },
    { "pod.tolerations": [arch("amd64", "NoSchedule")] },
  );
  itBuilds(
    "has the Flux view of the architecture of the pool",
    { pool: aPool({}, { arch: "arm64" }) },
    { "container.flux-view.image": "ghcr.io/converged-computing/flux-view-ubuntu:arm-noble" },
  );
  itBuilds(
    "has the view of the arguments in its place",
    { pool: aPool({}, { arch: "arm64" }), flux: { container: { image: "mine" } } },
    { "container.flux-view.image": "mine" },
  );
});

describe("the container that runs Flux, on a pool", () => {
  itBuilds(
    "has the variables of the pool, and those of the arguments over them",
    {
      pool: aPool({ environment: { FI_PROVIDER: "efa", UCX_TLS: "rc", TOKEN: "ours" } }),
      ...withBroker({ environment: { UCX_TLS: "tcp", MINE: "x" }, secrets: { TOKEN: { name: "s", key: "k" } } }),
    },
    {
      "container.demo.variables.FI_PROVIDER": { name: "FI_PROVIDER", value: "efa" },
      "container.demo.variables.UCX_TLS": { name: "UCX_TLS", value: "tcp" },
      "container.demo.variables.MINE": { name: "MINE", value: "x" },
      "container.demo.variables.TOKEN.value": undefined,
      "container.demo.env[5]": undefined,
    },
  );
  itBuilds(
    "has shared memory without a limit, and the directories of the node",
    { pool: aPool({ hostPaths: { "/opt/nvidia": "/home/nvidia", "/opt/nccl": "/home/nccl" } }) },
    {
      'container.demo.mounts["/dev/shm"].name': "pool-shm",
      "volume.pool-shm.emptyDir": { medium: "Memory" },
      'container.demo.mounts["/opt/nvidia"].name': "pool-host-0",
      "volume.pool-host-0.hostPath": { path: "/home/nvidia" },
    },
  );
  itBuilds(
    "has volumes of the arguments in their places",
    {
      pool: aPool({ hostPaths: { "/opt/nccl": "/home/nccl" } }),
      ...withBroker({
        volumes: { own: { path: "/dev/shm", claimName: "c" }, nccl: { path: "/opt/nccl", claimName: "c" } },
      }),
    },
    {
      'container.demo.mounts["/dev/shm"].name': "own",
      'container.demo.mounts["/opt/nccl"].name': "nccl",
      'volume["pool-shm"]': undefined,
      'volume["pool-host-0"]': undefined,
    },
  );
  itBuilds(
    "has shared memory of the arguments in its place",
    { pool: aPool(), containers: [aBroker({ volumes: { own: { emptyDir: true, emptyDirMedium: "Memory" } } })] },
    { 'container.demo.mounts["/dev/shm"].name': "own", "volume.pool-shm": undefined },
  );
  itBuilds(
    "may lock memory if the fabric does",
    { pool: aPool({ lockMemory: true }), containers: [aBroker({ securityContext: { runAsUser: 0 } })] },
    {
      "container.demo.securityContext.capabilities": { add: ["IPC_LOCK"] },
      "container.demo.securityContext.runAsUser": 0,
    },
  );
  itBuilds(
    "keeps the capabilities of the arguments beside IPC_LOCK",
    {
      pool: aPool({ lockMemory: true }),
      containers: [aBroker({ securityContext: { capabilities: { add: ["SYS_NICE"], drop: ["ALL"] } } })],
    },
    { "container.demo.securityContext.capabilities": { add: ["SYS_NICE", "IPC_LOCK"], drop: ["ALL"] } },
  );
  itBuilds(
    "names IPC_LOCK once",
    {
      pool: aPool({ lockMemory: true }),
      containers: [aBroker({ securityContext: { capabilities: { add: ["IPC_LOCK"] } } })],
    },
    { "container.demo.securityContext.capabilities": { add: ["IPC_LOCK"] } },
  );
  itBuilds(
    "has no capability if the pool locks no memory",
    { pool: aPool() },
    { "container.demo.securityContext.capabilities": undefined },
  );
  const localDisk = { path: "/scratch", localDisk: true } as const;
  itBuilds(
    "mounts the local disks of a pool as an empty directory",
    {
      pool: aPool({ localDisk: { gb: 7600 } }),
      ...withBroker({ volumes: { scratch: { ...localDisk, localDiskSize: "100Gi" } } }),
    },
    { "volume.scratch": { name: "scratch", emptyDir: { sizeLimit: "100Gi" } } },
  );
  itBuilds(
    "claims nine tenths of the local disks that a driver gives out",
    {
      pool: aPool({ localDisk: { gb: 3600, storageClass: "hpc-local-disks" } }),
      ...withBroker({ volumes: { scratch: localDisk } }),
    },
    {
      "volume.scratch": {
        name: "scratch",
        ephemeral: {
          volumeClaimTemplate: {
            spec: {
              accessModes: ["ReadWriteOnce"],
              storageClassName: "hpc-local-disks",
              resources: { requests: { storage: "3240G" } },
            },
          },
        },
      },
    },
  );
});
