import * as assert from "node:assert/strict";
import { resolveSizing, sizingFields, sizingRules } from "../../../../../provider/clouds/nodes/parse/sizing";
import { object } from "../../../../../provider/shared/checks";
import { inputProblems } from "../../../../../provider/shared/errors";
import { rules } from "../../../../../provider/shared/rules";
import { validating } from "../../../../support/problems";

const fields = object(sizingFields).check(rules(...sizingRules));

describe("the number of nodes", () => {
  const table = [
    { name: "a fixed size", args: { size: 4 }, want: { isFixed: true, initial: 4, min: 4, max: 4 } },
    { name: "a fixed size of 0", args: { size: 0 }, want: { isFixed: true, initial: 0, min: 0, max: 0 } },
    { name: "a max", args: { autoscale: { max: 8 } }, want: { isFixed: false, initial: 0, min: 0, max: 8 } },
    {
      ...{ name: "a min equal to max", args: { autoscale: { min: 8, max: 8 } } },
      want: { isFixed: false, initial: 8, min: 8, max: 8 },
    },
    { name: "a cluster of one", args: { pairedWith: {} }, want: { isFixed: false, initial: 1, min: 0, max: 1 } },
    {
      ...{ name: "a cluster with a maxSize", args: { pairedWith: { size: 3, maxSize: 9 } } },
      want: { isFixed: false, initial: 3, min: 0, max: 9 },
    },
    {
      ...{ name: "a cluster within wider limits", args: { pairedWith: { size: 3 }, autoscale: { min: 1, max: 20 } } },
      want: { isFixed: false, initial: 3, min: 1, max: 20 },
    },
    {
      ...{ name: "a cluster below min", args: { pairedWith: { size: 3, maxSize: 9 }, autoscale: { min: 5, max: 9 } } },
      want: { isFixed: false, initial: 5, min: 5, max: 9 },
    },
  ];
  for (const { name, args, want } of table)
    it(`is that of ${name}`, () => assert.deepEqual(resolveSizing(fields.parse(args)), want));
});

describe("the rules on the number of nodes", () => {
  const { rejects, rejectsAll } = validating((args: object) => {
    const { error } = fields.safeParse(args);
    return error ? inputProblems(error) : [];
  });
  rejects({
    "size: set size, autoscale, or pairedWith: { size, maxSize } of the MiniCluster": {},
    "size: a pool of fixed size is not scaled; remove size, or autoscale and pairedWith": {
      ...{ size: 0, pairedWith: { maxSize: 4 } },
    },
    "pairedWith.maxSize: is required with size 0, as the limit of the pool; add it": { pairedWith: { size: 0 } },
    "autoscale.max: max 3 is below the 4 nodes that the paired cluster may need; raise max": {
      ...{ autoscale: { max: 3 }, pairedWith: { size: 4 } },
    },
  });
  rejectsAll({ size: 1, autoscale: { min: 9, max: 3 }, pairedWith: { size: 5, maxSize: 4 } }, [
    "size: a pool of fixed size is not scaled; remove size, or autoscale and pairedWith",
    "autoscale.min: min 9 is above max 3; raise max or lower min",
    "pairedWith.size: size 5 is above maxSize 4; raise maxSize or lower size",
    "autoscale.max: max 3 is below the 4 nodes that the paired cluster may need; raise max",
  ]);
});
