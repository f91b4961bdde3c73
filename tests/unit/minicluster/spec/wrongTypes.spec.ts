import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { everything, placesIn, withValue } from "../../../support/everything";
import { problemsOf } from "../../../support/problems";

const places = placesIn(everything);

describe("arguments of the wrong type", () => {
  it("start from arguments of the right type", () => assert.deepEqual(problemsOf(everything), []));

  for (const { path, keys, value, isMap } of places)
    if (typeof value === "object" && !Array.isArray(value) && !isMap)
      it(`names an unknown key in ${path || "the cluster"}`, () =>
        assert.deepEqual(problemsOf(withValue(everything, [...keys, "no-such-key"], 1)), [
          { propertyPath: `${path}["no-such-key"]`, reason: "unknown property; correct its name or remove it" },
        ]));

  const outputs = { "an output": pulumi.output("a"), "a promise": Promise.resolve("a") };
  for (const [what, output] of Object.entries(outputs))
    for (const { path, keys, isLeaf } of places)
      if (isLeaf)
        it(`takes ${what} as ${path}`, () => assert.deepEqual(problemsOf(withValue(everything, keys, output)), []));
      else
        it(`says that ${path || "the whole"} cannot be ${what}`, () => {
          const found = problemsOf(withValue(everything, keys, output)).find((each) => each.propertyPath === path);
          assert.match(found?.reason ?? "", /^must be .*, known before anything is created; this is an output of/);
        });

  const junk: Record<string, unknown> = {
    ...{ null: null, number: -7.5, string: "\0 '", boolean: true, list: [], "list of null": [null], object: {} },
    ...{
      "object of null": { a: null },
      date: new Date(0),
      function: () => 1,
      "no prototype": Object.create(null) as object,
    },
  };
  for (const { path, keys, value } of places) {
    const problem = (given: unknown) => problemsOf(withValue(everything, keys, given));
    it(`finds fault with ${path || "the whole"} in its own place, whatever is given`, () => {
      for (const [name, given] of Object.entries(junk).filter(([, item]) => kindOf(item) !== kindOf(value))) {
        // The name of a cluster has a default, for which null stands as well.
        if (path === "name" && given === null) continue;
        const found = problem(given).filter(({ propertyPath }) => propertyPath === path);
        assert.notEqual(found.length, 0, `${name} is let through, or something else is blamed`);
        assert.doesNotMatch(found.map(({ reason }) => reason).join(), /Invalid|undefined|\[object/, name);
      }
    });
  }
});

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object" || value === null || value instanceof Date)
    return value instanceof Date ? "date" : typeof value + String(value === null);
  return "object";
}
