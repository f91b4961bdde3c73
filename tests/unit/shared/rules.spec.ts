import * as assert from "node:assert/strict";
import { z } from "zod";
import { object } from "../../../provider/shared/checks";
import { forEachItem, prefixPath, type Rule, rules } from "../../../provider/shared/rules";

const fields = z.strictObject({
  size: z.number(),
  maxSize: z.number().default(8),
  containers: z.array(z.strictObject({ name: z.string(), ports: z.array(z.number()).default([]) })).default([]),
  flux: object({ path: z.string() }).optional(),
});
type Fields = z.output<typeof fields>;

const sizeRule: Rule<Fields> = ({ size, maxSize }, addIssue) => {
  if (size > maxSize) addIssue(["size"], `${size} is above ${maxSize}`);
};
const nameRule: Rule<Fields> = ({ containers }, addIssue) =>
  forEachItem(containers, ({ name, ports }, index) => {
    const addContainerIssue = prefixPath(addIssue, "containers", index);
    if (name === "") addContainerIssue(["name"], "is empty");
    if (ports.includes(0)) addContainerIssue(["ports"], "has a zero");
  });

const issuesOf = (value: unknown) =>
  fields
    .check(rules(sizeRule, nameRule))
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
      ...["containers.0.ports.0: invalid_type", "containers.1.name: invalid_type"],
      ...["containers.0.name: is empty", "containers.2.name: is empty"],
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

  it("pass on an error of their own", () => {
    const broken = fields.check(rules(() => assert.fail("a mistake in a rule")));
    assert.throws(() => broken.safeParse({ size: 1 }), /a mistake in a rule/);
  });
});
