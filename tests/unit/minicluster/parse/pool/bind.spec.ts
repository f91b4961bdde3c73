import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, NodePoolScheduling } from "../../../../../provider";
import { changedPaths } from "../../../../support/propertyPaths";
import { aContainer, aMiniCluster, aPool } from "../../../../support/fixtures";
import { manifestsOf } from "../../../../support/manifests";
import { containerOf, podOf } from "../../../../support/pod";

describe("a cluster on a pool", () => {
  it("differs from one without a pool in nothing but what the pool says", () => {
    const [without, on] = [manifestsOf({ flux: { arch: "amd64" } }), manifestsOf({ pool: aPool() })];
    assert.deepEqual(changedPaths({ pod: without.job.spec.template.spec }, { pod: on.job.spec.template.spec }), [
      "pod.affinity.podAntiAffinity",
      "pod.containers[0].resources",
      "pod.containers[0].volumeMounts[3].mountPath",
      "pod.containers[0].volumeMounts[3].name",
      "pod.containers[0].volumeMounts[3].readOnly",
      "pod.containers[0].volumeMounts[4].mountPath",
      "pod.containers[0].volumeMounts[4].name",
      "pod.containers[0].volumeMounts[5]",
      'pod.nodeSelector["minicluster/pool"]',
      "pod.volumes[4]",
    ]);
  });

  it("takes from the pool where its pods run and what they are marked with, and from the user what he says beside it", () => {
    const later = pulumi.output("hpc");
    const pool = aPool({ annotations: { "a.io/networks": "ours", "a.io/more": "ours" } });
    const pod = {
      nodeSelector: { disk: "nvme", "minicluster/pool": later },
      annotations: { "a.io/more": "theirs", b: "theirs" },
    };
    const { nodeSelector, annotations } = aMiniCluster({ pool, pod }).pod;
    assert.deepEqual(Object.keys(nodeSelector), ["minicluster/pool", "disk"]);
    // Nobody can compare it with the pool yet.
    assert.equal(nodeSelector["minicluster/pool"], later);
    assert.deepEqual(annotations, { "a.io/networks": "ours", "a.io/more": "theirs", b: "theirs" });
  });

  const arm = { key: "kubernetes.io/arch", value: "arm64", effect: "NoSchedule" } as const;
  const equal = { ...arm, operator: "Equal" };
  const gpu = { key: "gpu", value: "present", effect: "NoSchedule" } as const;
  const taintCases: [name: string, pool: NodePoolScheduling, want: object[]][] = [
    [
      "each taint, whatever it does",
      aPool({ taints: [gpu, { key: "team", effect: "NoExecute" }, { key: "spot", effect: "PreferNoSchedule" }] }),
      [
        { ...gpu, operator: "Equal" },
        { key: "team", operator: "Equal", value: "", effect: "NoExecute" },
        { key: "spot", operator: "Equal", value: "", effect: "PreferNoSchedule" },
      ],
    ],
    ["the taint of ARM nodes once", aPool({ taints: [arm] }, { arch: "arm64" }), [equal]],
    [
      "a taint by architecture that is another one",
      aPool({ taints: [{ ...arm, effect: "NoExecute" }] }, { arch: "arm64" }),
      [equal, { ...equal, effect: "NoExecute" }],
    ],
    [
      "a taint by architecture of x86 nodes",
      aPool({ taints: [{ ...arm, value: "amd64" }] }),
      [{ ...equal, value: "amd64" }],
    ],
  ];
  for (const [name, pool, want] of taintCases)
    it(`tolerates ${name}, and what the user says`, () => {
      const own = { key: "other", operator: "Exists" } as const;
      assert.deepEqual(podOf({ pool, pod: { tolerations: [own] } }).tolerations, [...want, own]);
    });

  it("has the Flux view of the pool's architecture, or the user's own", () => {
    const viewOf = (arch: "amd64" | "arm64", image?: string) =>
      containerOf(podOf({ pool: aPool({}, { arch }), flux: { container: { image } } }), "flux-view").image;
    assert.match(viewOf("amd64"), /flux-view-ubuntu:tag-noble$/);
    assert.match(viewOf("arm64"), /flux-view-ubuntu:arm-noble$/);
    assert.equal(viewOf("arm64", "mine"), "mine");
  });
});

describe("the container that runs Flux, on a pool", () => {
  it("has the pool's variables, and the user's in their place", () => {
    const pool = aPool({ environment: { FI_PROVIDER: "efa", UCX_TLS: "rc", TOKEN: "ours" } });
    const container = aContainer({
      environment: { UCX_TLS: "tcp", MINE: "x" },
      secrets: { TOKEN: { name: "s", key: "k" } },
    });
    const { env = [] } = containerOf(podOf({ pool, containers: [container] }), "demo");
    assert.deepEqual(
      env.slice(1).map(({ name, value }) => [name, value]),
      [
        ["FI_PROVIDER", "efa"],
        ["UCX_TLS", "tcp"],
        ["MINE", "x"],
        ["TOKEN", undefined],
      ],
    );
  });

  const volumesAt = (args: Partial<MiniClusterArgs>, path: string) => {
    const pod = podOf(args);
    const mounts = containerOf(pod, "demo").volumeMounts.filter(({ mountPath }) => mountPath === path);
    return pod.volumes.filter(({ name }) => mounts.some((mount) => mount.name === name));
  };

  it("has shared memory without the limit of 64 MiB, and the directories of the node's drivers", () => {
    const pool = aPool({ hostPaths: { "/opt/nvidia": "/home/nvidia", "/opt/nccl": "/home/nccl" } });
    const memory = { name: "pool-shm", emptyDir: { medium: "Memory", sizeLimit: undefined } };
    assert.deepEqual(volumesAt({ pool }, "/dev/shm"), [memory]);
    assert.deepEqual(volumesAt({ pool }, "/opt/nvidia"), [{ name: "pool-host-0", hostPath: { path: "/home/nvidia" } }]);
  });

  const ownVolumes: [path: string, own: object][] = [
    ["/dev/shm", { path: "/dev/shm", claimName: "c" }],
    ["/dev/shm", { emptyDir: true, emptyDirMedium: "Memory" }],
    ["/opt/nccl", { path: "/opt/nccl", claimName: "c" }],
  ];
  for (const [path, own] of ownVolumes)
    it(`has only the user's volume at ${path}: ${JSON.stringify(own)}`, () => {
      const pool = aPool({ hostPaths: { "/opt/nccl": "/home/nccl" } });
      const found = volumesAt({ pool, containers: [aContainer({ volumes: { own } })] }, path);
      assert.deepEqual(
        found.map(({ name }) => name),
        ["own"],
      );
    });

  const lock = aPool({ lockMemory: true });
  const capabilities: [name: string, pool: NodePoolScheduling, own: object | undefined, want: object | undefined][] = [
    ["may lock memory where the fabric does", lock, undefined, { add: ["IPC_LOCK"] }],
    [
      "keeps what else it may, and what it may not",
      lock,
      { add: ["SYS_NICE"], drop: ["ALL"] },
      { add: ["SYS_NICE", "IPC_LOCK"], drop: ["ALL"] },
    ],
    ["names a capability once", lock, { add: ["IPC_LOCK"] }, { add: ["IPC_LOCK"] }],
    ["may not where nothing does", aPool(), undefined, undefined],
  ];
  for (const [name, pool, own, want] of capabilities)
    it(name, () => {
      const securityContext = { runAsUser: 0, ...(own && { capabilities: own }) };
      const { main } = aMiniCluster({ pool, containers: [aContainer({ securityContext })] });
      assert.deepEqual([main.securityContext.capabilities, main.securityContext.runAsUser], [want, 0]);
    });
});
