import assert from "node:assert/strict";
import {
  breakingChanges,
  releasedPart,
  type ReleasedResource,
  type ReleasedSchema,
  type ReleasedType,
} from "../../support/schemaCompatibility";

const cluster = "p:index:Cluster";
const [pod, phase, status] = ["p:index:Pod", "p:index:Phase", "p:index:Status"];
const plain = { type: "string", plain: true };
const podRef = { $ref: `#/types/${pod}`, plain: true };
const patchRef = "/kubernetes/v4.34.2/schema.json#/types/kubernetes:core%2Fv1:PodPatch";

/** A small package with everything that rules look at: Pod is given, Status is read, and Phase is both. */
const before: ReleasedSchema = {
  ...{ name: "p", version: "1.0.0" },
  language: { nodejs: { packageName: "p", respectSchemaVersion: true }, go: { importBasePath: "example.com/p" } },
  resources: {
    [cluster]: {
      isComponent: true,
      aliases: [{ type: "p:index:OldCluster" }],
      inputProperties: {
        name: plain,
        image: { type: "string" },
        size: { type: "integer", plain: true },
        key: { type: "string", secret: true },
        pod: podRef,
        zones: { type: "array", items: { type: "string" }, plain: true },
        labels: { type: "object", additionalProperties: { type: "string" }, plain: true },
        patch: { $ref: patchRef, plain: true },
      },
      requiredInputs: ["name", "image", "zones"],
      properties: { host: { type: "string" }, port: { type: "integer" }, status: { $ref: `#/types/${status}` } },
      required: ["host"],
    },
  },
  types: {
    [pod]: {
      type: "object",
      properties: { user: plain, phase: { $ref: `#/types/${phase}`, plain: true } },
      required: ["user"],
    },
    [status]: {
      type: "object",
      properties: { phase: { $ref: `#/types/${phase}` }, ip: { type: "string" } },
      required: ["ip"],
    },
    [phase]: {
      type: "string",
      enum: [
        { name: "Up", value: "up" },
        { name: "Down", value: "down" },
      ],
    },
  },
};

type Change = (parts: {
  schema: ReleasedSchema;
  cluster: Required<ReleasedResource>;
  types: Record<string, Required<ReleasedType>>;
}) => void;

/** What breaks when something of the package is changed. */
function broken(change: Change): string[] {
  const after = structuredClone(before);
  const parts = after as unknown as { resources: Record<string, Required<ReleasedResource>> };
  change({
    schema: after,
    cluster: parts.resources[cluster]!,
    types: after.types as Record<string, Required<ReleasedType>>,
  });
  return breakingChanges(before, after);
}

const breaks: [rule: string, change: Change, ...says: string[]][] = [
  ["another name of the package", ({ schema }) => (schema.name = "q"), "the package p is now q"],
  [
    "another name of the package in a language",
    ({ schema }) => (schema.language!["nodejs"]!["packageName"] = "q"),
    'language nodejs: packageName "p" is now "q"',
  ],
  [
    "a name in a language that is no longer said",
    ({ schema }) => delete schema.language!["go"],
    'language go: importBasePath "example.com/p" is now unset',
  ],
  [
    "a name in a language that is said for the first time",
    ({ schema }) => (schema.language!["csharp"] = { rootNamespace: "Q" }),
    'language csharp: rootNamespace unset is now "Q"',
  ],
  ["a resource that is gone", ({ schema }) => (schema.resources = {}), `resource ${cluster} is gone`],
  [
    "a resource that is no component any more",
    (parts) => (parts.cluster.isComponent = false),
    `resource ${cluster} is no longer a component`,
  ],
  [
    "an alias that is gone",
    (parts) => (parts.cluster.aliases = [{ type: "p:index:Elder" }]),
    `resource ${cluster} has no alias p:index:OldCluster any more`,
  ],
  ["an input that is gone", (parts) => delete parts.cluster.inputProperties["image"], `input ${cluster}.image is gone`],
  [
    "an input of another type",
    (parts) => (parts.cluster.inputProperties["size"] = { type: "number", plain: true }),
    `input ${cluster}.size was integer and is number`,
  ],
  [
    "an input that refers to another type",
    (parts) => (parts.cluster.inputProperties["pod"] = { $ref: `#/types/${status}`, plain: true }),
    `input ${cluster}.pod was #/types/${pod} and is #/types/${status}`,
  ],
  [
    "another type inside a list and inside a map",
    (parts) => {
      parts.cluster.inputProperties["zones"]!.items = { type: "integer" };
      parts.cluster.inputProperties["labels"]!.additionalProperties = { type: "integer" };
    },
    `input ${cluster}.zones was list of string and is list of integer`,
    `input ${cluster}.labels was map of string and is map of integer`,
  ],
  [
    "another provider's type of its next major version",
    (parts) => (parts.cluster.inputProperties["patch"]!.$ref = "/kubernetes/v5.0.0/schema.json#/types/k:Patch"),
    `input ${cluster}.patch was /kubernetes/v4/schema.json#/types/kubernetes:core%2Fv1:PodPatch ` +
      "and is /kubernetes/v5/schema.json#/types/k:Patch",
  ],
  [
    "an input that has become required",
    (parts) => parts.cluster.requiredInputs.push("size"),
    `input ${cluster}.size has become required`,
  ],
  [
    "a plain input that has become optional, a pointer in Go",
    (parts) => (parts.cluster.requiredInputs = ["image", "zones"]),
    `input ${cluster}.name has become optional, and is plain`,
  ],
  [
    "a new input that is required",
    (parts) => {
      parts.cluster.inputProperties["fresh"] = plain;
      parts.cluster.requiredInputs.push("fresh");
    },
    `input ${cluster}.fresh is new and required`,
  ],
  [
    "an input that has become plain",
    (parts) => (parts.cluster.inputProperties["image"] = plain),
    `input ${cluster}.image takes no outputs any more`,
  ],
  [
    "an input that is plain no more, which Go writes in another way",
    (parts) => (parts.cluster.inputProperties["name"] = { type: "string" }),
    `input ${cluster}.name takes outputs now, and was plain`,
  ],
  [
    "what has become plain inside a list and inside a map",
    (parts) => {
      parts.cluster.inputProperties["zones"]!.items = plain;
      parts.cluster.inputProperties["labels"]!.additionalProperties = plain;
    },
    `input ${cluster}.zones[] takes no outputs any more`,
    `input ${cluster}.labels.* takes no outputs any more`,
  ],
  [
    "an input that is no secret any more",
    (parts) => (parts.cluster.inputProperties["key"] = { type: "string" }),
    `input ${cluster}.key is no longer secret`,
  ],
  ["an output that is gone", (parts) => delete parts.cluster.properties["port"], `output ${cluster}.port is gone`],
  [
    "an output of another type",
    (parts) => (parts.cluster.properties["port"] = { type: "string" }),
    `output ${cluster}.port was integer and is string`,
  ],
  [
    "an output that may be missing now",
    (parts) => (parts.cluster.required = []),
    `output ${cluster}.host may be missing now`,
  ],
  [
    "an output that is always there now, no pointer in Go any more",
    (parts) => parts.cluster.required.push("port"),
    `output ${cluster}.port is always there now`,
  ],
  ["a type that is gone", ({ types }) => delete types[pod], `type ${pod} is gone`],
  [
    "a property of a type that is gone",
    ({ types }) => delete types[pod]!.properties["user"],
    `type ${pod}.user is gone`,
  ],
  [
    "a property of what is given that has become required",
    ({ types }) => types[pod]!.required.push("phase"),
    `type ${pod}.phase has become required`,
  ],
  [
    "a new property of what is given that is required",
    ({ types }) => {
      types[pod]!.properties["fresh"] = plain;
      types[pod]!.required.push("fresh");
    },
    `type ${pod}.fresh is new and required`,
  ],
  [
    "a property of what is given that is plain no more",
    ({ types }) => (types[pod]!.properties["user"] = { type: "string" }),
    `type ${pod}.user takes outputs now, and was plain`,
  ],
  [
    "a property of what is read that may be missing now",
    ({ types }) => (types[status]!.required = []),
    `type ${status}.ip may be missing now`,
  ],
  [
    "an enum that is none any more",
    ({ types }) => (types[phase] = { type: "string" } as (typeof types)[string]),
    `type ${phase} is no longer an enum`,
  ],
  [
    "an enum of another type",
    ({ types }) => (types[phase]!.type = "integer"),
    `type ${phase} was string and is integer`,
  ],
  ["a choice that is gone", ({ types }) => types[phase]!.enum.pop(), `enum ${phase} has no Down ("down") any more`],
  [
    "a choice with another name",
    ({ types }) => (types[phase]!.enum[1]!.name = "Off"),
    `enum ${phase} has no Down ("down") any more`,
  ],
  [
    "a choice with another value",
    ({ types }) => (types[phase]!.enum[1]!.value = "off"),
    `enum ${phase}: the value of Down was "down" and is "off"`,
  ],
];

const passes: [addition: string, change: Change][] = [
  ["nothing", () => undefined],
  ["a new version", ({ schema }) => (schema.version = "2.0.0")],
  ["a setting of a language that is in no program", ({ schema }) => (schema.language!["nodejs"]!["readme"] = "text")],
  ["a new resource", ({ schema, cluster: own }) => (schema.resources!["p:index:Other"] = own)],
  ["a new type", ({ types }) => (types["p:index:Other"] = types[pod]!)],
  ["a new input that is optional", (parts) => (parts.cluster.inputProperties["fresh"] = plain)],
  ["an input that has become optional", (parts) => (parts.cluster.requiredInputs = ["name", "zones"])],
  ["a list that has become optional", (parts) => (parts.cluster.requiredInputs = ["name", "image"])],
  [
    "an input that is a secret now",
    (parts) => (parts.cluster.inputProperties["image"] = { type: "string", secret: true }),
  ],
  [
    "a new output, always there",
    (parts) => {
      parts.cluster.properties["fresh"] = { type: "string" };
      parts.cluster.required.push("fresh");
    },
  ],
  ["a new alias", (parts) => parts.cluster.aliases.push({ type: "p:index:Elder" })],
  ["a new property of a type that is optional", ({ types }) => (types[pod]!.properties["fresh"] = plain)],
  [
    "a new property of what is read, always there",
    ({ types }) => {
      types[status]!.properties["fresh"] = { type: "string" };
      types[status]!.required.push("fresh");
    },
  ],
  ["what is plain of what is read", ({ types }) => (types[status]!.properties["ip"] = plain)],
  ["a new choice", ({ types }) => types[phase]!.enum.push({ name: "Idle", value: "idle" })],
  [
    "another provider's type of a newer version",
    (parts) => (parts.cluster.inputProperties["patch"]!.$ref = patchRef.replace("v4.34.2", "v4.40.0")),
  ],
];

describe("a change of a schema", () => {
  for (const [rule, change, ...says] of breaks)
    it(`breaks programs by ${rule}`, () => assert.deepEqual(broken(change), says));

  for (const [addition, change] of passes)
    it(`breaks nothing by ${addition}`, () => assert.deepEqual(broken(change), []));
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
