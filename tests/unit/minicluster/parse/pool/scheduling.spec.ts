import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { attachKnownValue } from "../../../../../provider/shared/plain";
import { aWholePool } from "../../../../support/everything";
import { aMiniCluster, aMiniClusterArgs, aPool } from "../../../../support/fixtures";
import { itAccepts, itRefuses, problemsOf } from "../../../../support/problems";

const onePool =
  "a cluster runs on one pool: the pods of a Job are all alike; for nodes of another kind, join a second cluster to " +
  "this one (bursting)";
const notYetKnown =
  "must be the scheduling output of a node pool itself, known before anything is created; this is an output of another " +
  "resource, or what apply has made of one";
const scheduling = () => attachKnownValue(pulumi.output(aPool()), aPool());

describe("the pool of a cluster", () => {
  it("is nothing where nothing is given", () => {
    const { pool, disruptionBudget } = aMiniCluster();
    assert.deepEqual([pool, disruptionBudget], [undefined, false]);
  });

  it("has every default that a rule or a builder counts on", () =>
    assert.deepEqual(aMiniCluster({ pool: aPool() }).pool, {
      ...aPool(),
      node: { ...aPool().node, gpus: 0, fabricInterfaces: 0 },
      ...{ taints: [], resources: {}, environment: {}, annotations: {}, hostPaths: {} },
      ...{ lockMemory: false, staticCpu: false },
    }));

  it("is the plain value of a component's output", () =>
    assert.deepEqual(aMiniCluster({ pool: scheduling() }), aMiniCluster({ pool: aPool() })));

  itAccepts({
    "a pool with every property": { pool: { ...aWholePool, taints: [] } },
    "the smallest pool": { pool: aPool({ nodes: 0 }, { vcpus: 1, cores: 1, memoryMib: 1, gpus: 0 }), suspend: true },
  });

  itRefuses([
    { rule: "a list of pools", args: { pool: [aPool(), aPool()] }, path: "pool", says: onePool },
    { rule: "a list of the outputs of pools", args: { pool: [scheduling()] }, path: "pool", says: onePool },
    {
      rule: "an output that is a list of pools",
      args: { pool: attachKnownValue<unknown>(pulumi.output(1), [1]) },
      path: "pool",
      says: onePool,
    },
    { rule: "an output of anything else", args: { pool: pulumi.output(aPool()) }, path: "pool", says: notYetKnown },
    {
      rule: "what is made of a pool's output",
      args: { pool: scheduling().apply((pool) => ({ ...pool, nodes: 3 })) },
      path: "pool",
      says: notYetKnown,
    },
    { rule: "a promise", args: { pool: Promise.resolve(aPool()) }, path: "pool", says: notYetKnown },
    { rule: "a pool by its name", args: { pool: "hpc" }, path: "pool", says: "must be an object with properties" },
    {
      rule: "a pool whose nodes nothing marks",
      args: { pool: aPool({ nodeSelector: {} }) },
      path: "pool.nodeSelector",
      says: "needs at least one label that only the nodes of the pool have; add one",
    },
    {
      rule: "a pool that is no DNS label",
      args: { pool: aPool({ pool: "HPC" }) },
      path: "pool.pool",
      says: /^"HPC" must be a/,
    },
    {
      rule: "a machine without CPUs",
      args: { pool: aPool({}, { vcpus: 0 }) },
      path: "pool.node.vcpus",
      says: /from 1 to/,
    },
    { rule: "no nodes at most", args: { pool: aPool({ maxNodes: 0 }) }, path: "pool.maxNodes", says: /from 1 to/ },
    {
      rule: "a part of a device",
      args: { pool: aPool({ resources: { "nvidia.com/gpu": "1.5" } }) },
      path: 'pool.resources["nvidia.com/gpu"]',
      says: '"1.5" is no whole number, and nothing can have a part of a device; make it an integer',
    },
    {
      rule: "an amount that is none",
      args: { pool: aPool({ resources: { "nvidia.com/gpu": "eight" } }) },
      path: 'pool.resources["nvidia.com/gpu"]',
      says: /^"eight" must be a Kubernetes quantity/,
    },
    {
      rule: "a directory that is none",
      args: { pool: aPool({ hostPaths: { "/opt": "home" } }) },
      path: 'pool.hostPaths["/opt"]',
      says: /must be an absolute path/,
    },
    {
      rule: "a name that is no variable's",
      args: { pool: aPool({ environment: { "A=B": "c" } }) },
      path: 'pool.environment["A=B"]',
      says: /must be the name of an environment variable/,
    },
  ]);

  it("tells of everything that is wrong with it at once, and with the rest of the cluster", () => {
    const node = { arch: "x86", vcpus: "4", cores: 0, memoryMib: 1.5, gpu: 8 };
    const taints = [{ key: "a", effect: "Never" }, { effect: "NoSchedule" }];
    const pool = { pool: "hpc", nodeSelector: "a=b", taints, node, nodes: -1, lockMemory: "yes", size: 3 };
    const problems = problemsOf({ ...aMiniClusterArgs(), size: 0, pool });
    assert.deepEqual(problems.map(({ propertyPath }) => propertyPath).sort(), [
      "pool.lockMemory",
      "pool.node.arch",
      "pool.node.cores",
      "pool.node.gpu",
      "pool.node.memoryMib",
      "pool.node.vcpus",
      "pool.nodeSelector",
      "pool.nodes",
      "pool.size",
      "pool.taints[0].effect",
      "pool.taints[1].key",
      "size",
    ]);
  });

  it("says once what is wrong, and binds to nothing", () => {
    const problems = problemsOf({ ...aMiniClusterArgs({ size: 3 }), pool: { ...aPool({ nodes: 2 }), node: 5 } });
    assert.deepEqual(
      problems.map(({ propertyPath }) => propertyPath),
      ["pool.node"],
    );
  });
});
