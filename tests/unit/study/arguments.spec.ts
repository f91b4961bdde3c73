import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, type MiniClusterArgs, Study, type StudyArgs, StudyBetter } from "../../../provider";
import { checkCluster } from "../../../provider/minicluster/cluster";
import { parseStudyArgs } from "../../../provider/study/parse";
import { aContainer, aMiniClusterArgs, aPool, aStudyArgs } from "../../support/fixtures";
import { mockEngine, valueOf } from "../../support/mocks";
import { studyProblemsOf } from "../../support/problems";

const withPattern = (pattern: string) => ({
  apps: { app: { command: "a", figure: { pattern, better: StudyBetter.Lower } } },
});

const problems: [title: string, args: object, want: Record<string, string>][] = [
  [
    "two places for the runs",
    { instance: { jobName: "demo", namespace: "default" } },
    { cluster: "set either cluster, for a MiniCluster of the study, or instance, for an existing MiniCluster" },
  ],
  [
    "no place for the runs",
    { cluster: undefined },
    { cluster: "set either cluster, for a MiniCluster of the study, or instance, for an existing MiniCluster" },
  ],
  ["no size", { sizes: [] }, { sizes: "must have 1 to 100 sizes" }],
  ["a size twice", { sizes: [2, 4, 2] }, { "sizes[2]": "2 is listed twice; use repeats for more runs" }],
  ["a size of 0", { sizes: [0] }, { "sizes[0]": "0 must be an integer from 1 to 100000" }],
  [
    "a size above maxSize",
    { cluster: { ...aStudyArgs().cluster, maxSize: 4 }, sizes: [2, 8] },
    { "sizes[1]": "8 is above cluster.maxSize 4; remove this size, or raise the limit" },
  ],
  [
    "a size above autoscale.max",
    { cluster: { ...aStudyArgs().cluster, autoscale: { max: 4 } }, sizes: [2, 8] },
    { "sizes[1]": "8 is above cluster.autoscale.max 4; remove this size, or raise the limit" },
  ],
  [
    "a size above the maxSize of an instance",
    { cluster: undefined, instance: { jobName: "demo", namespace: "default", maxSize: 1 } },
    { "sizes[1]": "2 is above instance.maxSize 1; remove this size, or raise the limit" },
  ],
  ["no application", { apps: {} }, { apps: "must have 1 to 100 applications" }],
  [
    "a command of nothing but spaces",
    { apps: { app: { command: " " } } },
    { "apps.app.command": '" " must be a command for bash, such as "lmp -in in.lj -v x ${size}"' },
  ],
  [
    "a pattern without a group",
    withPattern("took [0-9.]+"),
    { "apps.app.figure.pattern": "must have one group (…) around the number, and has 0; use (?:…) for others" },
  ],
  [
    "a pattern with two groups",
    withPattern("(took) ([0-9.]+)"),
    { "apps.app.figure.pattern": "must have one group (…) around the number, and has 2; use (?:…) for others" },
  ],
  [
    "a pattern with a named group",
    withPattern("took (?<figure>[0-9.]+)"),
    {
      "apps.app.figure.pattern":
        "must have no named group, whose syntax is different in JavaScript and Python; use (…)",
    },
  ],
  [
    "a pattern that is no regular expression",
    withPattern("took ([0-9.]+"),
    {
      "apps.app.figure.pattern":
        "is not a regular expression: Invalid regular expression: /took ([0-9.]+|/: Unterminated group",
    },
  ],
  [
    "more runs than a study may have",
    { repeats: 1000, sizes: [1, 2, 3, 4, 5, 6] },
    { repeats: "results in 12000 runs, more than the 10000 of a study; lower it, or remove apps or sizes" },
  ],
  [
    "what is wrong with its MiniCluster, beside the rest",
    { cluster: { containers: [], waitTimeoutSeconds: 0 }, retries: -1, sizes: [0] },
    {
      "sizes[0]": "0 must be an integer from 1 to 100000",
      retries: "-1 must be an integer from 0 to 100",
      "cluster.containers": "a cluster needs at least one container; add one",
      "cluster.waitTimeoutSeconds": "0 must be an integer from 1 to 2147483647",
    },
  ],
  [
    "arguments of a MiniCluster that a study sets itself",
    { cluster: { ...aStudyArgs().cluster, size: 4, interactive: false } },
    {
      "cluster.size": "unknown property; correct its name or remove it",
      "cluster.interactive": "unknown property; correct its name or remove it",
    },
  ],
  ["a cluster that is a text", { cluster: "demo" }, { cluster: "is a string; must be the arguments of a MiniCluster" }],
  [
    "an instance that is a text",
    { cluster: undefined, instance: "demo" },
    { instance: "is a string; must be a MiniCluster, or its outputs jobName and namespace" },
  ],
];

describe("the arguments of a study", () => {
  for (const [title, args, want] of problems)
    it(`are refused: ${title}`, () => {
      const found = studyProblemsOf({ ...aStudyArgs(), ...args });
      assert.deepEqual(Object.fromEntries(found.map(({ propertyPath, reason }) => [propertyPath, reason])), want);
    });

  it("give a cluster that follows the runs, up to the largest size", () => {
    const { cluster, spec } = parseStudyArgs("demo", aStudyArgs({}, { sizes: [4, 16, 1] }), checkCluster);
    const { autoscale, interactive, maxSize } = cluster as MiniClusterArgs;
    assert.deepEqual(autoscale, { max: 16, idleSeconds: 10, cooldownSeconds: 10 });
    assert.deepEqual([interactive, maxSize, spec.image], [true, 16, "ubuntu:noble"]);
  });

  it("have the machines and the price of the workers, with a separate lead broker as well", () => {
    const pool = aPool({ pool: "hpc", machineType: "hpc7g.16xlarge", pricePerHour: 1.69, currency: "USD" });
    const lead = { pool: aPool({ pool: "small", machineType: "t4g.small", pricePerHour: 0.01, currency: "USD" }) };
    for (const cluster of [{ pool }, { pool, lead }]) {
      const { machineType, pricePerHour } = parseStudyArgs("demo", aStudyArgs(cluster), checkCluster).spec;
      assert.deepEqual([machineType, pricePerHour], ["hpc7g.16xlarge", 1.69]);
    }
  });

  it("pass on an image that is an output", () => {
    const containers = [aContainer({ command: undefined, image: pulumi.output("ghcr.io/acme/app:1") })];
    const { image } = parseStudyArgs("demo", aStudyArgs({ containers }), checkCluster).spec;
    assert.ok(pulumi.Output.isInstance(image));
  });

  it("leave the names of the cluster's own maxSize and autoscale as they are", () => {
    const autoscale = { min: 2, max: 20 };
    const { cluster } = parseStudyArgs("demo", aStudyArgs({ autoscale, maxSize: 32 }), checkCluster);
    const given = cluster as MiniClusterArgs;
    assert.deepEqual([given.autoscale, given.maxSize], [autoscale, 32]);
  });

  it("take a MiniCluster as it is for the instance", async () => {
    await mockEngine();
    const instance = new MiniCluster("demo", aMiniClusterArgs());
    const args: StudyArgs = { ...aStudyArgs(), cluster: undefined, instance };
    assert.deepEqual(studyProblemsOf(args), []);
    assert.ok(pulumi.Output.isInstance(parseStudyArgs("demo", args, checkCluster).instance?.jobName));
  });

  type Options = pulumi.ComponentResourceOptions;
  const optionsOf = (provider: k8s.Provider): Options[] => [
    { provider },
    { providers: [provider] },
    { providers: { kubernetes: provider } },
  ];

  /** The connection of a study to a MiniCluster, whose options and those of the study are made of two providers. */
  async function connectionOf(make: (one: k8s.Provider, other: k8s.Provider) => { cluster: Options; study: Options }) {
    const seen = await mockEngine();
    const { cluster, study } = make(
      new k8s.Provider("one", { context: "one" }),
      new k8s.Provider("other", { context: "other" }),
    );
    const instance = new MiniCluster("demo", aMiniClusterArgs(), cluster);
    const { json } = new Study("study", { ...aStudyArgs(), cluster: undefined, instance }, study);
    await valueOf(json);
    const { inputs } = seen.find(({ type }) => type === "StudyRuns") ?? {};
    return JSON.stringify((inputs as { connection?: unknown }).connection);
  }

  for (const [index, way] of ["no provider", "provider", "a list of providers", "a map of providers"].entries()) {
    it(`have the Kubernetes provider of the instance, and the options ${way}`, async () => {
      const connection = await connectionOf((one) => ({
        cluster: { provider: one },
        study: [{}, ...optionsOf(one)][index] ?? {},
      }));
      assert.match(connection, /"context":"one"/);
    });

    if (index > 0)
      it(`refuse a Kubernetes provider that is not the provider of the instance, as ${way}`, async () => {
        const want =
          /Study study: invalid arguments, nothing was created\n {2}instance: has another Kubernetes provider/;
        for (const isDefault of [true, false])
          await assert.rejects(
            connectionOf((one, other) => ({
              cluster: isDefault ? {} : { provider: one },
              study: optionsOf(other)[index - 1] ?? {},
            })),
            want,
          );
      });
  }

  it("have the image and the machine type of the workers of the instance in the identity of the runs", async () => {
    const seen = await mockEngine();
    const pool = aPool({ pool: "hpc", machineType: "hpc7g.16xlarge" });
    const containers = [aContainer({ image: "ghcr.io/acme/app:1" })];
    const groups = {
      first: { size: 1 },
      second: { size: 1, containers: [aContainer({ image: "ghcr.io/acme/app:2" })] },
    };
    const clusters = [
      aMiniClusterArgs({ containers, pool }),
      aMiniClusterArgs({ containers, pool, lead: {}, groups, size: undefined, interactive: true }),
    ];
    for (const [index, cluster] of clusters.entries()) {
      const instance = new MiniCluster(`demo-${index}`, cluster);
      const { json } = new Study(`study-${index}`, { ...aStudyArgs(), cluster: undefined, instance });
      await valueOf(json);
      const { inputs } = seen.filter(({ type }) => type === "StudyRuns").at(-1) ?? {};
      const { image, machineType } = (inputs as { spec: { image: string; machineType: string } }).spec;
      assert.deepEqual([image, machineType], ["ghcr.io/acme/app:1", "hpc7g.16xlarge"]);
    }
  });

  it("have the image and the machine type of an instance that is given by its names", () => {
    const workers = { image: "ghcr.io/acme/app:1", machineType: "hpc7g.16xlarge" };
    const instance = { jobName: "demo", namespace: "default", ...workers };
    const { spec } = parseStudyArgs("study", { ...aStudyArgs(), cluster: undefined, instance }, checkCluster);
    assert.deepEqual({ image: spec.image, machineType: spec.machineType }, workers);
  });
});
