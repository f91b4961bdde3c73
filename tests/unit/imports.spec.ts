import * as assert from "node:assert/strict";
import { join } from "node:path";
import { constructionsFrom, type Import, importsOf, readSources } from "../support/imports";

/**
 * The layers of the provider, from the components inwards: a file imports only from its own layer and from those below.
 */
const layers: [layer: string, files: RegExp][] = [
  ["component", /^(index|server|operator)(\/|$)|\/(component|lookup)(\/|$)/],
  ["register", /\/register(\/|$)/],
  ["diagnostics", /(^|\/)diagnostics(\/|$)/],
  ["objects", /^(brokers|clouds)\/(.+\/)?objects(\/|$)/],
  ["flux", /\/flux\//],
  ["parse", /\/(parse|machines|loadBalancer)(\/|$)/],
  ["args", /\/args(\/|$)/],
  ["shared", /^(shared|kubernetes)\//],
];

/** The rooms of the provider, in the same way. */
const rooms = [
  "server",
  "index",
  "operator",
  "minicluster",
  "bursting",
  "brokers",
  "clouds",
  "diagnostics",
  "kubernetes",
  "shared",
];
const roomOf = (file: string) => rooms.indexOf(file.split("/")[0] ?? "");

const layerOf = (file: string) => layers.findIndex(([, files]) => files.test(file));

/** What only the layer register and the files lookup.ts may use when the program runs. */
const providers = ["@pulumi/kubernetes", "@pulumi/random", "@pulumi/aws", "@pulumi/gcp", "@pulumi/azure-native"];

/** Every import or construction that the architecture does not allow, one line each. */
function violations(sources: Map<string, string>): string[] {
  const homeless = [...sources.keys()].filter((file) => layerOf(file) < 0).map((file) => `${file} has no layer`);
  const imports = importsOf(sources);
  const upward = imports
    .filter(({ to }) => sources.has(to))
    .filter(({ from, to }) => layerOf(to) < layerOf(from) || roomOf(to) < roomOf(from))
    .map(({ from, to }) => `${from} imports ${to}, which is above it`);
  const runtime = imports
    .filter(({ from, to, isType }) => !isType && isProvider(to) && !isRegister(from) && !isLookup(from))
    .map(({ from, to }) => `${from} imports ${to} at run time`);
  const created = [...sources]
    .filter(([file]) => !isRegister(file))
    .flatMap(([file, text]) =>
      constructionsFrom(text, isProvider).map((expression) => `${file} creates ${expression}`),
    );
  return [...homeless, ...upward, ...runtime, ...created, ...cycles(sources, imports)];
}

const isRegister = (file: string) => /(^|\/)register(\/|$)/.test(file);
const isLookup = (file: string) => /\/lookup$/.test(file);
const isProvider = (module: string) => providers.some((name) => module === name || module.startsWith(`${name}/`));

/** Files that need each other, be it for a type. */
function cycles(sources: Map<string, string>, imports: Import[]): string[] {
  const edges = imports.filter(({ to }) => sources.has(to));
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
  this.timeout(60_000);

  it("point from the component to the arguments, and resources are created in register.ts alone", () =>
    assert.deepEqual(violations(readSources(join(__dirname, "../../provider"))), []));

  const broken: [name: string, files: Record<string, string>, want: string[]][] = [
    [
      "a builder that registers",
      { "brokers/objects/job": 'import * as k8s from "@pulumi/kubernetes"; new k8s.batch.v1.Job("a");' },
      ["brokers/objects/job imports @pulumi/kubernetes at run time", "brokers/objects/job creates k8s.batch.v1.Job"],
    ],
    [
      "a lookup that registers, however it comes to its provider",
      {
        "clouds/eks/lookup":
          'import aws from "@pulumi/aws"; new aws.ec2.Vpc("a"); const { Vpc, x: [Y] } = await ' +
          'import("@pulumi/aws/ec2"); ' +
          'new Vpc("b"); new Y("c"); const z = require("@pulumi/random") as object; new z.RandomBytes("d"); const ' +
          'load = () => require("@pulumi/gcp"); new (load().X)("e"); new Map();',
      },
      ["aws.ec2.Vpc", "Vpc", "Y", "z.RandomBytes", "(load().X)"].map((name) => `clouds/eks/lookup creates ${name}`),
    ],
    [
      "a cluster that loads a cloud",
      {
        "brokers/register/index": 'import "../../clouds/eks/lookup";',
        "clouds/eks/lookup": 'import("@pulumi/aws");',
      },
      ["brokers/register/index imports clouds/eks/lookup, which is above it"],
    ],
    [
      "a part of a provider, in one of many ways",
      { "brokers/parse/spec": 'export { Job } from "@pulumi/kubernetes/batch/v1"; require("@pulumi/random");' },
      [
        "brokers/parse/spec imports @pulumi/kubernetes/batch/v1 at run time",
        "brokers/parse/spec imports @pulumi/random at run time",
      ],
    ],
    [
      "a spec that imports a manifest, if only its type",
      { "brokers/objects/job": "", "brokers/parse/spec": 'import type { J } from "../objects/job";' },
      ["brokers/parse/spec imports brokers/objects/job, which is above it"],
    ],
    [
      "a room that imports one above it",
      { "brokers/parse/spec": 'import type { A } from "../../bursting/args";', "bursting/args": "" },
      ["brokers/parse/spec imports bursting/args, which is above it"],
    ],
    [
      "two files that need each other",
      { "shared/a": 'import { b } from "./b";', "shared/b": 'const a = await import("./a");' },
      ["shared/a needs itself in the end", "shared/b needs itself in the end"],
    ],
    ["a file in no layer", { "minicluster/helpers": "" }, ["minicluster/helpers has no layer"]],
  ];
  for (const [name, files, want] of broken)
    it(`do not allow ${name}`, () => assert.deepEqual(violations(new Map(Object.entries(files))), want));

  it("may be of types, which are gone when the program runs", () => {
    const files = {
      "brokers/objects/types": 'import type { types } from "@pulumi/kubernetes";',
      "brokers/flux/a":
        'import { type core } from "@pulumi/kubernetes"; type A = import("@pulumi/random").RandomBytes;',
      "clouds/aks/nodes/objects":
        'import type { AgentPoolArgs } from "@pulumi/azure-native/containerservice/agentPool";',
    };
    assert.deepEqual(violations(new Map(Object.entries(files))), []);
  });
});
