import * as assert from "node:assert/strict";
import { object } from "../../../provider/shared/checks";
import { resolveSizing, type Sizing, sizingFields, sizingRules } from "../../../provider/nodepools/sizing";

const fields = object(sizingFields);

/** The number of nodes from arguments as they are given. */
const sizingOf = (args: unknown) => resolveSizing(fields.parse(args));

/** What the rules say, as `path: message`. */
function complaintsOf(args: unknown): string[] {
  const complaints: string[] = [];
  sizingRules(args as object, (path, message) => complaints.push(`${path.join(".")}: ${message}`));
  return complaints;
}

const one = "size: a pool has a fixed size or grows by need; keep size, or autoscale and pairedWith";
const none =
  "size: how many nodes? give size, or autoscale, or the sizes of the MiniCluster as pairedWith: { size, maxSize }";
const tooSmall = (max: number, most: number) =>
  `autoscale.max: max ${max} is below the ${most} nodes that the paired cluster may need; raise it`;

describe("the number of nodes", () => {
  const grows = (min: number, initial: number, max: number): Sizing => ({ isFixed: false, initial, min, max });
  const cases: [name: string, args: object, want: Sizing][] = [
    ["fixed", { size: 4 }, { isFixed: true, initial: 4, min: 4, max: 4 }],
    ["none, fixed", { size: 0 }, { isFixed: true, initial: 0, min: 0, max: 0 }],
    ["by need, from none on", { autoscale: { max: 8 } }, grows(0, 0, 8)],
    ["by need, from the least on", { autoscale: { min: 2, max: 8 } }, grows(2, 2, 8)],
    ["those of a cluster of one pod", { pairedWith: {} }, grows(0, 1, 1)],
    ["those of a cluster of one size", { pairedWith: { size: 3 } }, grows(0, 3, 3)],
    ["those that a cluster starts with, up to its largest", { pairedWith: { size: 3, maxSize: 9 } }, grows(0, 3, 9)],
    ["those of a cluster that may grow from one", { pairedWith: { maxSize: 9 } }, grows(0, 1, 9)],
    ["none, of a cluster that has no pods yet", { pairedWith: { size: 0, maxSize: 9 } }, grows(0, 0, 9)],
    ["none yet, as far as the pool may grow", { pairedWith: { size: 0 }, autoscale: { max: 4 } }, grows(0, 0, 4)],
    [
      "those of a cluster, with room for more",
      { pairedWith: { size: 3, maxSize: 9 }, autoscale: { min: 1, max: 20 } },
      grows(1, 3, 20),
    ],
    [
      "at least the least, whatever the cluster starts with",
      { pairedWith: { size: 3, maxSize: 9 }, autoscale: { min: 5, max: 9 } },
      grows(5, 5, 9),
    ],
  ];
  for (const [name, args, want] of cases)
    it(`is ${name}`, () => {
      assert.deepEqual(complaintsOf(args), []);
      assert.deepEqual(sizingOf(args), want);
    });

  it("never starts above the most", () =>
    assert.equal(resolveSizing({ pairedWith: { size: 5 }, autoscale: { min: 0, max: 3 } }).initial, 3));
});

describe("the rules on the number of nodes", () => {
  const cases: [name: string, args: unknown, want: string[]][] = [
    ["no number at all", {}, [none]],
    ["a size beside autoscale", { size: 2, autoscale: { max: 4 } }, [one]],
    ["a size beside pairedWith", { size: 2, pairedWith: { maxSize: 4 } }, [one]],
    ["a size of none beside pairedWith", { size: 0, pairedWith: { maxSize: 4 } }, [one]],
    ["a size beside both", { size: 2, autoscale: { max: 4 }, pairedWith: { maxSize: 4 } }, [one]],
    [
      "no word on how far, for a cluster that has no pods yet",
      { pairedWith: { size: 0 } },
      ["pairedWith.maxSize: says how far the pool may grow, for a cluster that has no pods yet; add it"],
    ],
    [
      "a least above the most",
      { autoscale: { min: 5, max: 4 } },
      ["autoscale.min: min 5 is above max 4; raise max or lower min"],
    ],
    [
      "a cluster that starts above its largest size",
      { pairedWith: { size: 5, maxSize: 4 } },
      ["pairedWith.size: size 5 is above maxSize 4; raise maxSize or lower size"],
    ],
    [
      "a default size of one above a largest size of none, which is wrong by itself",
      { pairedWith: { maxSize: 0 } },
      ["pairedWith.size: size 1 is above maxSize 0; raise maxSize or lower size"],
    ],
    ["less room than the cluster may need", { autoscale: { max: 3 }, pairedWith: { maxSize: 4 } }, [tooSmall(3, 4)]],
    ["less room than the cluster has", { autoscale: { max: 3 }, pairedWith: { size: 4 } }, [tooSmall(3, 4)]],
    [
      "several things at once",
      { size: 1, autoscale: { min: 9, max: 3 }, pairedWith: { size: 5, maxSize: 4 } },
      [
        one,
        "autoscale.min: min 9 is above max 3; raise max or lower min",
        "pairedWith.size: size 5 is above maxSize 4; raise maxSize or lower size",
        tooSmall(3, 4),
      ],
    ],
    ["nothing of what is no number", { autoscale: { min: "5", max: "4" }, pairedWith: { size: "5", maxSize: [] } }, []],
    ["nothing of what is no object", { autoscale: 4, pairedWith: "cluster" }, []],
    ["nothing of limits that are equal", { autoscale: { min: 4, max: 4 }, pairedWith: { size: 4, maxSize: 4 } }, []],
  ];
  for (const [name, args, want] of cases) it(`speak of ${name}`, () => assert.deepEqual(complaintsOf(args), want));
});
