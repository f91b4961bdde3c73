import * as assert from "node:assert/strict";
import { object } from "../../../provider/shared/checks";
import { inputProblems } from "../../../provider/shared/errors";
import { rules } from "../../../provider/shared/rules";
import { resolveSizing, type Sizing, sizingFields, sizingRules } from "../../../provider/nodepools/sizing";
import { casesOf } from "./cases";

const fields = object(sizingFields).check(rules(...sizingRules));
type Args = Parameters<typeof resolveSizing>[0];

const { itRefuses } = casesOf<Record<keyof Args, unknown>>((args) => {
  const { error } = fields.safeParse(args);
  return error ? inputProblems(error) : [];
});

describe("the number of nodes", () => {
  const fixed = (size: number): Sizing => ({ isFixed: true, initial: size, min: size, max: size });
  const grows = (min: number, initial: number, max: number): Sizing => ({ isFixed: false, initial, min, max });
  const cases: [args: object, want: Sizing][] = [
    [{ size: 4 }, fixed(4)],
    [{ size: 0 }, fixed(0)],
    [{ autoscale: { max: 8 } }, grows(0, 0, 8)],
    [{ autoscale: { min: 8, max: 8 } }, grows(8, 8, 8)],
    [{ pairedWith: {} }, grows(0, 1, 1)],
    [{ pairedWith: { size: 3 } }, grows(0, 3, 3)],
    [{ pairedWith: { size: 3, maxSize: 9 } }, grows(0, 3, 9)],
    [{ pairedWith: { maxSize: 9 } }, grows(0, 1, 9)],
    [{ pairedWith: { size: 0 }, autoscale: { max: 4 } }, grows(0, 0, 4)],
    [{ pairedWith: { size: 3, maxSize: 9 }, autoscale: { min: 1, max: 20 } }, grows(1, 3, 20)],
    [{ pairedWith: { size: 3, maxSize: 9 }, autoscale: { min: 5, max: 9 } }, grows(5, 5, 9)],
  ];
  for (const [args, want] of cases)
    it(`is ${want.initial} of ${want.min} to ${want.max} for ${JSON.stringify(args)}`, () =>
      assert.deepEqual(resolveSizing(fields.parse(args)), want));
});

describe("the rules on the number of nodes", () => {
  const tooMany = "size: a pool of fixed size is not scaled; remove size, or autoscale and pairedWith";
  const minAbove = "autoscale.min: min 9 is above max 3; raise max or lower min";
  const sizeAbove = "pairedWith.size: size 5 is above maxSize 4; raise maxSize or lower size";
  const room = (nodes: number) =>
    `autoscale.max: max 3 is below the ${nodes} nodes that the paired cluster may need; raise max`;
  itRefuses([
    [{}, "size: set size, autoscale, or pairedWith: { size, maxSize } of the MiniCluster"],
    [{ size: 2, autoscale: { max: 4 } }, tooMany],
    [{ size: 0, pairedWith: { maxSize: 4 } }, tooMany],
    [{ pairedWith: { size: 0 } }, "pairedWith.maxSize: is required with size 0, as the limit of the pool; add it"],
    [{ autoscale: { min: 9, max: 3 } }, minAbove],
    [{ pairedWith: { size: 5, maxSize: 4 } }, sizeAbove],
    [{ autoscale: { max: 3 }, pairedWith: { maxSize: 4 } }, room(4)],
    [{ autoscale: { max: 3 }, pairedWith: { size: 4 } }, room(4)],
    [
      { size: 1, autoscale: { min: 9, max: 3 }, pairedWith: { size: 5, maxSize: 4 } },
      tooMany,
      minAbove,
      sizeAbove,
      room(4),
    ],
  ]);
});
