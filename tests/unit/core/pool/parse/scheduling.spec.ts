import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { amount } from "../../../../../provider/shared/checks";
import { attachKnownValue } from "../../../../../provider/shared/deferred";
import { aGpuPool, aMiniCluster, aMiniClusterArgs, aPool, withTemplate } from "../../../../support/fixtures";
import { manifestsOf } from "../../../../support/manifests";
import { errorsAt, problemsOf, sharing, validating } from "../../../../support/problems";

const scheduling = () => attachKnownValue(pulumi.output(aPool()), aPool());

describe("the pool of a cluster", () => {
  it("has every default that a rule or a builder counts on, behind an output as well", () => {
    for (const pool of [aPool(), scheduling()])
      assert.deepEqual(aMiniCluster({ pool }).pool, {
        ...aPool(),
        node: { ...aPool().node, gpus: 0, fabricInterfaces: 0 },
        taints: [],
        resources: {},
        environment: {},
        annotations: {},
        claims: [],
        hostPaths: {},
        claimSets: 1,
        matchAttributes: [],
        computeDomain: false,
        setupScripts: [],
        lockMemory: false,
        staticCpu: false,
      });
  });

  const one = "a cluster has one pool, …";
  const late = "must be the scheduling output of a node pool itself…requireOutputValue…";
  const { rejects, rejectsAll } = validating<object>((args) => problemsOf(aMiniClusterArgs(args)));
  rejects({
    [`pool: ${one}`]: [
      { pool: [aPool(), aPool()] },
      { pool: [scheduling()] },
      { pool: attachKnownValue<unknown>(pulumi.output(1), [1]) },
    ],
    [`pool: ${late}`]: [
      { pool: pulumi.output(aPool()) },
      { pool: scheduling().apply((pool) => ({ ...pool, nodes: 3 })) },
      { pool: Promise.resolve(aPool()) },
    ],
    "pool: must be an object with properties: the output scheduling of a node pool": { pool: "workers" },
  });
  rejectsAll({ pool: aPool({ nodeSelector: {}, resources: { "nvidia.com/gpu": "1.5" } }) }, [
    "pool.nodeSelector: needs at least one label that only the nodes of the pool have; add one",
    'pool.resources["nvidia.com/gpu"]: "1.5" must be an integer; devices are indivisible',
  ]);
  rejectsAll(
    {
      pool: {
        pool: "HPC",
        nodeSelector: "a=b",
        taints: [{ key: "a", effect: "Never" }],
        nodes: -1,
        node: { arch: "x86", vcpus: 0, cores: 0, memoryMib: 1.5, gpu: 8 },
      },
      size: 3,
    },
    [
      'pool.pool: "HPC" must be a lowercase DNS label…',
      "pool.nodeSelector: is a string; must be a map of names to values",
      'pool.taints[0].effect: must be one of "NoSchedule", "PreferNoSchedule", "NoExecute"',
      'pool.node.arch: must be one of "amd64", "arm64"',
      ...errorsAt(["pool.node.vcpus", "pool.node.cores"], "0 must be an integer from 1 to 100000"),
      "pool.node.memoryMib: 1.5 must be an integer of at least 1",
      "pool.node.gpu: unknown property; did you mean gpus?",
      "pool.nodes: -1 must be an integer from 0 to 100000",
    ],
  );

  it("does not change the other arguments", () => {
    const args = aMiniClusterArgs({
      pool: aGpuPool({ lockMemory: true, taints: [{ key: "a", effect: "NoSchedule" }], environment: { A: "a" } }),
      pod: { nodeSelector: { a: "b" }, tolerations: [{ operator: "Exists" }] },
    });
    const before = structuredClone(args);
    manifestsOf(args);
    assert.deepEqual(args, before);
  });
});

it("the amount of a Kubernetes quantity is counted in every form, and undefined for anything else", () => {
  const amounts = {
    "3Ki": 3072,
    "3Gi": 3 * 1024 ** 3,
    "1n": 1e-9,
    "3500m": 3.5,
    "1.001k": 1001,
    "12E-1": 1.2,
    "+4": 4,
  };
  for (const [quantity, want] of Object.entries(amounts)) assert.equal(amount(quantity), want, quantity);
  for (const other of ["", "x", "1x", "1k3", "-1", ".", 4, null, undefined, {}, pulumi.output("4")])
    assert.equal(amount(other), undefined);
});

describe("the tolerations of a template for pods on a pool", () => {
  const taints = [
    { key: "gpu", value: "yes", effect: "NoSchedule" } as const,
    { key: "soft", effect: "PreferNoSchedule" } as const,
  ];
  const { accepts, rejects } = validating(sharing({ pool: aPool({ taints }) }));
  const having = (...tolerations: object[]) => withTemplate({ tolerations });
  rejects({
    "podTemplate.spec.tolerations: replaces all tolerations, and none tolerates the taint gpu=yes:NoSchedule of…": [
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
    "a template without tolerations": withTemplate({}),
    "no toleration on a pool without taints": { pool: aPool(), ...having() },
  });
});
