import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { query } from "jsonpath-rfc9535";
import * as provider from "../../../../provider";
import { waitForAnnotation } from "../../../../provider/core/objects/job";
import type { MiniClusterSpec } from "../../../../provider/core/parse/spec";
import * as fixtures from "../../../support/fixtures";
import { building, itBuilds, manifestsFor, sentFor, templateHash } from "../../../support/manifests";
import { changedPaths } from "../../../support/propertyPaths";

const { aBurstCluster, aContainer, aHome, aMiniCluster, aPool, aRoot, aSidecar } = fixtures;
const { MiniClusterResize, MiniClusterWait } = provider;

const lost = { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] };
const onExit = (action: string, containerName: string, operator: string, ...values: number[]) => ({
  action,
  onExitCodes: { containerName, operator, values },
});
const left = (container: string) => onExit("Ignore", container, "In", 143);
const failed = (container: string) => onExit("FailJob", container, "NotIn", 128, 137, 143, 255);

describe("the Job", () => {
  const never = { backoffLimit: 3, pod: { restartPolicy: "Never" as const } };
  const image = { flux: { container: { imageVolume: true } } };
  const [deadline, patched] = ["job.spec.activeDeadlineSeconds", "jobScale.spec.activeDeadlineSeconds"];
  const [perRank, policy] = ["job.spec.backoffLimitPerIndex", "job.spec.podFailurePolicy"];
  const of = (resize: provider.MiniClusterResize) => ({ resize, deadlineSeconds: 60 });
  itBuilds("has its deadline in the patch", of("patch"), { [deadline]: undefined, [patched]: 60 });
  itBuilds("has its deadline in itself too without a patch", of("manifest"), { [deadline]: 60, [patched]: 60 });
  itBuilds("counts failures by rank, except lost nodes and terminations, if pods are not restarted in place", never, {
    [perRank]: 3,
    [policy]: { rules: [lost, left("demo"), left("flux-view"), failed("demo")] },
  });
  itBuilds("ends with the first command that fails if it is not retried", image, {
    [policy]: { rules: [lost, left("demo"), failed("demo")] },
  });
  const argo = "argocd.argoproj.io/sync-options";
  const annotated = { jobAnnotations: { [argo]: "Force=true,Replace=true" } };
  itBuilds("has the annotations of the arguments, beside its own", annotated, {
    [`job.metadata.annotations["${argo}"]`]: "Force=true,Replace=true",
    'job.metadata.annotations["pulumi.com/patchForce"]': "true",
    [`template.annotations["${argo}"]`]: undefined,
  });
  it("is not replaced by a change of these annotations", () => assert.equal(templateHash(annotated), templateHash({})));
  const inPlace = { ...never, pod: { restartPolicy: "OnFailure" as const } };
  itBuilds("counts no failures by rank if pods are restarted in place", inPlace, {
    [perRank]: undefined,
    [policy]: undefined,
  });
  itBuilds("is suspended on request", { suspend: true }, { "job.spec.suspend": true });
  itBuilds("is deleted a minute after its end", { cleanup: true }, { "job.spec.ttlSecondsAfterFinished": 60 });
  const note = 'jobScale.metadata.annotations["minicluster/pool-node"]';
  itBuilds(
    "has the machine of the pool in an annotation of its patch",
    { pool: aPool() },
    { [note]: '{"pool":"hpc","vcpus":96,"cores":48,"gpus":0,"fabricInterfaces":0}' },
  );

  it("is patched again when the template has changed, of which a script is a part by its hash, and only then", () => {
    const at = { size: 2, maxSize: 8 };
    const same = [at, { ...at, size: 5 }, { ...at, jobLabels: { a: "b" }, backoffLimit: 1 }].map(templateHash);
    const others = [{ maxSize: 9 }, { tasks: 2 }, { containers: [{ image: "other" }] }];
    const hashes = others.map((other) => templateHash({ ...at, ...other }));
    assert.deepEqual([new Set(same).size, new Set([same[0], ...hashes]).size], [1, 4]);
  });
});

describe("the Job of a cluster that joins", () => {
  const itBuilds = building(aBurstCluster);
  const rests = { completions: 1, parallelism: 1, suspend: true, activeDeadlineSeconds: 3_153_600_000 };
  itBuilds(
    "is suspended at size 0, with counts of 1, without which it would be complete",
    { size: 0 },
    {
      "job.spec.completions": 1,
      "job.spec.parallelism": 1,
      "job.spec.suspend": true,
      "jobScale.spec": rests,
      "configScale.data.size": "0",
    },
  );
  itBuilds(
    "leaves suspension to Kueue in a queue",
    { size: 2, gang: { queueName: "hpc" } },
    { "job.spec.suspend": undefined, "jobScale.spec.suspend": undefined },
  );
  const address = pulumi.output("lead.example.com");
  itBuilds(
    "gives the endpoint of the lead to its brokers alone",
    { containers: [{ image: "i", runFlux: true }, aSidecar()], root: aRoot({ address }) },
    {
      "container.cloud.variables.MINICLUSTER_LEAD": { name: "MINICLUSTER_LEAD", value: "lead.example.com:30850" },
      "container.side.variables.MINICLUSTER_LEAD": undefined,
      "container.flux-view.variables.MINICLUSTER_LEAD": undefined,
    },
  );

  const sent = (args: Partial<provider.BurstClusterArgs>) => sentFor(aBurstCluster(args));

  it("changes in its counts alone, from 4 to 6, and with its suspension from 0 to 4", async () => {
    const [none, four, six] = [await sent({ size: 0 }), await sent({ size: 4 }), await sent({ size: 6 })];
    const counts = ["completions", "parallelism"].flatMap((field) => [`job.spec.${field}`, `jobScale.spec.${field}`]);
    const resized = ["configMap.data.size", "configScale.data.size", ...counts];
    assert.deepEqual(changedPaths(four, six).sort(), resized.sort());
    assert.deepEqual(changedPaths(none, four).sort(), [...resized, "job.spec.suspend", "jobScale.spec.suspend"].sort());
  });
});

describe("the Job of a cluster that others may join", () => {
  it("has a patch that does not set suspend", () =>
    assert.ok(!("suspend" in manifestsFor(aHome({ suspend: true })).jobScale.spec)));

  it("has the same pods for any sizes that it plans for the others, and different ones for other hosts", () => {
    const templateOf = (cluster: object) =>
      manifestsFor(aHome({}, { clusters: [{ name: "cloud", maxSize: 8, ...cluster }] })).jobScale.metadata.annotations[
        "minicluster/template-hash"
      ];
    const before = templateOf({ size: 0 });
    assert.equal(templateOf({ size: 8 }), before);
    for (const change of [{ maxSize: 9 }, { name: "other" }, { properties: ["gpu"] }])
      assert.notEqual(templateOf(change), before, JSON.stringify(change));
  });
});

type Live = Partial<Record<"patched" | "suspend", boolean>> & { parallelism?: number; status?: object };

/** A Job as the API server shows it, with what the controller writes to it. */
function liveJob({ patched = true, parallelism = 4, suspend = false, status = {} }: Live) {
  const annotations = {
    "pulumi.com/waitFor": "…",
    ...(patched && { "minicluster/template-hash": "c383af9f54a7ddc0" }),
  };
  return {
    metadata: { name: "demo", namespace: "default", uid: "0b3a", generation: 1, annotations },
    spec: { parallelism, completions: parallelism, completionMode: "Indexed", suspend, template: { spec: {} } },
    status: { uncountedTerminatedPods: {}, ...status },
  };
}

const ended = ["ready", "settled", "complete"];
const condition = (type: string, status = "True") => ({ conditions: [{ type, status }] });
const done = { completionTime: "2026-01-01T00:00:00Z", ...condition("Complete") };

/** Jobs in every state that a wait can meet, and the waits that are over then. */
const states: [name: string, job: Live, over?: string[]][] = [
  ["just patched", {}],
  ["partly ready", { status: { active: 4, ready: 3 } }],
  ["all ready", { status: { active: 4, ready: 4 } }, ["ready", "settled"]],
  ["ready with one pod", { parallelism: 1, status: { ready: 1 } }, ["ready", "settled"]],
  ["grown from 4 to 6", { parallelism: 6, status: { active: 6, ready: 4 } }],
  ["shrunk from 4 to 3", { parallelism: 3, status: { active: 4, ready: 4 } }],
  ["all ready while others terminate", { status: { ready: 4, terminating: 1 } }, ["ready"]],
  ["suspended while pods terminate", { suspend: true, status: { ready: 0, terminating: 1 } }, ["ready", "complete"]],
  ["failed", { status: { ready: 0, ...condition("Failed") } }, ended],
  ["about to fail", { status: { ready: 0, ...condition("FailureTarget") } }],
  ["complete", { status: { ready: 0, ...done } }, ended],
  ["suspended", { suspend: true, status: { ready: 0, ...condition("Suspended") } }, ended],
  ["resumed", { status: { ready: 0, ...condition("Suspended", "False") } }],
  ["resumed and all ready", { status: { ready: 4, ...condition("Suspended", "False") } }, ["ready", "settled"]],
];

const follows = (wait: provider.MiniClusterWait, min = 2) =>
  aMiniCluster({ containers: [aContainer({ launcher: true })], autoscale: { min, max: 8 }, wait });

describe("the wait for a cluster", () => {
  const pathIn = (annotation: string) => {
    const path = /^jsonpath=\{([^}]*)\}$/s.exec(annotation)?.[1] ?? "";
    // The plugin takes what follows a single "=" for a value, and this library drops the third operand of such a chain.
    assert.doesNotMatch(path, /(?<!=)=(?!=)|&&[^()|]*&&/);
    return path;
  };
  const isOver = (text: string, job: Live) => query(liveJob(job), pathIn(text)).length > 0;

  /** The states in which a wait is over, and those in which it should be. */
  const overIn = (text: string) => states.filter(([, job]) => isOver(text, job)).map(([name]) => name);
  const wanted = (wait: provider.MiniClusterWait) =>
    states.filter(([, , over = []]) => wait === "none" || over.includes(wait)).map(([name]) => name);
  const specs = Object.values(MiniClusterResize).flatMap((resize) =>
    Object.values(MiniClusterWait).map((wait) => ({ wait, resize })),
  );

  for (const args of specs)
    it(`for ${args.wait}, resized by ${args.resize}, is over in its states, for a new Job where a patch waits`, () => {
      const text = waitForAnnotation(aMiniCluster(args));
      assert.deepEqual(overIn(text), wanted(args.wait));
      for (const status of [{ active: 4 }, undefined])
        assert.equal(isOver(text, { patched: false, status }), args.wait === "none" || args.resize === "patch");
      // It holds no size: the only number is the zero of hosts that leave.
      assert.doesNotMatch(text.slice("jsonpath=".length).replaceAll(" == 0", ""), /\d/);
    });

  for (const wait of Object.values(MiniClusterWait))
    it(`for ${wait} in a queue goes on while Kueue holds the Job back, and is otherwise as without`, () => {
      const text = waitForAnnotation(aMiniCluster({ wait, gang: { queueName: "hpc" } }));
      const want = wanted(wait).filter((name) => wait === "none" || !name.startsWith("suspended"));
      assert.deepEqual(overIn(text), want);
    });

  it("does not wait for a follower that has ended with its broker if completeWorkers is set", () => {
    const isOverAt = (wait: provider.MiniClusterWait, completeWorkers: boolean) =>
      isOver(waitForAnnotation(aMiniCluster({ wait, flux: { completeWorkers } })), {
        status: { ready: 1, succeeded: 1 },
      });
    assert.deepEqual(
      [isOverAt("ready", true), isOverAt("settled", true), isOverAt("complete", true)],
      [true, true, false],
    );
    assert.deepEqual([isOverAt("ready", false), isOverAt("settled", false)], [false, false]);
  });

  const following: [name: string, spec: MiniClusterSpec, job: Live, want: boolean][] = [
    [
      "min pods are Ready, however many are requested",
      follows("ready"),
      { parallelism: 8, status: { ready: 2 } },
      true,
    ],
    ["fewer than min are Ready", follows("ready"), { parallelism: 8, status: { ready: 1 } }, false],
    ["no pod is Ready", follows("ready"), { parallelism: 2 }, false],
    // The agent, which comes after it, makes the others.
    ["all pods are Ready where min was raised", follows("ready", 4), { parallelism: 2, status: { ready: 2 } }, true],
    ["one is leaving", follows("settled"), { parallelism: 8, status: { ready: 8, terminating: 1 } }, false],
    ["none is leaving", follows("settled"), { parallelism: 8, status: { ready: 2, terminating: 0 } }, true],
    [
      "a burst has no pod",
      aBurstCluster({ root: aRoot({ demandPort: 30_860 }), autoscale: {} }),
      ...([{ parallelism: 3, status: { ready: 0 } }, true] as const),
    ],
  ];
  for (const [name, spec, job, want] of following)
    it(`whose size follows its queue is ${want ? "" : "not "}over where ${name}`, () =>
      assert.equal(isOver(waitForAnnotation(spec), { patched: false, ...job }), want));
});
