import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { BurstClusterArgs } from "../../../provider";
import { aBurstCluster, aBurstClusterArgs, aContainer, aHome, aPlan, aPool, aRoot } from "../../support/fixtures";
import { itAccepts, itRefuses, problemsOf } from "./problems";

const follower = aContainer({ command: undefined });
const queue = { gang: { queueName: "hpc" } };
const onlyJoins = "the lead broker runs the command, and this cluster only joins it; remove it here";

describe("the size of a cluster that joins", () => {
  itRefuses([
    {
      rule: "one above the hosts that are known",
      args: { size: 9 },
      path: "size",
      says: "size 9 is above the 8 hosts that the cluster to join knows; lower it, or raise maxSize there",
    },
    { rule: "a negative one", args: { size: -1 }, path: "size", says: "-1 must be an integer from 0 to 100000" },
    { rule: "half a pod", args: { size: 1.5 }, path: "size", says: "1.5 must be an integer from 0 to 100000" },
    { rule: "a text", args: { size: "4" }, path: "size", says: "must be an integer from 0 to 100000" },
    {
      rule: "one that is only known later",
      args: { size: pulumi.output(4) },
      path: "size",
      says: /^must be an integer from 0 to 100000, known before anything is created/,
    },
    {
      rule: "0 in a queue of Kueue",
      args: { size: 0, ...queue },
      path: "size",
      says: "0 suspends the Job, and Kueue does that by itself; use at least 1, or remove gang.queueName",
    },
    {
      rule: "0 in a queue of Kueue where the plan says it",
      args: { root: aRoot({ plan: aPlan(aHome({}, { clusters: [{ name: "cloud", maxSize: 8 }] })) }), ...queue },
      path: "size",
      says: /^0 suspends the Job/,
    },
  ]);

  itAccepts({
    "none said": {},
    "0": { size: 0 },
    "0 with a scheduler of its own": { size: 0, gang: { schedulerName: "volcano" } },
    "1 in a queue of Kueue": { size: 1, ...queue },
    "every host that is known": { size: 8 },
    "0 on a pool that has no nodes yet": { size: 0, pool: aPool({ nodes: 0 }) },
  });

  it("is that of the plan where nothing is said, and its maxSize is the plan's", () => {
    const sizes = [undefined, 0, 1, 8].map((size) => aBurstCluster({ size }));
    assert.deepEqual(
      sizes.map(({ size, maxSize }) => [size, maxSize]),
      [
        [3, 8],
        [0, 8],
        [1, 8],
        [8, 8],
      ],
    );
  });

  it("is 0 where the plan says none either", () => {
    const plan = aPlan();
    delete plan.clusters[1]?.size;
    assert.equal(aBurstCluster({ root: aRoot({ plan }) }).size, 0);
  });
});

describe("the pool of a cluster that joins", () => {
  const small: [name: string, args: Partial<BurstClusterArgs>][] = [
    ["fewer nodes than pods", { size: 6, pool: aPool({ nodes: 4 }) }],
    ["fewer nodes than hosts that are known", { size: 2, pool: aPool({ maxNodes: 4 }) }],
  ];
  for (const [name, args] of small)
    it(`is refused with ${name}, by its name`, () => {
      const problems = problemsOf(aBurstClusterArgs(args));
      assert.equal(problems.length, 1);
      assert.match(problems[0]?.reason ?? "", /4 nodes of pool hpc/);
    });

  itAccepts({
    "as many nodes as pods": { size: 4, pool: aPool({ nodes: 4 }) },
    "as many nodes as hosts at most": { size: 4, pool: aPool({ maxNodes: 8 }) },
  });
});

describe("the name of a cluster that joins", () => {
  itRefuses([
    {
      rule: "one that the plan has not",
      args: { name: "other" },
      path: "name",
      says: 'the cluster to join knows no "other", only: cloud; add it to bursting.clusters there, or rename this one',
    },
    {
      rule: "that of the cluster to join",
      args: { name: "home" },
      path: "name",
      says: '"home" is the name of the cluster to join; choose one of its bursting.clusters: cloud',
    },
    { rule: "one that is no text", args: { name: 5 }, path: "name", says: /^must be a lowercase DNS label/ },
  ]);

  it("is the resource's, unless it is said", () => {
    const clusters = ["cloud", "lead"].map((name) => ({ name, maxSize: 2 }));
    const root = aRoot({ plan: aPlan(aHome({}, { clusters })) });
    assert.equal(aBurstCluster({ root }).name, "cloud");
    assert.equal(aBurstCluster({ root, name: "lead" }).name, "lead");
  });

  for (const name of ["lead", "root"])
    it(`may be any beside a cluster to join that is called ${name}`, () => {
      const root = aRoot({ plan: aPlan(aHome({ name })) });
      assert.deepEqual(problemsOf(aBurstClusterArgs({ root })), []);
    });
});

describe("what a cluster that joins cannot have", () => {
  const leadOnly = "is set in the cluster with the lead broker; remove it here";
  const unsupportedArgs: [path: string, value: unknown, says: string][] = [
    ["maxSize", 8, "is set by the cluster to join, in bursting.clusters; change it there"],
    ["minSize", 1, leadOnly],
    ["tasks", 4, leadOnly],
    ["interactive", true, leadOnly],
    ["bursting", { clusters: [] }, "is for the cluster with the lead broker; remove it here"],
    ["suspend", true, "set size to 0 instead, which suspends the Job"],
    ["cleanup", true, "requires a Job that ends, and brokers that join do not end by themselves; remove it"],
    ["archive", { path: "/a" }, leadOnly],
    ["flux.completeWorkers", true, "would end the whole Job with the first broker; remove it"],
    [
      "flux.container.mountPath",
      "/data",
      "is set by the cluster to join, whose configuration all brokers share; remove it",
    ],
    ["flux.submitCommand", "flux run", leadOnly],
    ["flux.optionFlags", "-g 1", leadOnly],
    ["flux.topology", "kary:2", "is flat: brokers of another cluster reach only the lead broker; remove it"],
    ["flux.disableSocket", true, "names the socket after the rank in the instance, which no pod here knows; remove it"],
    ["flux.scheduler", { simple: true }, leadOnly],
    ["flux.minimalService", true, leadOnly],
    ["flux.curveCert", "secret text", "is one for all brokers of the instance, in root.certificate; remove it"],
    ["flux.brokerConfig", "[bootstrap]", "is rendered from the plan of the cluster to join; remove it"],
    ["flux.bursting", { clusters: [{}] }, "is the operator's form of root; remove it"],
  ];
  const nested = (path: string, value: unknown): object => {
    const [outer = "", ...inner] = path.split(".");
    return { [outer]: inner.length === 0 ? value : nested(inner.join("."), value) };
  };
  itRefuses(unsupportedArgs.map(([path, value, says]) => ({ rule: path, args: nested(path, value), path, says })));

  it("is told of all at once, even of values that would be wrong anywhere", () => {
    const args = unsupportedArgs.map(([path]) => nested(path, { wrong: 5 })) as { flux?: object }[];
    const flux = Object.assign({}, ...args.map((each) => each.flux)) as object;
    const problems = problemsOf(aBurstClusterArgs(Object.assign({}, ...args, { flux }) as object));
    assert.deepEqual(
      new Map(problems.map(({ propertyPath, reason }) => [propertyPath, reason])),
      new Map(unsupportedArgs.map(([path, , says]) => [path, says])),
    );
    assert.equal(problems.length, unsupportedArgs.length);
  });

  itRefuses([
    { rule: "a command", args: { containers: [aContainer()] }, path: "containers[0].command", says: onlyJoins },
    {
      rule: "a script",
      args: { containers: [{ image: "i", commands: { script: "x" } }] },
      path: "containers[0].commands.script",
      says: onlyJoins,
    },
    {
      rule: "a command in the container among several that runs Flux",
      args: { containers: [{ image: "i", name: "side" }, aContainer({ runFlux: true })] },
      path: "containers[1].command",
      says: onlyJoins,
    },
    {
      rule: "an unknown property",
      args: { sise: 4 },
      path: "sise",
      says: "unknown property; correct its name or remove it",
    },
    {
      rule: "an unknown property of flux",
      args: { flux: { arhc: "arm64" } },
      path: "flux.arhc",
      says: /^unknown property/,
    },
    {
      rule: "to wait for its end",
      args: { wait: "complete" },
      path: "wait",
      says: 'must be one of "ready", "none"',
    },
    {
      rule: "an unknown property of the view",
      args: { flux: { container: { imgae: "i" } } },
      path: "flux.container.imgae",
      says: /^unknown property/,
    },
    {
      rule: "a view that is no object",
      args: { flux: { container: "x" } },
      path: "flux.container",
      says: "must be an object with properties",
    },
    { rule: "flux that is no object", args: { flux: "x" }, path: "flux", says: "must be an object with properties" },
    {
      rule: "no container",
      args: { containers: [] },
      path: "containers",
      says: "a cluster needs at least one container; add one",
    },
  ]);

  itAccepts({
    "the command of a sidecar": { containers: [{ image: "i", runFlux: true }, aContainer({ name: "side" })] },
    "the code of the followers": { containers: [{ ...follower, commands: { pre: "a", workerPre: "b", post: "c" } }] },
    "what brokers have anywhere": {
      namespace: "far",
      flux: { arch: "arm64", connectTimeout: "10s", environment: { A: "a" }, logLevel: 7 },
      network: { headlessName: "hosts", affinity: "preferred" },
      logging: { quiet: true },
      resize: "manifest",
      wait: "none",
    },
    "a view of its own": { flux: { container: { image: "i", pullAlways: true } } },
    "restricted pods": { podSecurity: "restricted", size: 0 },
    "a pool of its own": { size: 2, pool: aPool() },
  });
});

describe("all that is wrong with a cluster that joins", () => {
  it("is said at once", () => {
    const root = aRoot({ address: "a b", port: 0, certificate: "none" });
    const args = { root, size: -1, tasks: 2, sise: 4, flux: { topology: "kary:2" }, containers: [aContainer()] };
    assert.deepEqual(
      problemsOf(args).map(({ propertyPath }) => propertyPath),
      [
        ...["flux.topology", "root.address", "root.port", "root.certificate", "size", "tasks", "sise"],
        "containers[0].command",
      ],
    );
  });

  it("is more than its name and size: a wrong name does not hide the rest, and no other size is said", () =>
    assert.deepEqual(
      problemsOf(aBurstClusterArgs({ name: "other", size: 90, containers: [aContainer()] })).map(
        ({ propertyPath }) => propertyPath,
      ),
      ["name", "containers[0].command"],
    ));

  it("is said of arguments that are none", () =>
    assert.ok(problemsOf(undefined).some(({ propertyPath }) => propertyPath === "")));

  it("names the component and the resource", () =>
    assert.throws(
      () => aBurstCluster({ size: 9 }),
      /^.*BurstCluster cloud: invalid arguments, nothing was created\n {2}size: size 9/,
    ));
});
