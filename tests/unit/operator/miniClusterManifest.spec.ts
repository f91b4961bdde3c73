import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterManifestArgs } from "../../../provider/operator/args";
import { MiniClusterManifest } from "../../../provider/operator/miniClusterManifest";
import { aManifest } from "../../support/manifestTexts";
import { mockEngine, valueOf } from "../../support/mocks";

const container = "containers: [{image: a, command: b}]";

const inLab = aManifest(container).replace("name: demo", "name: demo\n  namespace: lab");
const twoOfOneName = `${aManifest(container)}---\n${inLab}`;

/** What a program with a manifest registers, and its outputs. */
async function run(args: MiniClusterManifestArgs) {
  const seen = await mockEngine();
  const manifest = new MiniClusterManifest("mine", args);
  const { jobNames, connectCommands, sizes, leadHosts, warnings } = manifest;
  const outputs = await valueOf(pulumi.output({ jobNames, connectCommands, sizes, leadHosts, warnings }));
  return { seen, outputs };
}

const problemOf = (args: unknown) => {
  try {
    new MiniClusterManifest("mine", args as MiniClusterManifestArgs);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("a MiniClusterManifest", function () {
  this.timeout(20_000);

  it("has one MiniCluster for each document", async () => {
    const other = aManifest(`size: 3\n${container}`).replace("name: demo", "name: other\n  namespace: lab");
    const { seen, outputs } = await run({ text: `${aManifest(container)}---\n${other}` });
    assert.deepEqual(
      seen.filter(({ type }) => type === "MiniCluster").map(({ id, parent }) => [id, parent]),
      [
        ["MiniCluster mine-default/demo", "MiniClusterManifest mine"],
        ["MiniCluster mine-lab/other", "MiniClusterManifest mine"],
      ],
    );
    assert.deepEqual(outputs.jobNames, { demo: "demo", other: "other" });
    assert.deepEqual(outputs.sizes, { demo: 1, other: 3 });
    assert.deepEqual(outputs.leadHosts, {
      demo: "demo-0.demo.default.svc.cluster.local",
      other: "other-0.other.lab.svc.cluster.local",
    });
    assert.match(outputs.connectCommands["other"] ?? "", /^kubectl exec .*--namespace lab /);
  });

  it("names a cluster with its namespace where the manifest has the name twice", async () => {
    const other = aManifest(container).replace("name: demo", "name: demo\n  namespace: lab");
    const { outputs } = await run({ text: `${aManifest(container)}---\n${other}` });
    assert.deepEqual(outputs.sizes, { "default/demo": 1, "lab/demo": 1 });
  });

  it("resizes by the manifest where it is asked to, for YAML that is written to files", async () => {
    const patches = async (args: Partial<MiniClusterManifestArgs>) =>
      (await run({ text: aManifest(container), ...args })).seen.filter(({ type }) => type.endsWith("Patch")).length;
    assert.deepEqual([await patches({}), await patches({ resize: "manifest" })], [2, 0]);
  });

  it("has the storage of a v1alpha1 cluster, which is there before it", async () => {
    const spec =
      "volumes: {data: {path: /d, delete: false}}\ncontainers: [{image: a, command: b, commands: {runFluxAsRoot: " +
      "true}, volumes: {data: {path: /d}}}]";
    const { seen } = await run({ text: aManifest(spec, "v1alpha1") });
    const find = (type: string) => seen.find((each) => each.type === type);
    assert.deepEqual(find("PersistentVolumeClaim")?.dependsOn, ["PersistentVolume mine-default/demo-data"]);
    assert.equal(find("PersistentVolume")?.retainOnDelete, true);
    assert.deepEqual(find("MiniCluster")?.dependsOn, ["PersistentVolumeClaim mine-default/demo-data"]);
  });

  it("reports the differences, with their places", async () => {
    const { outputs } = await run({ text: aManifest(`${container}\nsise: 1`), unknownFields: "warn" });
    assert.deepEqual(outputs.warnings, ["mine:7:3: spec.sise: unknown field; did you mean size?"]);
  });

  const jobs = async (args: MiniClusterManifestArgs) =>
    (await run(args)).seen
      .filter(({ type }) => type === "Job")
      .map(({ inputs }) => {
        const { metadata, spec } = inputs as { metadata: { name: string; namespace: string }; spec: object };
        return { name: metadata.name, namespace: metadata.namespace, ...spec };
      });

  it("takes from its overrides what is changed: namespace, sizes, the lead broker and groups", async () => {
    const two = `${aManifest(container)}---\n${aManifest(container).replace("name: demo", "name: other")}`;
    const [demo, other] = await jobs({ text: two, overrides: { demo: { namespace: "lab", size: 2, maxSize: 4 } } });
    assert.deepEqual([demo?.name, demo?.namespace, other?.name, other?.namespace], ["demo", "lab", "other", "default"]);

    const lead = await jobs({ text: interactive(), overrides: { demo: { lead: {}, groups: { cpu: { size: 3 } } } } });
    assert.deepEqual(lead.map(({ name }) => name).sort(), ["demo", "demo-cpu"]);
  });

  const interactive = (spec = "") => aManifest(`size: 4\ninteractive: true\ncontainers: [{image: a}]\n${spec}`);
  const typesOf = async (args: MiniClusterManifestArgs) => (await run(args)).seen.map(({ type }) => type);

  it("adds features that a manifest does not have", async () => {
    const overrides = {
      demo: { autoscale: { min: 2, max: 8 }, console: { admins: ["ann"] }, metrics: { podMonitor: {} } },
    };
    const types = await typesOf({ text: interactive(), overrides });
    assert.deepEqual(
      ["Deployment", "PodMonitor", "RandomPassword"].map((type) => types.includes(type)),
      [true, true, true],
    );
    const { outputs } = await run({ text: interactive(), overrides });
    assert.deepEqual(outputs.sizes, { demo: 2 });
  });

  it("merges objects field by field, and replaces lists", async () => {
    const text = aManifest("flux: {container: {image: view}}\ncontainers: [{image: a, command: b, ports: [80]}]");
    const containers = [{ image: "c", command: "d" }];
    const args = { text, overrides: { demo: { flux: { container: { pullAlways: true } }, containers } } };
    const [job] = await jobs(args);
    const { template } = job as unknown as { template: { spec: { [key: string]: { image: string }[] } } };
    const { initContainers: [view] = [], containers: [main] = [], affinity } = template.spec;
    assert.deepEqual([view?.image, main?.image], ["view", "c"]);
    // The affinity of a manifest is only preferred.
    assert.ok(JSON.stringify(affinity).includes("preferredDuring"));
  });

  it("sets the security context of all pods", async () => {
    const text = aManifest(`services: [{image: s, name: s}]\npod: {securityContext: {fsGroup: 5}}\n${container}`);
    const groups = async (overrides: MiniClusterManifestArgs["overrides"]) =>
      JSON.stringify((await run({ text, ...(overrides && { overrides }) })).seen).match(/"fsGroup":\d+/g);
    assert.deepEqual(await groups(undefined), ['"fsGroup":5']);
    assert.deepEqual(await groups({ demo: { podTemplate: { spec: { priorityClassName: "high" } } } }), ['"fsGroup":5']);
    const two = await groups({ demo: { pod: { securityContext: { fsGroup: 6 } } } });
    assert.deepEqual(two, ['"fsGroup":6', '"fsGroup":6']);
  });

  it("does not warn of a field of the manifest that it replaces", async () => {
    const text = aManifest(`cleanup: true\n${container}`);
    const { outputs } = await run({ text, overrides: { demo: { cleanup: false } } });
    assert.deepEqual(outputs.warnings, []);
  });

  it("finds an override by the namespace as well, where two clusters have one name", async () => {
    const { outputs } = await run({ text: twoOfOneName, overrides: { "lab/demo": { size: 3 } } });
    assert.deepEqual(outputs.sizes, { "default/demo": 1, "lab/demo": 3 });
  });

  it("has the volumes of v1alpha1 in the namespace of the override", async () => {
    const spec =
      "volumes: {data: {path: /d}}\ncontainers: [{image: a, command: b, commands: {runFluxAsRoot: true}, " +
      "volumes: {data: {path: /d}}}]";
    const { seen } = await run({ text: aManifest(spec, "v1alpha1"), overrides: { demo: { namespace: "lab" } } });
    const claim = seen.find(({ type }) => type === "PersistentVolumeClaim");
    assert.equal((claim?.inputs as { metadata: { namespace: string } }).metadata.namespace, "lab");
  });

  it("names every wrong override at once, by its path in the arguments", async () => {
    const seen = await mockEngine();
    const overrides = { demo: { size: 9, maxSize: 8, gang: { queueName: "Q!" } }, demos: { size: 2 } };
    const [, queue = "", ...others] = problemOf({ text: aManifest(container), overrides }).split("\n");
    assert.match(queue, /^ {2}overrides\.demo\.gang\.queueName: "Q!" must be the name/);
    assert.deepEqual(others, [
      "  overrides.demo.size: size 9 is above maxSize 8; raise maxSize or lower size",
      "  overrides.demos: the manifest has no cluster of this name; its clusters are demo",
    ]);
    assert.deepEqual(seen, []);
  });

  it("reports a problem where the value is: in an override or in the manifest, in one error", async () => {
    await mockEngine();
    const text = interactive("flux: {topology: x}\nlogging: {timed: 5}");
    const demo = { flux: { wrap: "", bursting: {} }, autoscale: { max: 0 }, wait: "done", metrics: 1 };
    const lines = problemOf({ text, overrides: { demo } }).split("\n  ").slice(1);
    assert.deepEqual(
      lines.map((line) => line.replace(/: .*/, "").replace(/^mine:\d+:\d+$/, "mine")),
      [
        "mine",
        "mine",
        ...["flux.wrap", "flux.bursting", "wait", "metrics", "autoscale.max"].map((path) => `overrides.demo.${path}`),
      ],
    );
    assert.match(lines.join("\n"), /flux\.bursting: only a manifest of the Flux Operator has it; remove it, and set/);
  });

  it("reports a resize that an override excludes at the argument of the manifest", async () => {
    await mockEngine();
    const overrides = { demo: { autoscale: { max: 8 } } };
    const [, ...lines] = problemOf({ text: interactive(), resize: "manifest", overrides }).split("\n");
    assert.deepEqual(lines.length, 1);
    assert.match(lines[0] ?? "", /^ {2}resize: the agent resizes the live Job/);
  });

  const later = pulumi.output("a");
  const wrong: [what: string, args: unknown, want: RegExp][] = [
    ["nothing", {}, /text: set either text or file$/],
    ["both a text and a file", { text: "a", file: "b" }, /text: set either text or file$/],
    ["a text that is known later", { text: later }, /text: must be a string, known before anything is created/],
    ["an unknown property", { txt: "a" }, /txt: unknown property/],
    [
      "another name of a cluster",
      { text: aManifest(container), overrides: { demo: { name: "other" } } },
      /overrides\.demo\.name: the manifest has the name of the cluster/,
    ],
    ["an unknown override", { text: aManifest(container), overrides: { demo: { sise: 1 } } }, /demo\.sise: unknown/],
    [
      "two clusters that an override brings into one namespace",
      {
        text: twoOfOneName,
        overrides: { "lab/demo": { namespace: "default" } },
      },
      /default\/demo is a duplicate/,
    ],
    ["another wish", { text: "a", unknownFields: "ignore" }, /unknownFields: must be one of "error", "warn"$/],
    [
      "a manifest that is wrong",
      { text: aManifest("size: 0") },
      /\n {2}mine:5:1: .* several in containers\n {2}mine:6:9: spec\.size: 0 must/,
    ],
    ["a file that is not there", { file: "/absent.yaml" }, /\/absent\.yaml:1:1: cannot be read: ENOENT/],
  ];
  for (const [what, args, want] of wrong)
    it(`refuses ${what} before anything is created`, async () => {
      const seen = await mockEngine();
      assert.match(problemOf(args), want);
      assert.deepEqual(seen, []);
    });
});
