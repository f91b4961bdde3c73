import * as assert from "node:assert/strict";
import { z } from "zod";
import { object } from "../../../provider/shared/checks";
import { forEachItem, onItems, ruleOn, rules } from "../../../provider/shared/rules";

const fields = z.strictObject({
  size: z.number(),
  maxSize: z.number().default(8),
  containers: z.array(z.strictObject({ name: z.string(), ports: z.array(z.number()).default([]) })).default([]),
  labels: z.record(z.string(), z.string()).default({}),
  flux: object({ path: z.string() }).optional(),
});
type Fields = z.output<typeof fields>;

const rule = ruleOn<Fields>();

const sizeRule = rule(["size", "maxSize"], ({ size, maxSize }, addIssue) => {
  if (size > maxSize) addIssue(["size"], `${size} is above ${maxSize}`);
});
const nameRule = rule(["containers[].name"], ({ containers }, addIssue) =>
  forEachItem(containers, ({ name }, index) => {
    if (name === "") addIssue(["containers", index, "name"], "is empty");
  }),
);
const labelRule = rule(["labels[]"], ({ labels }, addIssue) => {
  for (const key of Object.keys(labels)) if (key.startsWith("own/")) addIssue(["labels", key], "is reserved");
});
const countRule = rule(["containers.*.name"], ({ containers }, addIssue) => {
  if (containers.length > 3) addIssue(["containers"], `are ${containers.length}`);
});
const fluxRule = rule(["flux?", "size"], ({ flux, size }, addIssue) => {
  if (flux && size === 0) addIssue(["size"], "is none for flux");
});
const portRules = onItems<Fields, Fields["containers"][number]>(
  "containers",
  ({ containers }) => containers,
  ruleOn<Fields["containers"][number]>()(["ports[]"], ({ ports }, addIssue) =>
    forEachItem(ports, (port, place) => {
      if (port === 1) addIssue(["ports", place], "is one");
    }),
  ),
);

const issuesOf = (value: unknown) =>
  fields
    .check(rules(sizeRule, nameRule, labelRule, countRule, fluxRule, ...portRules))
    .safeParse(value)
    .error?.issues.map(({ path, message, code }) => `${path.join(".")}: ${code === "custom" ? message : code}`);

const item = (name: unknown, ports: unknown[] = []) => ({ name, ports });
const cases: [what: string, given: unknown, want: string[] | undefined][] = [
  ["see parsed values with their defaults", { size: 9 }, ["size: 9 is above 8"]],
  ["find nothing where nothing is wrong", { size: 8, containers: [item("a")] }, undefined],
  [
    "run beside properties of the wrong type, and never see one",
    { size: "9", containers: [item("")] },
    ["size: invalid_type", "containers.0.name: is empty"],
  ],
  [
    "run beside an object that is none",
    { size: 9, flux: "none" },
    ["flux: is a string; must be an object with properties", "size: 9 is above 8"],
  ],
  [
    "go on with the next item, and say what they have found in this one",
    { size: 1, containers: [item("", ["0"]), item(5, [0]), item("")] },
    [
      "containers.0.ports.0: invalid_type",
      "containers.1.name: invalid_type",
      "containers.0.name: is empty",
      "containers.2.name: is empty",
    ],
  ],
  [
    "see the entries of a map without an issue",
    { size: 1, labels: { "own/a": "b", "own/c": 5 } },
    ["labels.own/c: invalid_type", "labels.own/a: is reserved"],
  ],
  [
    "that count the items of a list wait until every one is right",
    { size: 1, containers: [item("a"), item("b"), item("c"), item("d"), item(5)] },
    ["containers.4.name: invalid_type"],
  ],
  [
    "that ask whether an object is given do not mind what is in it",
    { size: 0, flux: { path: 5 } },
    ["flux.path: invalid_type", "size: is none for flux"],
  ],
  [
    "of one item see its other values, and each item of a list in it",
    { size: 1, containers: [item(5, [1, "x", 1])] },
    [
      "containers.0.name: invalid_type",
      "containers.0.ports.1: invalid_type",
      "containers.0.ports.0: is one",
      "containers.0.ports.2: is one",
    ],
  ],
  [
    "run beside an unknown property, which is no value of theirs",
    { size: 9, sizes: 1 },
    [": unrecognized_keys", "size: 9 is above 8"],
  ],
  ["do not run on what is no object", 5, [": invalid_type"]],
];

describe("rules", () => {
  for (const [what, given, want] of cases) it(what, () => assert.deepEqual(issuesOf(given), want));

  it("pass on another error", () => {
    const broken = fields.check(rules(rule(["size"], () => assert.fail("a mistake in a rule"))));
    assert.throws(() => broken.safeParse({ size: 1 }), /a mistake in a rule/);
  });
});
