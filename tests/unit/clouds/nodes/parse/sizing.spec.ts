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
    ["a maxSize", { maxSize: 8 }, [0, 0, 8]],
    ["a minSize equal to maxSize", { minSize: 8, maxSize: 8 }, [8, 8, 8]],
    ["a cluster that may grow", { size: 3, maxSize: 9 }, [3, 0, 9]],
    ["a cluster above minSize", { size: 3, minSize: 1, maxSize: 20 }, [3, 1, 20]],
    ["a cluster without pods, in a pool that is never empty", { size: 0, minSize: 1, maxSize: 9 }, [1, 1, 9]],
  ];
  for (const [name, args, [initial, min, max]] of table)
    it(`is that of ${name}`, () => {
      const want = { isFixed: !("maxSize" in args), initial, min, max };
      assert.deepEqual(resolveSizing(fields.parse(args)), want);
    });
});

describe("the rules on the number of nodes", () => {
  const { rejects, rejectsAll } = validating((args: object) => {
    const { error } = fields.safeParse(args);
    return error ? inputProblems(error) : [];
  });
  rejects({
    "size: set size for a fixed number of nodes, or maxSize for a pool that is autoscaled": {},
    "minSize: is for a pool that is autoscaled; set maxSize, or remove minSize": { size: 2, minSize: 1 },
    "minSize: minSize 9 is above maxSize 3; raise maxSize or lower minSize": { minSize: 9, maxSize: 3 },
    "size: size 5 is above maxSize 4; raise maxSize or lower size": { size: 5, maxSize: 4 },
    "autoscale: autoscale is now minSize and maxSize": { size: 2, autoscale: { min: 1, max: 3 } },
    "pairedWith: pairedWith is now size and maxSize": { size: 2, pairedWith: { size: 2 } },
  });
  rejectsAll({ size: 5, minSize: 9, maxSize: 4 }, [
    "minSize: minSize 9 is above maxSize 4; raise maxSize or lower minSize",
    "size: size 5 is above maxSize 4; raise maxSize or lower size",
  ]);
});
