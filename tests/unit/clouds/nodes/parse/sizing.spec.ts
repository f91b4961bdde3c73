import * as assert from "node:assert/strict";
import { resolveSizing, sizingFields, sizingRules } from "../../../../../provider/clouds/nodes/parse/sizing";
import { object } from "../../../../../provider/shared/checks";
import { inputProblems } from "../../../../../provider/shared/errors";
import { rules } from "../../../../../provider/shared/rules";
import { validating } from "../../../../support/problems";

const fields = object(sizingFields).check(rules(...sizingRules));

describe("the number of nodes", () => {
  const table: [name: string, args: object, sizes: [initial: number, min: number, max: number]][] = [
    ["a fixed size", { size: 4 }, [4, 4, 4]],
    ["a fixed size of 0", { size: 0 }, [0, 0, 0]],
    ["a max", { autoscale: { max: 8 } }, [0, 0, 8]],
    ["a min equal to max", { autoscale: { min: 8, max: 8 } }, [8, 8, 8]],
    ["a cluster of one", { pairedWith: {} }, [1, 0, 1]],
    ["a cluster with a maxSize", { pairedWith: { size: 3, maxSize: 9 } }, [3, 0, 9]],
    ["a cluster within wider limits", { pairedWith: { size: 3 }, autoscale: { min: 1, max: 20 } }, [3, 1, 20]],
    ["a cluster below min", { pairedWith: { size: 3, maxSize: 9 }, autoscale: { min: 5, max: 9 } }, [5, 5, 9]],
  ];
  for (const [name, args, [initial, min, max]] of table)
    it(`is that of ${name}`, () => {
      const want = { isFixed: "size" in args, initial, min, max };
      assert.deepEqual(resolveSizing(fields.parse(args)), want);
    });
});

describe("the rules on the number of nodes", () => {
  const { rejects, rejectsAll } = validating((args: object) => {
    const { error } = fields.safeParse(args);
    return error ? inputProblems(error) : [];
  });
  rejects({
    "size: set size, autoscale, or pairedWith: { size, maxSize } of the MiniCluster": {},
    "size: a pool has either a fixed size or autoscaling; remove size, or autoscale and…": {
      size: 0,
      pairedWith: { maxSize: 4 },
    },
    "pairedWith.maxSize: is required with size 0, as the limit of the pool; add it": { pairedWith: { size: 0 } },
    "autoscale.max: max 3 is below the 4 nodes that the paired…": { autoscale: { max: 3 }, pairedWith: { size: 4 } },
  });
  rejectsAll({ size: 1, autoscale: { min: 9, max: 3 }, pairedWith: { size: 5, maxSize: 4 } }, [
    "size: a pool has either a fixed size or autoscaling; remove size, or autoscale and pairedWith",
    "autoscale.min: min 9 is above max 3; raise max or lower min",
    "pairedWith.size: size 5 is above maxSize 4; raise maxSize or lower size",
    "autoscale.max: max 3 is below the 4 nodes that the paired cluster may need; raise max",
  ]);
});
