import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs, NodePoolScheduling } from "../../../../../provider";
import { changedPaths } from "../../../../support/propertyPaths";
import { aContainer, aMiniCluster, aPool } from "../../../../support/fixtures";
import { manifestsOf } from "../../../../support/manifests";
import { containerOf, podOf } from "../../../../support/pod";

/** The container that runs Flux in the pods of a cluster. */
const mainOf = (args: Partial<MiniClusterArgs>) => containerOf(podOf(args), "demo");

/** That container on a pool, with something of its own. */
const onPool = (pool: NodePoolScheduling, container: Partial<MiniClusterContainerArgs> = {}) =>
  mainOf({ pool, containers: [aContainer(container)] });

describe("a cluster on a pool", () => {
  it("differs from one without a pool in nothing but what the pool says", () => {
    const [without, on] = [manifestsOf({ flux: { arch: "amd64" } }), manifestsOf({ pool: aPool() })];
    assert.deepEqual(changedPaths({ pod: without.job.spec.template.spec }, { pod: on.job.spec.template.spec }), [
      "pod.containers[0].resources",
      "pod.containers[0].volumeMounts[3].mountPath",
      "pod.containers[0].volumeMounts[3].name",
      "pod.containers[0].volumeMounts[3].readOnly",
      "pod.containers[0].volumeMounts[4]",
      'pod.nodeSelector["minicluster/pool"]',
      "pod.volumes[3]",
    ]);
  });

  it("lands on the nodes of the pool, and on others only if the user says so", () => {
    const nodeSelector = { disk: "nvme", "kubernetes.io/os": "linux" };
    assert.deepEqual(podOf({ pool: aPool(), pod: { nodeSelector } }).nodeSelector, {
      "kubernetes.io/arch": "amd64",
      "minicluster/pool": "hpc",
      ...nodeSelector,
    });
  });

  it("lands where the user says in time, which nobody can compare with the pool yet", () => {
    const later = pulumi.output("hpc");
    const { nodeSelector } = aMiniCluster({ pool: aPool(), pod: { nodeSelector: { "minicluster/pool": later } } }).pod;
    assert.equal(nodeSelector["minicluster/pool"], later);
  });

  it("has the pool's annotations, and the user's in their place", () => {
    const pool = aPool({ annotations: { "a.io/networks": "ours", "a.io/more": "ours" } });
    const { annotations } = aMiniCluster({ pool, pod: { annotations: { "a.io/more": "theirs", b: "theirs" } } }).pod;
    assert.deepEqual(annotations, { "a.io/networks": "ours", "a.io/more": "theirs", b: "theirs" });
  });

  const arm = { key: "kubernetes.io/arch", value: "arm64", effect: "NoSchedule" } as const;
  const taintCases: [name: string, pool: NodePoolScheduling, want: object[]][] = [
    [
      "each taint, whatever it does",
      aPool({
        taints: [
          { key: "gpu", value: "present", effect: "NoSchedule" },
          { key: "team", effect: "NoExecute" },
          { key: "spot", value: "", effect: "PreferNoSchedule" },
        ],
      }),
      [
        { key: "gpu", operator: "Equal", value: "present", effect: "NoSchedule" },
        { key: "team", operator: "Equal", value: "", effect: "NoExecute" },
        { key: "spot", operator: "Equal", value: "", effect: "PreferNoSchedule" },
      ],
    ],
    ["the taint of ARM nodes once", aPool({ taints: [arm] }, { arch: "arm64" }), [{ ...arm, operator: "Equal" }]],
    [
      "a taint by architecture that is another one",
      aPool({ taints: [{ ...arm, effect: "NoExecute" }] }, { arch: "arm64" }),
      [
        { ...arm, operator: "Equal" },
        { ...arm, operator: "Equal", effect: "NoExecute" },
      ],
    ],
    [
      "a taint by architecture of x86 nodes",
      aPool({ taints: [{ ...arm, value: "amd64" }] }),
      [{ ...arm, operator: "Equal", value: "amd64" }],
    ],
  ];
  for (const [name, pool, want] of taintCases)
    it(`tolerates ${name}`, () => assert.deepEqual(podOf({ pool }).tolerations, want));

  it("tolerates what the user says, too", () => {
    const pool = aPool({ taints: [{ key: "gpu", effect: "NoSchedule" }] });
    const own = { key: "other", operator: "Exists" } as const;
    const { tolerations } = podOf({ pool, pod: { tolerations: [own] } });
    assert.deepEqual(tolerations, [{ key: "gpu", operator: "Equal", value: "", effect: "NoSchedule" }, own]);
  });

  for (const [arch, tag] of [
    ["amd64", "tag-noble"],
    ["arm64", "arm-noble"],
  ] as const)
    it(`has the Flux view of the pool's architecture, ${arch}`, () => {
      const pod = podOf({ pool: aPool({}, { arch }) });
      assert.equal(containerOf(pod, "flux-view").image, `ghcr.io/converged-computing/flux-view-ubuntu:${tag}`);
      assert.deepEqual(pod.nodeSelector, { "kubernetes.io/arch": arch, "minicluster/pool": "hpc" });
    });

  it("keeps a view of the user's own", () => {
    const pod = podOf({ pool: aPool({}, { arch: "arm64" }), flux: { container: { image: "mine" } } });
    assert.equal(containerOf(pod, "flux-view").image, "mine");
  });
});

describe("the container that runs Flux, on a pool", () => {
  it("has the pool's variables, and the user's in their place", () => {
    const pool = aPool({ environment: { FI_PROVIDER: "efa", UCX_TLS: "rc", TOKEN: "ours" } });
    const main = onPool(pool, {
      environment: { UCX_TLS: "tcp", MINE: "x" },
      secrets: { TOKEN: { name: "s", key: "k" } },
    });
    const values = Object.fromEntries((main.env ?? []).map(({ name, value }) => [name, value]));
    assert.deepEqual(values, {
      ...{ MINICLUSTER_SIZE: undefined, TOKEN: undefined },
      ...{ FI_PROVIDER: "efa", UCX_TLS: "tcp", MINE: "x" },
    });
    assert.equal(main.env?.filter(({ name }) => name === "TOKEN").length, 1);
  });

  const volumesAt = (args: Partial<MiniClusterArgs>, path: string) => {
    const pod = podOf(args);
    const names = containerOf(pod, "demo")
      .volumeMounts.filter(({ mountPath }) => mountPath === path)
      .map(({ name }) => name);
    return pod.volumes.filter(({ name }) => names.includes(name));
  };

  it("has shared memory without the limit of 64 MiB", () =>
    assert.deepEqual(volumesAt({ pool: aPool() }, "/dev/shm"), [
      { name: "pool-shm", emptyDir: { medium: "Memory", sizeLimit: undefined } },
    ]));

  for (const [name, own] of Object.entries({
    "with that path": { path: "/dev/shm", claimName: "c" },
    "with the path that a directory in memory has by itself": { emptyDir: true, emptyDirMedium: "Memory" },
  }))
    it(`has only the user's volume ${name}`, () => {
      const found = volumesAt({ pool: aPool(), containers: [aContainer({ volumes: { own } })] }, "/dev/shm");
      assert.deepEqual(
        found.map((volume) => volume.name),
        ["own"],
      );
    });

  it("has the directories of the node's drivers, and the user's volumes in their place", () => {
    const pool = aPool({ hostPaths: { "/opt/nvidia": "/home/nvidia", "/opt/nccl": "/home/nccl" } });
    const args = { pool, containers: [aContainer({ volumes: { own: { path: "/opt/nccl", claimName: "c" } } })] };
    assert.deepEqual(volumesAt(args, "/opt/nvidia"), [{ name: "pool-host-0", hostPath: { path: "/home/nvidia" } }]);
    assert.deepEqual(
      volumesAt(args, "/opt/nccl").map(({ name }) => name),
      ["own"],
    );
  });

  const lock = aPool({ lockMemory: true });
  const capabilityCases: [name: string, pool: NodePoolScheduling, own: object | undefined, want: object | undefined][] =
    [
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
  for (const [name, pool, capabilities, want] of capabilityCases)
    it(name, () => {
      const main = onPool(pool, { securityContext: { runAsUser: 0, ...(capabilities && { capabilities }) } });
      assert.deepEqual(main.securityContext?.["capabilities"], want);
      assert.equal(main.securityContext?.["runAsUser"], 0);
    });
});
