import * as assert from "node:assert/strict";
import { resolveSizing, sizingFields, sizingRules } from "../../../../../provider/clouds/nodes/parse/sizing";
import { object } from "../../../../../provider/shared/checks";
import { inputProblems } from "../../../../../provider/shared/errors";
import { rules } from "../../../../../provider/shared/rules";
import { casesOf, itJudges, valueIn } from "../../../../support/cases";

const fields = object(sizingFields).check(rules(...sizingRules));

describe("the number of nodes", () => {
  const table = `
size: 4
  {isFixed: true, initial: 4, min: 4, max: 4}
size: 0
  {isFixed: true, initial: 0, min: 0, max: 0}
autoscale: {max: 8}
  {isFixed: false, initial: 0, min: 0, max: 8}
autoscale: {min: 8, max: 8}
  {isFixed: false, initial: 8, min: 8, max: 8}
pairedWith: {}
  {isFixed: false, initial: 1, min: 0, max: 1}
pairedWith: {size: 3, maxSize: 9}
  {isFixed: false, initial: 3, min: 0, max: 9}
{pairedWith: {size: 3}, autoscale: {min: 1, max: 20}}
  {isFixed: false, initial: 3, min: 1, max: 20}
{pairedWith: {size: 3, maxSize: 9}, autoscale: {min: 5, max: 9}}
  {isFixed: false, initial: 5, min: 5, max: 9}
`;
  for (const { title, given, want } of casesOf(table))
    it(`is ${want.join()} for ${title}`, () =>
      assert.deepEqual(resolveSizing(fields.parse(valueIn(given))), valueIn(want.join())));
});

describe("the rules on the number of nodes", () => {
  itJudges(
    `
{}
  size: set size, autoscale, or pairedWith: { size, maxSize } of the MiniCluster
{size: 0, pairedWith: {maxSize: 4}}
  size: a pool of fixed size is not scaled; remove size, or autoscale and pairedWith
pairedWith: {size: 0}
  pairedWith.maxSize: is required with size 0, as the limit of the pool; add it
{autoscale: {max: 3}, pairedWith: {size: 4}}
  autoscale.max: max 3 is below the 4 nodes that the paired cluster may need; raise max
{size: 1, autoscale: {min: 9, max: 3}, pairedWith: {size: 5, maxSize: 4}}
  size: a pool of fixed size is not scaled; remove size, or autoscale and pairedWith
  autoscale.min: min 9 is above max 3; raise max or lower min
  pairedWith.size: size 5 is above maxSize 4; raise maxSize or lower size
  autoscale.max: max 3 is below the 4 nodes that the paired cluster may need; raise max
`,
    (args) => {
      const { error } = fields.safeParse(args);
      return error ? inputProblems(error) : [];
    },
  );
});
