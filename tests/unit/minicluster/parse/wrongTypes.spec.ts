import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { allClusters } from "../../../support/everything";
import { placesIn, schemaProperties, withValue } from "../../../support/places";
import { problemsOf } from "../../../support/problems";

const junk: Record<string, unknown> = {
  ...{ null: null, number: -7.5, string: "\0 '", boolean: true, list: [], "list of null": [null], object: {} },
  ...{
    "object of null": { a: null },
    date: new Date(0),
    function: () => 1,
    "no prototype": Object.create(null) as object,
  },
};
const outputs = { "an output": pulumi.output("a"), "a promise": Promise.resolve("a") };

describe("every argument of the schema", () => {
  it("is in one of the clusters that the tests walk through", () => {
    const given = new Set(Object.values(allClusters).flatMap((args) => placesIn(args).map(({ property }) => property)));
    assert.deepEqual(
      schemaProperties.filter((property) => !given.has(property)),
      [],
    );
  });
});

for (const [name, args] of Object.entries(allClusters))
  describe(`arguments of the wrong type in ${name}`, () => {
    // What stands inside a pod template is judged by rules of its own.
    const places = placesIn(args).filter(({ isFree, keys }) => !isFree || keys.length === 1);

    it("start from arguments of the right type", () => assert.deepEqual(problemsOf(args), []));

    for (const { path, keys, value, isMap } of places)
      if (typeof value === "object" && !Array.isArray(value) && !isMap)
        it(`names an unknown key in ${path || "the cluster"}`, () => {
          const [problem, ...others] = problemsOf(withValue(args, [...keys, "no-such-key"], 1));
          assert.deepEqual(others, []);
          assert.equal(problem?.propertyPath, `${path}["no-such-key"]`);
          assert.match(problem.reason, /^(unknown property; correct its name|a pod template has .*;) .*remove it/);
        });

    for (const [what, output] of Object.entries(outputs))
      for (const { path, keys, isLeaf } of places)
        // A pool is the output of a component that knows what it stands for, and no other output.
        if (isLeaf && !/(^|\.)pool$/.test(path))
          it(`takes ${what} as ${path}`, () => assert.deepEqual(problemsOf(withValue(args, keys, output)), []));
        else
          it(`says that ${path || "the whole"} cannot be ${what}`, () => {
            const found = problemsOf(withValue(args, keys, output)).find((each) => each.propertyPath === path);
            assert.match(found?.reason ?? "", /^must be .*, known before anything is created; this is an output/);
          });

    for (const { path, keys, value } of places)
      it(`finds fault with ${path || "the whole"} in its own place, whatever is given`, () => {
        for (const [kind, given] of Object.entries(junk).filter(([, item]) => kindOf(item) !== kindOf(value))) {
          // The name of a cluster has a default, for which null stands as well.
          if (path === "name" && given === null) continue;
          const problems = problemsOf(withValue(args, keys, given));
          const found = problems.filter(({ propertyPath }) => propertyPath === path);
          assert.notEqual(found.length, 0, `${kind} is let through, or something else is blamed`);
          assert.doesNotMatch(found.map(({ reason }) => reason).join(), /Invalid|undefined|\[object/, kind);
        }
      });
  });

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object" || value === null || value instanceof Date)
    return value instanceof Date ? "date" : typeof value + String(value === null);
  return "object";
}
