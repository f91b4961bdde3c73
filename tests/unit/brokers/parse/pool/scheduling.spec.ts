import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { amount } from "../../../../../provider/clouds/nodes/parse/pool";
import { attachKnownValue } from "../../../../../provider/shared/deferred";
import { aGpuPool, aMiniCluster, aMiniClusterArgs, aPool } from "../../../../support/fixtures";
import { manifestsOf } from "../../../../support/manifests";
import { errorsAt, problemsOf, validating } from "../../../../support/problems";

const scheduling = () => attachKnownValue(pulumi.output(aPool()), aPool());

describe("the pool of a cluster", () => {
  it("has every default that a rule or a builder counts on, behind an output as well", () => {
    for (const pool of [aPool(), scheduling()])
      assert.deepEqual(aMiniCluster({ pool }).pool, {
        ...aPool(),
        node: { ...aPool().node, gpus: 0, fabricInterfaces: 0 },
        ...{ taints: [], resources: {}, environment: {}, annotations: {}, claims: [], hostPaths: {} },
        ...{ claimSets: 1, matchAttributes: [], computeDomain: false },
        ...{ setupScripts: [], lockMemory: false, staticCpu: false },
      });
  });

  const { rejects, rejectsAll } = validating<object>((args) => problemsOf(aMiniClusterArgs(args)));
  rejects({
    ["pool: a cluster runs on one pool: the pods of a Job are all alike; for nodes of another kind, join a second " +
    "cluster to this one (bursting)"]: { pool: [aPool(), aPool()] },
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
        node: { arch: "x86", vcpus: 0, cores: 0, memoryMib: 1.5, gpu: 8 },
        nodes: -1,
      },
      size: 3,
    },
    [
      'pool.pool: "HPC" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ' +
        "ends",
      "pool.nodeSelector: is a string; must be a map of names to values",
      'pool.taints[0].effect: must be one of "NoSchedule", "PreferNoSchedule", "NoExecute"',
      'pool.node.arch: must be one of "amd64", "arm64"',
      ...errorsAt(["pool.node.vcpus", "pool.node.cores"], "0 must be an integer from 1 to 100000"),
      "pool.node.memoryMib: 1.5 must be an integer of at least 1",
      "pool.node.gpu: unknown property; did you mean gpus?",
      "pool.nodes: -1 must be an integer from 0 to 100000",
    ],
  );

  const [onePool, notYetKnown] = [
    /^a cluster runs on one pool: /,
    /^must be the scheduling output of a node pool itself/,
  ];
  const outputs: [name: string, pool: unknown, says: RegExp][] = [
    ["a list of outputs", [scheduling()], onePool],
    ["an output that is a list", attachKnownValue<unknown>(pulumi.output(1), [1]), onePool],
    ["an output of anything else", pulumi.output(aPool()), notYetKnown],
    ["what is made of a pool's output", scheduling().apply((pool) => ({ ...pool, nodes: 3 })), notYetKnown],
    ["a promise", Promise.resolve(aPool()), notYetKnown],
  ];
  for (const [name, pool, says] of outputs)
    it(`is not ${name}`, () => {
      const [problem, ...others] = problemsOf({ ...aMiniClusterArgs(), pool });
      assert.deepEqual([problem?.propertyPath, others], ["pool", []]);
      assert.match(problem?.reason ?? "", says);
    });

  it("changes nothing of the arguments beside it", () => {
    const args = aMiniClusterArgs({
      pool: aGpuPool({ lockMemory: true, taints: [{ key: "a", effect: "NoSchedule" }], environment: { A: "a" } }),
      pod: { nodeSelector: { a: "b" }, tolerations: [{ operator: "Exists" }] },
    });
    const before = structuredClone(args);
    manifestsOf(deepFreeze(args));
    assert.deepEqual(args, before);
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

describe("the amount of a Kubernetes quantity", () => {
  it("is counted in every unit and every form", () => {
    const amounts = {
      ...{ "3Ki": 3072, "3Mi": 3_145_728, "3Gi": 3 * 1024 ** 3, "3Ti": 3 * 1024 ** 4, "3Pi": 3 * 1024 ** 5 },
      ...{ "3Ei": 3 * 1024 ** 6, "1n": 1e-9, "1u": 1e-6, "1m": 1e-3, "1": 1, "1k": 1e3, "1M": 1e6, "1G": 1e9 },
      ...{ "1T": 1e12, "1P": 1e15, "1E": 1e18, "+4": 4, "1.5": 1.5, ".5": 0.5, "2.": 2, "3500m": 3.5 },
      ...{ "1.001k": 1001, "1e3": 1000, "12E-1": 1.2, "1e+2": 100 },
    };
    for (const [quantity, want] of Object.entries(amounts)) assert.equal(amount(quantity), want, quantity);
  });

  it("is none of anything else", () => {
    for (const other of ["", "x", "1x", "1Mi3", "1k3", "1 Gi", "-1", "1.2.3", ".", 4, null, undefined, {}])
      assert.equal(amount(other), undefined, JSON.stringify(other));
    assert.equal(amount(pulumi.output("4")), undefined);
  });
});
