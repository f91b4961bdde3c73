import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs, NodePoolScheduling } from "../../../../../provider";
import { changedPaths } from "../../../../support/changedPaths";
import { aContainer, aGpuPool, aMiniCluster, aPool } from "../../../../support/fixtures";
import { manifestsOf } from "../../../../support/manifests";
import { containerOf, podOf } from "../../../../support/pod";

/** The container that runs Flux in the pods of a cluster. */
const mainOf = (args: Partial<MiniClusterArgs>) => containerOf(podOf(args), "demo");

/** That container on a pool, with something of its own. */
const onPool = (pool: NodePoolScheduling, container: Partial<MiniClusterContainerArgs> = {}) =>
  mainOf({ pool, containers: [aContainer(container)] });

const devices = { "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "5120Mi" };

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

describe("what a pod takes of a node", () => {
  const cases: [name: string, args: Partial<MiniClusterArgs>, want: object][] = [
    ["all devices, and nearly all CPUs", {}, { limits: devices, requests: { cpu: "86" } }],
    [
      "what the user gives in the place of what the pool says",
      { containers: [aContainer({ resources: { limits: { "nvidia.com/gpu": "4", ephemeral: "1Gi" } } })] },
      { limits: { ...devices, "nvidia.com/gpu": "4", ephemeral: "1Gi" }, requests: { cpu: "86" } },
    ],
    [
      "a request of a device as the limit, too, since Kubernetes knows one number of both",
      { containers: [aContainer({ resources: { requests: { "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" } } })] },
      {
        limits: { ...devices, "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" },
        requests: { cpu: "86", "nvidia.com/gpu": "2", "hugepages-2Mi": "1Gi" },
      },
    ],
    ...(["limits", "requests"] as const).flatMap((list) =>
      [{ cpu: "4" }, { memory: "8Gi" }].map((own): (typeof cases)[number] => [
        `no CPUs but those that the user says with ${list}.${Object.keys(own).join()}`,
        { containers: [aContainer({ resources: { [list]: own } })] },
        { limits: { ...devices, ...(list === "limits" && own) }, ...(list === "requests" && { requests: own }) },
      ]),
    ),
    [
      "one CPU where pods may share a node",
      { network: { affinity: "preferred" } },
      { limits: devices, requests: { cpu: "1" } },
    ],
    [
      "one CPU where nobody keeps apart",
      { network: { affinity: "none" } },
      { limits: devices, requests: { cpu: "1" } },
    ],
    [
      "next to nothing where the pod as a whole has its resources, but what Kubernetes wants beside huge pages",
      { pod: { resources: { requests: { memory: "8Gi" } } } },
      { limits: devices, requests: { cpu: "1m" } },
    ],
    [
      "the same where the user's template gives the pod its resources",
      { podTemplate: { spec: { resources: { requests: { cpu: "8" } } } } },
      { limits: devices, requests: { cpu: "1m" } },
    ],
    ["nothing there without huge pages", { pool: aPool(), pod: { resources: { requests: { cpu: "8" } } } }, {}],
    [
      "the CPUs that the user's template gives to the container",
      { podTemplate: { spec: { containers: [{ name: "demo", resources: { limits: { cpu: "4" } } }] } } },
      { limits: { ...devices, cpu: "4" } },
    ],
    ["one CPU of a small machine", { pool: aPool({}, { vcpus: 1, cores: 1 }) }, { requests: { cpu: "1" } }],
    ["whole CPUs", { pool: aPool({}, { vcpus: 8 }) }, { requests: { cpu: "7" } }],
  ];
  for (const [name, args, want] of cases)
    it(`is ${name}`, () => {
      const { resources = {} } = mainOf({ pool: aGpuPool(), ...args });
      assert.deepEqual(resources, want);
    });

  const beside = (...others: MiniClusterContainerArgs["resources"][]) => ({
    pool: aGpuPool(),
    containers: [
      ...others.map((resources, index) => ({ image: "side", name: `side-${index}`, resources })),
      aContainer({ runFlux: true }),
    ],
  });

  it("is less by the CPUs of the containers beside it: requests, or limits where there are none", () => {
    const pod = beside(
      { requests: { cpu: "2" }, limits: { cpu: "50" } },
      { limits: { cpu: "3500m" } },
      { requests: { cpu: pulumi.output("9") } },
      undefined,
    );
    // 96 × 0.9 - 2 - 3.5
    assert.equal(mainOf(pod).resources?.requests?.["cpu"], "80");
  });

  it("is less by their devices, and not by huge pages, of which a node may have more", () => {
    const taken = { "nvidia.com/gpu": "1", "vpc.amazonaws.com/efa": "4", "hugepages-2Mi": "1Gi" };
    assert.deepEqual(mainOf(beside({ limits: taken })).resources?.limits, {
      "nvidia.com/gpu": "7",
      "hugepages-2Mi": "5120Mi",
    });
  });

  it("is for the container that runs Flux alone, wherever it stands", () => {
    const pool = aGpuPool({ lockMemory: true, environment: { A: "a" }, hostPaths: { "/opt/a": "/home/a" } });
    const pod = podOf({ ...beside(undefined), pool });
    const bare = podOf({ ...beside(undefined), pool: undefined });
    assert.deepEqual(containerOf(pod, "side-0"), containerOf(bare, "side-0"));
    assert.deepEqual(containerOf(pod, "demo").resources, { limits: devices, requests: { cpu: "86" } });
  });

  it("leaves the pod of the services where the user says", () => {
    const pod = { nodeSelector: { a: "b" }, annotations: { c: "d" }, tolerations: [{ operator: "Exists" as const }] };
    const services = [aContainer({ name: "store" })];
    const pool = aGpuPool({ taints: [{ key: "gpu", effect: "NoSchedule" }], annotations: { networks: "rdma" } });
    const servicesOf = (args: Partial<MiniClusterArgs>) => manifestsOf({ ...args, services, pod }).servicesPod;
    assert.deepEqual(servicesOf({ pool }), servicesOf({}));
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
