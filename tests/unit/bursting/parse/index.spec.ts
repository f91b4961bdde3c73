import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { BurstClusterArgs } from "../../../../provider";
import { aBurstCluster, aBurstClusterArgs, aHome, aPlan, aPool, aRoot, aSidecar } from "../../../support/fixtures";
import { burstProblemsOf as problemsOf, described, errorsAt, validating } from "../../../support/problems";

const judged = (given: object) => problemsOf(aBurstClusterArgs(given));
const { accepts, rejects, rejectsAll } = validating(judged);

describe("the size and the name of a cluster that joins", () => {
  const [home, cloud] = aPlan().clusters;
  const resting = { ...aPlan(), clusters: [home!, { ...cloud!, size: 0 }] };
  rejects({
    "size: size 9 is above maxSize 8 in bursting.clusters of the MiniCluster; lower it, or raise maxSize there": {
      size: 9,
    },
    "size: 0 suspends the Job, which only Kueue may do with gang.queueName; use at least 1 or remove gang.queueName": [
      { size: 0, gang: { queueName: "hpc" } },
      { root: aRoot({ plan: resting }), gang: { queueName: "hpc" } },
    ],
    "size: size 6 is above the 4 nodes of pool hpc; raise the pool's size or lower size": {
      size: 6,
      pool: aPool({ nodes: 4 }),
    },
    ["pool: maxSize 8 is above the 4 nodes of pool hpc at most; raise maxSize of the pool or lower maxSize in " +
    "bursting.clusters of the MiniCluster"]: { size: 2, pool: aPool({ maxNodes: 4 }) },
    'name: "home" is the name of the MiniCluster; use a name in its bursting.clusters: cloud': { name: "home" },
  });
  rejectsAll({ name: "other", size: 90, containers: [{ image: "i", command: "x" }] }, [
    'name: "other" is not in bursting.clusters of the MiniCluster: cloud; add it there, or rename this cluster',
    "containers[0].command: the lead broker runs the command, and this cluster only joins it; remove it here",
  ]);
  accepts({ "every host of the plan on as many nodes": { size: 8, pool: aPool({ maxNodes: 8 }) } });

  it("are by default, and at 0, those of the plan, and its maxSize is the plan's", () => {
    const plan = aPlan();
    delete plan.clusters[1]?.size;
    const clusters = [{}, { size: 0 }, { size: 8 }, { root: aRoot({ plan }) }].map(aBurstCluster);
    const sizes = clusters.map(({ size, maxSize }) => `${size} of ${maxSize}`);
    assert.deepEqual(sizes, ["3 of 8", "0 of 8", "8 of 8", "0 of 8"]);
    const both = ["cloud", "lead"].map((name) => ({ name, maxSize: 2 }));
    const root = aRoot({ plan: aPlan(aHome({ name: "root" }, { clusters: both })) });
    assert.deepEqual([aBurstCluster({ root }).name, aBurstCluster({ root, name: "lead" }).name], ["cloud", "lead"]);
  });
});

describe("the size of an autoscaled BurstCluster", () => {
  const following = (autoscale: BurstClusterArgs["autoscale"]) => ({ root: aRoot({ demandPort: 30_860 }), autoscale });
  rejects({
    "autoscale.min: min 5 is above max 4; lower min or raise max": following({ min: 5, max: 4 }),
    ["autoscale.max: max 9 is above maxSize 8 in bursting.clusters of the MiniCluster; lower it, or raise maxSize " +
    "there"]: following({ max: 9 }),
    ["autoscale.min: min 9 is above maxSize 8 in bursting.clusters of the MiniCluster; lower it, or raise maxSize " +
    "there"]: following({ min: 9 }),
    "autoscale.min: 0 suspends the Job, which only Kueue may do with gang.queueName…": {
      ...following({}),
      gang: { queueName: "hpc" },
    },
    ["autoscale: the MiniCluster does not serve the demand of its queue; set bursting.expose.demand there, and also " +
    "root.demandPort if root is set by its parts"]: { autoscale: {} },
  });
  rejectsAll({ ...following({}), size: 2, resize: "manifest" }, [
    "size: is set by autoscale, between its min and max; remove one of them",
    'resize: the agent resizes the live Job, which YAML in files would undo; remove autoscale, or use "patch"',
  ]);
  rejectsAll(
    {
      root: aRoot({ demandPort: 0 }),
      autoscale: { min: -1, max: 0, idleSeconds: -1, cooldownSeconds: 86_401, maxStep: 0 },
    },
    [
      "root.demandPort: 0 must be an integer from 1 to 65535",
      "autoscale.min: -1 must be an integer from 0 to 100000",
      "autoscale.max: 0 must be an integer from 1 to 100000",
      "autoscale.idleSeconds: -1 must be an integer from 0 to 86400",
      "autoscale.cooldownSeconds: 86401 must be an integer from 0 to 86400",
      "autoscale.maxStep: 0 must be an integer from 1 to 100000",
    ],
  );
  accepts({
    "all hosts of the plan": following({}),
    "a demand port that is known later, restricted pods, a policy and a queue": {
      root: aRoot({ demandPort: pulumi.output(1) }),
      podSecurity: "restricted",
      network: { policy: "pods" },
      gang: { queueName: "hpc" },
      autoscale: { min: 1 },
    },
    "a pool with a node for each host": { ...following({}), pool: aPool({ maxNodes: 8 }) },
  });
});

describe("what a cluster that joins cannot have", () => {
  // All are reported at once, even values that would be wrong anywhere.
  rejects({
    "gang.native: is for the start of a whole instance, and brokers that join start separately; remove it": {
      gang: { native: {} },
    },
  });
  const elsewhere = "is set in the cluster with the lead broker; remove it here";
  rejectsAll(
    {
      maxSize: {},
      minSize: {},
      tasks: {},
      interactive: 5,
      bursting: 5,
      suspend: 5,
      cleanup: 5,
      archive: 5,
      metrics: 5,
      console: 5,
      flux: {
        completeWorkers: 5,
        container: { mountPath: 5, imgae: "i" },
        submitCommand: 5,
        optionFlags: 5,
        topology: 5,
        disableSocket: 5,
        scheduler: 5,
        minimalService: 5,
        curveCert: 5,
        brokerConfig: 5,
        bursting: 5,
      },
      containers: [{ image: "i", command: "x", commands: { script: "x" } }],
    },
    [
      "flux.container.mountPath: is set by the MiniCluster, whose configuration all brokers use; remove it",
      "flux.container.imgae: unknown property; did you mean image?",
      ...errorsAt(["flux.submitCommand", "flux.optionFlags"], elsewhere),
      "flux.topology: must be flat, because brokers of another cluster can connect only to the lead broker; remove it",
      "flux.disableSocket: Flux's default socket is named after the rank in the instance, which these pods do not…",
      "flux.completeWorkers: would end the whole Job when its first broker ends; remove it",
      `flux.scheduler: ${elsewhere}`,
      "flux.minimalService: only a manifest of the Flux Operator has it; remove it",
      "flux.curveCert: is the same for all brokers of the instance, in root.certificate; remove it",
      "flux.brokerConfig: is generated from root.plan; remove it",
      "flux.bursting: is the operator's form of root; remove it and set root",
      "maxSize: is set in bursting.clusters of the MiniCluster; change it there",
      ...errorsAt(["minSize", "tasks", "interactive"], elsewhere),
      "bursting: is for the cluster with the lead broker; remove it here",
      "suspend: set size to 0 instead, which suspends the Job",
      "cleanup: requires a Job that ends, and brokers that join keep running; remove it",
      `archive: ${elsewhere}`,
      "metrics: are set for the whole instance, in the cluster with the lead broker; set them there",
      "console: is set for the whole instance, in the cluster with the lead broker; set it there",
      ...errorsAt(
        ["containers[0].command", "containers[0].commands.script"],
        "the lead broker runs the command, and this cluster only joins it; remove it here",
      ),
      "containers[0].commands.script: script replaces command; keep one of them",
    ],
  );
  rejectsAll({ wait: "complete", sise: 4, size: -1, root: aRoot({ certificate: "none" }) }, [
    'root.certificate: is not a curve certificate: the section "curve" is missing; create one with flux keygen',
    "size: -1 must be an integer from 0 to 100000",
    'wait: must be one of "ready", "settled", "none"',
    "sise: unknown property; did you mean size?",
  ]);
  accepts({
    "the command of a sidecar": { containers: [{ image: "i", runFlux: true }, aSidecar()] },
    "settings of every broker": {
      namespace: "far",
      flux: { arch: "arm64", connectTimeout: "10s", environment: { A: "a" }, logLevel: 7 },
      network: { headlessName: "hosts", affinity: "preferred" },
      logging: { quiet: true },
      resize: "manifest",
      wait: "none",
      containers: [{ image: "i", commands: { pre: "a", workerPre: "b", post: "c" } }],
    },
  });

  it("gets an error for missing arguments, with the names of the component and the resource", () => {
    assert.match(described(problemsOf(undefined))[0] ?? "", /^: /);
    const says = /^.*BurstCluster cloud: invalid arguments, nothing was created\n {2}size: size 9/;
    assert.throws(() => aBurstCluster({ size: 9 }), says);
  });
});
