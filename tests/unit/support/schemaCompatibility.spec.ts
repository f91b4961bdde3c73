import assert from "node:assert/strict";
import { parse } from "yaml";
import { breakingChanges, releasedPart, type ReleasedSchema } from "../../support/schemaCompatibility";

const cluster = "p:index:Cluster";
const [pod, phase, status] = ["p:index:Pod", "p:index:Phase", "p:index:Status"];
const plain = { type: "string", plain: true };
const patchRef = "/kubernetes/v4.34.2/schema.json#/types/kubernetes:core%2Fv1:PodPatch";

/** A small package with everything that rules look at: Pod is given, Status is read, and Phase is both. */
const before = parse(`
name: p
version: 1.0.0
language: {nodejs: {packageName: p, respectSchemaVersion: true}, go: {importBasePath: example.com/p}}
resources:
  ${cluster}:
    isComponent: true
    aliases: [{type: "p:index:OldCluster"}]
    inputProperties:
      name: {type: string, plain: true}
      image: {type: string}
      size: {type: integer, plain: true}
      key: {type: string, secret: true}
      pod: {$ref: "#/types/${pod}", plain: true}
      zones: {type: array, items: {type: string}, plain: true}
      labels: {type: object, additionalProperties: {type: string}, plain: true}
      patch: {$ref: "${patchRef}", plain: true}
    requiredInputs: [name, image, zones]
    properties: {host: {type: string}, port: {type: integer}, status: {$ref: "#/types/${status}"}}
    required: [host]
types:
  ${pod}:
    type: object
    properties: {user: {type: string, plain: true}, phase: {$ref: "#/types/${phase}", plain: true}}
    required: [user]
  ${status}: {type: object, properties: {phase: {$ref: "#/types/${phase}"}, ip: {type: string}}, required: [ip]}
  ${phase}: {type: string, enum: [{name: Up, value: up}, {name: Down, value: down}]}
`) as ReleasedSchema;

/** Where the parts of the package are that the changes below begin with. */
const parts: Record<string, string[]> = {
  ...{ given: ["resources", cluster, "inputProperties"], required: ["resources", cluster, "requiredInputs"] },
  ...{ read: ["resources", cluster, "properties"], always: ["resources", cluster, "required"] },
  ...{ cluster: ["resources", cluster], pod: ["types", pod], status: ["types", status], phase: ["types", phase] },
};

/** What breaks when values of the package are others, each at its path; those without one are gone. */
function broken(values: Record<string, unknown>): string[] {
  // A copy in which nothing is shared.
  const after = JSON.parse(JSON.stringify(before)) as ReleasedSchema;
  for (const [place, value] of Object.entries(values)) {
    const [first = "", ...rest] = place.split(".");
    const steps = [...(parts[first] ?? [first]), ...rest];
    const last = steps.pop() ?? "";
    const owner = steps.reduce((tree, step) => tree[step] as Tree, after as unknown as Tree);
    if (value === undefined) delete owner[last];
    else owner[last] = value;
  }
  return breakingChanges(before, after);
}
type Tree = Record<string, unknown>;

const number = { type: "integer" };
const needed = ["name", "image", "zones"];

const breaks: [values: Record<string, unknown>, ...says: string[]][] = [
  [{ name: "q" }, "the package p is now q"],
  [{ "language.nodejs.packageName": "q" }, 'language nodejs: packageName "p" is now "q"'],
  [{ resources: {} }, `resource ${cluster} is gone`],
  [{ "cluster.isComponent": false }, `resource ${cluster} is no longer a component`],
  [{ "cluster.aliases": [{ type: "p:index:Elder" }] }, `resource ${cluster} has no alias p:index:OldCluster any more`],
  [{ "given.size.type": "number" }, `input ${cluster}.size was integer and is number`],
  // Of the next major version of the other provider.
  [
    { "given.patch.$ref": "/kubernetes/v5.0.0/schema.json#/types/k:Patch" },
    `input ${cluster}.patch was ${patchRef.replace(".34.2", "")} and is /kubernetes/v5/schema.json#/types/k:Patch`,
  ],
  [{ required: [...needed, "size"] }, `input ${cluster}.size has become required`],
  // It is a pointer in Go from then on.
  [{ required: ["image", "zones"] }, `input ${cluster}.name has become optional, and is plain`],
  [{ "given.fresh": plain, required: [...needed, "fresh"] }, `input ${cluster}.fresh is new and required`],
  [{ "given.image": plain }, `input ${cluster}.image takes no outputs any more`],
  // Go writes it in another way.
  [{ "given.name.plain": false }, `input ${cluster}.name takes outputs now, and was plain`],
  [{ "given.key.secret": false }, `input ${cluster}.key is no longer secret`],
  [{ "read.port": undefined }, `output ${cluster}.port is gone`],
  [{ always: [] }, `output ${cluster}.host may be missing now`],
  [{ pod: undefined }, `type ${pod} is gone`],
  [{ "pod.properties.user": undefined }, `type ${pod}.user is gone`],
  [{ "status.required": [] }, `type ${status}.ip may be missing now`],
  [{ phase: { type: "string" } }, `type ${phase} is no longer an enum`],
  [{ "phase.enum.1.value": "off" }, `enum ${phase}: the value of Down was "down" and is "off"`],
];

const passes: Record<string, Record<string, unknown>> = {
  nothing: {},
  "a new version": { version: "2.0.0" },
  "a new resource": { "resources.p:index:Other": before.resources?.[cluster] },
  "a new type": { "types.p:index:Other": before.types?.[pod] },
  "a new input that is optional": { "given.fresh": plain },
  "an input that has become optional": { required: ["name", "zones"] },
  "a new output, always there": { "read.fresh": number, always: ["host", "fresh"] },
  "a new choice": { "phase.enum.2": { name: "Idle", value: "idle" } },
  "another provider's type of a newer version": { "given.patch.$ref": patchRef.replace("v4.34.2", "v4.40.0") },
};

describe("a change of a schema", () => {
  for (const [values, ...says] of breaks)
    it(`breaks programs: ${says.join()}`, () => assert.deepEqual(broken(values), says));

  for (const [addition, values] of Object.entries(passes))
    it(`breaks nothing by ${addition}`, () => assert.deepEqual(broken(values), []));
});

describe("the part of a schema that programs depend on", () => {
  it("breaks nothing, and is broken by the same", () => {
    const part = releasedPart(before);
    assert.deepEqual([breakingChanges(before, part), breakingChanges(part, before)], [[], []]);
    assert.equal(breakingChanges(part, { ...part, resources: {}, types: {}, language: {} }).length, 6);
  });

  it("has no descriptions, and nothing that is only for one language's comfort", () => {
    const types = { [pod]: { ...before.types![pod]!, description: "A pod." } };
    const text = JSON.stringify(releasedPart({ ...before, types }));
    assert.doesNotMatch(text, /description|A pod|respectSchemaVersion/);
  });
});
