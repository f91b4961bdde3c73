import * as assert from "node:assert/strict";
import { join } from "node:path";
import { constructionsFrom, importsOf, readSources } from "../support/imports";

/**
 * The parts of the provider, from the component inwards: what stands further down must not know what stands above it. The
 * small texts that names and rules are made of stand by themselves, below both.
 */
const layers: [layer: string, files: RegExp][] = [
  ["package", /^(index|server)$/],
  ["server", /^server\//],
  ["operator component", /^operator\/miniClusterManifest$/],
  ["operator register", /^operator\/register$/],
  ["bursting component", /^bursting\/burstCluster$/],
  ["component", /^minicluster\/(miniCluster|outputs|warnings)$/],
  ["storage component", /^storage\/components$/],
  ["pool component", /^nodepools\/components$/],
  ["pool lookup", /^nodepools\/lookup$/],
  ["register", /^minicluster\/register\/|^(nodepools|storage)\/(\w+\/)?register$/],
  ["operator reader", /^operator\//],
  ["admission", /^minicluster\/admission\//],
  ["objects", /^minicluster\/objects\//],
  ["flux", /^minicluster\/flux\/(?!quote$|hostlist$|curve$)/],
  ["storage", /^storage\//],
  ["pools", /^nodepools\/(?!args$)/],
  ["capacity and hosts", /^minicluster\/(capacity|hosts)$/],
  ["parse", /^minicluster\/parse\/|^bursting\/(?!args$|burstClusterArgs$)/],
  ["names and paths", /^minicluster\/(names|paths|strategicMerge)$/],
  ["text", /^minicluster\/flux\/(quote|hostlist|curve)$/],
  ["args", /^(minicluster\/args(\/|$)|bursting\/(args|burstClusterArgs)$|nodepools\/args$)/],
  ["Kubernetes", /^kubernetes\//],
  ["shared", /^shared\//],
];
const layerOf = (file: string) => layers.findIndex(([, files]) => files.test(file));

/** What only register.ts and lookup.ts may use when the program runs. */
const providers = ["@pulumi/kubernetes", "@pulumi/random", "@pulumi/aws", "@pulumi/gcp", "@pulumi/azure-native"];

/** Every import or construction that the architecture does not allow, one line each. */
function violations(sources: Map<string, string>): string[] {
  const homeless = [...sources.keys()].filter((file) => layerOf(file) < 0).map((file) => `${file} has no layer`);
  const upward = importsOf(sources)
    .filter(({ to }) => sources.has(to))
    .filter(({ from, to }) => layerOf(to) < layerOf(from))
    .map(({ from, to }) => `${from} imports ${to}, which stands above it`);
  const runtime = importsOf(sources)
    .filter(({ from, to, isType }) => !isType && isProvider(to) && !isRegister(from) && !isLookup(from))
    .map(({ from, to }) => `${from} imports ${to} at run time`);
  const created = [...sources]
    .filter(([file]) => !isRegister(file))
    .flatMap(([file, text]) =>
      constructionsFrom(text, isProvider).map((expression) => `${file} creates ${expression}`),
    );
  return [...homeless, ...upward, ...runtime, ...created, ...cycles(sources)];
}

const isRegister = (file: string) => /(^|\/)register(\/|$)/.test(file);
const isLookup = (file: string) => /\/lookup$/.test(file);
const isProvider = (module: string) => providers.some((name) => module === name || module.startsWith(`${name}/`));

/** Files that need each other, be it for a type. */
function cycles(sources: Map<string, string>): string[] {
  const edges = importsOf(sources).filter(({ to }) => sources.has(to));
  const reach = (start: string) => {
    const seen = new Set<string>();
    const queue = [start];
    for (const file of queue) {
      const next = edges.filter(({ from, to }) => from === file && !seen.has(to)).map(({ to }) => to);
      next.forEach((to) => seen.add(to));
      queue.push(...next);
    }
    return seen;
  };
  return [...sources.keys()].filter((file) => reach(file).has(file)).map((file) => `${file} needs itself in the end`);
}

describe("imports", function () {
  this.timeout(20_000);

  it("point from the component to the arguments, and resources are created in register.ts alone", () =>
    assert.deepEqual(violations(readSources(join(__dirname, "../../provider"))), []));

  const broken: [name: string, files: Record<string, string>, want: string[]][] = [
    [
      "a builder that registers",
      { "minicluster/objects/job": 'import * as k8s from "@pulumi/kubernetes"; new k8s.batch.v1.Job("a");' },
      [
        "minicluster/objects/job imports @pulumi/kubernetes at run time",
        "minicluster/objects/job creates k8s.batch.v1.Job",
      ],
    ],
    [
      "a lookup that registers, however it comes to its provider",
      {
        "nodepools/lookup":
          'import aws from "@pulumi/aws"; new aws.ec2.Vpc("a"); const { Vpc, x: [Y] } = await import("@pulumi/aws/ec2"); ' +
          'new Vpc("b"); new Y("c"); const z = require("@pulumi/random") as object; new z.RandomBytes("d"); const load = () => require("@pulumi/gcp"); new (load().X)("e"); new Map();',
      },
      ["aws.ec2.Vpc", "Vpc", "Y", "z.RandomBytes", "(load().X)"].map((name) => `nodepools/lookup creates ${name}`),
    ],
    [
      "a cluster that loads a cloud",
      {
        "minicluster/register/index": 'import "../../nodepools/lookup";',
        "nodepools/lookup": 'import("@pulumi/aws");',
      },
      ["minicluster/register/index imports nodepools/lookup, which stands above it"],
    ],
    [
      "a part of a provider, in one of many ways",
      { "minicluster/parse/spec": 'export { Job } from "@pulumi/kubernetes/batch/v1"; require("@pulumi/random");' },
      [
        "minicluster/parse/spec imports @pulumi/kubernetes/batch/v1 at run time",
        "minicluster/parse/spec imports @pulumi/random at run time",
      ],
    ],
    [
      "a spec that knows a manifest, if only its type",
      { "minicluster/objects/job": "", "minicluster/parse/spec": 'import type { J } from "../objects/job";' },
      ["minicluster/parse/spec imports minicluster/objects/job, which stands above it"],
    ],
    [
      "two files that need each other",
      { "shared/a": 'import { b } from "./b";', "shared/b": 'const a = await import("./a");' },
      ["shared/a needs itself in the end", "shared/b needs itself in the end"],
    ],
    ["a file that nobody has thought of", { "minicluster/helpers": "" }, ["minicluster/helpers has no layer"]],
  ];
  for (const [name, files, want] of broken)
    it(`do not allow ${name}`, () => assert.deepEqual(violations(new Map(Object.entries(files))), want));

  it("may be of types, which are gone when the program runs", () => {
    const files = {
      "minicluster/objects/types": 'import type { types } from "@pulumi/kubernetes";',
      "minicluster/flux/a":
        'import { type core } from "@pulumi/kubernetes"; type A = import("@pulumi/random").RandomBytes;',
      "nodepools/aks/pool": 'import type { AgentPoolArgs } from "@pulumi/azure-native/containerservice/agentPool";',
    };
    assert.deepEqual(violations(new Map(Object.entries(files))), []);
  });
});
