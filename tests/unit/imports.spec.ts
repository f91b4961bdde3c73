import * as assert from "node:assert/strict";
import { join } from "node:path";
import { type Import, importsOf, readSources } from "../support/imports";

/**
 * The layers of the provider, from the components inwards: a file imports only from its own layer and from those below.
 */
const layers: [layer: string, files: RegExp][] = [
  ["component", /^(index|server|operator)(\/|$)|\/(component|cluster|features|lookup(Price)?)(\/|$)/],
  ["register", /\/register(\/|$)|^\w+\/feature$/],
  ["diagnostics", /(^|\/)diagnostics(\/|$)/],
  ["objects", /\/objects(\/|$)|^study\/results\//],
  ["flux", /\/(flux|programs)\/|^console\/page\//],
  ["parse", /\/(parse|fields|names|rules|spec|jobs|maxPriceRule|machines|loadBalancer)(\/|$)/],
  ["args", /\/args(\/|$)/],
];

/** The rooms above those of the features, and the rooms below them, in the same way. */
const above = ["server", "index", "operator", "study", "minicluster"];
const below = ["core", "clouds", "diagnostics", "shared"];

const roomOf = (file: string) => file.split("/")[0] ?? "";

/** Place of a room. The rooms of the features have one place, and import each other without a circle. */
function placeOf(room: string): number {
  const [first, last] = [above.indexOf(room), below.indexOf(room)];
  if (first >= 0) return first;
  return last < 0 ? above.length : above.length + 1 + last;
}

const layerOf = (file: string) =>
  file.startsWith("shared/") ? layers.length : layers.findIndex(([, files]) => files.test(file));

/** What only the layer register and the files lookup.ts and lookupPrice.ts may use when the program runs. */
const providers = ["@pulumi/kubernetes", "@pulumi/random", "@pulumi/aws", "@pulumi/gcp", "@pulumi/azure-native"];

/** Every import or construction that the architecture does not allow, one line each. */
function violations(sources: Map<string, string>): string[] {
  const homeless = [...sources.keys()].filter((file) => layerOf(file) < 0).map((file) => `${file} has no layer`);
  const imports = importsOf(sources);
  const upward = imports
    .filter(({ to }) => sources.has(to))
    .filter(({ from, to }) => layerOf(to) < layerOf(from) || placeOf(roomOf(to)) < placeOf(roomOf(from)))
    .map(({ from, to }) => `${from} imports ${to}, which is above it`);
  const runtime = imports
    .filter(({ from, to, isType }) => !isType && isProvider(to) && !isRegister(from) && !isLookup(from))
    .map(({ from, to }) => `${from} imports ${to} at run time`);
  const created = [...sources]
    .filter(([file, text]) => isLookup(file) && /\bnew (?!Map|Set|Error|Date|URLSearchParams)/.test(text))
    .map(([file]) => `${file} creates something`);
  const features = betweenFeatures(imports.filter(({ to }) => sources.has(to)));
  const rooms = new Map(features.flatMap(({ from, to }) => [from, to]).map((room) => [room, ""]));
  return [...homeless, ...upward, ...runtime, ...created, ...cycles(sources, imports), ...cycles(rooms, features)];
}

const isRegister = (file: string) => /(^|\/)register(\/|$)/.test(file);
const isLookup = (file: string) => /\/lookup(Price)?$/.test(file);
const isProvider = (module: string) => providers.some((name) => module === name || module.startsWith(`${name}/`));

/** The imports between the rooms of the features, as imports of two files. */
const betweenFeatures = (imports: Import[]): Import[] =>
  imports
    .map(({ from, to, isType }) => ({ from: roomOf(from), to: roomOf(to), isType }))
    .filter(({ from, to }) => from !== to && [from, to].every((room) => placeOf(room) === above.length));

/** Files that need each other, be it for a type. */
function cycles(sources: Map<string, string>, imports: Import[]): string[] {
  const own = imports.filter(({ to }) => sources.has(to));
  const needs = new Map([...sources.keys()].map((file) => [file, own.filter(({ from }) => from === file)]));
  const reach = (start: string) => {
    const seen = new Set<string>();
    const next = (file: string) => (needs.get(file) ?? []).filter(({ to }) => !seen.has(to));
    for (let files = [start]; files.length > 0;)
      files = files.flatMap((file) => next(file).map(({ to }) => (seen.add(to), to)));
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
      { "core/objects/job": 'import * as k8s from "@pulumi/kubernetes"; new k8s.batch.v1.Job("a");' },
      ["core/objects/job imports @pulumi/kubernetes at run time"],
    ],
    [
      "two files that need each other, one below the other",
      { "core/flux/b": 'import type { A } from "../parse/a";', "core/parse/a": 'await import("../flux/b");' },
      [
        "core/parse/a imports core/flux/b, which is above it",
        ...["core/flux/b", "core/parse/a"].map((file) => `${file} needs itself in the end`),
      ],
    ],
    [
      "two features that need each other",
      {
        "console/objects": 'import "../metrics/fields";',
        "console/fields": "",
        "metrics/objects": 'import "../console/fields";',
        "metrics/fields": "",
      },
      ["console needs itself in the end", "metrics needs itself in the end"],
    ],
  ];
  for (const [name, files, want] of broken)
    it(`do not allow ${name}`, () => assert.deepEqual(violations(new Map(Object.entries(files))), want));
});
