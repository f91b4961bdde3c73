import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import type { MiniClusterArgs } from "../../../../provider";
import { parseMiniClusterArgs } from "../../../support/specs";
import { allClusters } from "../../../support/everything";
import { type Place, placesIn, schemaProperties, withValue } from "../../../support/places";
import { manifestsFor } from "../../../support/manifests";
import { problemsOf, problemsOfParse } from "../../../support/problems";

const junk: Record<string, unknown> = {
  null: null,
  number: -7.5,
  string: "\0 '",
  boolean: true,
  list: [],
  "list of null": [null],
  object: {},
  "object of null": { a: null },
  date: new Date(0),
  function: () => 1,
  "no prototype": Object.create(null) as object,
};
const outputs = { "an output": pulumi.output("a"), "a promise": Promise.resolve("a") };

it("every argument of the schema is in one of the clusters that the tests walk through", () => {
  const given = new Set(Object.values(allClusters).flatMap((args) => placesIn(args).map(({ property }) => property)));
  assert.deepEqual(
    schemaProperties.filter((property) => !given.has(property)),
    [],
  );
});

/** Places that no cluster before has had: properties of one type below the same argument are judged alike. */
const seen = new Set<string>();
function isNew({ keys, property, path }: Place): boolean {
  const place = `${keys[0]} ${typeof keys.at(-1) === "number" ? path.replace(/\d+/g, "") : (property ?? path)}`;
  return !seen.has(place) && seen.add(place) !== undefined;
}

for (const [name, args] of Object.entries(allClusters))
  describe(`arguments of the wrong type in ${name}`, () => {
    // What stands inside a pod template is checked by separate rules.
    const places = placesIn(args).filter((place) => (!place.isFree || place.keys.length === 1) && isNew(place));

    /** The messages at paths with another type. None of the paths that are tried together is within another. */
    const saidAt = (all: Place[], given: unknown) => {
      const levels = [...new Set(all.map(({ keys }) => keys.length))].map((depth) =>
        all.filter(({ keys }) => keys.length === depth),
      );
      const problems = levels.flatMap((level) =>
        problemsOf(level.reduce<unknown>((now, { keys }) => withValue(now, keys, given), args)),
      );
      return ({ path }: Place) => problems.flatMap((each) => (each.propertyPath === path ? each.reason : []));
    };

    /** Places at which something does not hold, all of them at once. */
    const holds = (what: string, all: Place[], check: (place: Place) => boolean) =>
      it(what, () =>
        assert.deepEqual(
          all.filter((place) => !check(place)).map(({ path }) => path),
          [],
        ),
      );

    it("start from arguments of the right type", () => assert.deepEqual(problemsOf(args), []));

    const objects = places.filter(({ value, isMap }) => typeof value === "object" && !Array.isArray(value) && !isMap);
    holds("name a key that is unknown", objects, ({ keys, path }) => {
      const [problem, ...others] = problemsOf(withValue(args, [...keys, "no-such-key"], 1));
      const says = /^(unknown property; correct its name|a pod template has .*;) .*remove it/;
      return others.length === 0 && problem?.propertyPath === `${path}["no-such-key"]` && says.test(problem.reason);
    });

    const choices = places.filter((place) => place.choices);
    const saidAtChoices = saidAt(choices, "no-such-choice");
    holds("list the choices of the schema", choices, (place) => {
      const [reason = ""] = saidAtChoices(place);
      const listed = [...reason.matchAll(/"(.*?)"/g)].map(([, choice]) => choice);
      return reason.startsWith("must be one of ") && listed.sort().join() === [...(place.choices ?? [])].sort().join();
    });

    // A pool is the output of a component with a known value, and no other output.
    const isLate = ({ isLeaf, path }: Place) => isLeaf && !/(^|\.)pool$/.test(path);
    const late = /^must be .*, known before anything is created; this is an output/;
    for (const [what, output] of Object.entries(outputs)) {
      const isTaken = ({ keys }: Place) => problemsOf(withValue(args, keys, output)).length === 0;
      holds(`may be ${what} where the schema says so`, places.filter(isLate), isTaken);
      const others = places.filter((place) => !isLate(place));
      const saidAtOthers = saidAt(others, output);
      holds(`are refused as ${what} elsewhere`, others, (place) => late.test(saidAtOthers(place)[0] ?? ""));
    }

    for (const [kind, given] of Object.entries(junk)) {
      // The name of a cluster has a default, for which null stands as well.
      const differs = ({ path, value }: Place) =>
        kindOf(given) !== kindOf(value) && !(path === "name" && given === null);
      const wrong = places.filter(differs);
      const said = saidAt(wrong, given);
      holds(`are found in their own places, and in words of ours: ${kind}`, wrong, (place) => {
        const reasons = said(place);
        return reasons.length > 0 && !/Invalid|undefined|\[object/.test(reasons.join());
      });
    }
  });

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object" || value === null || value instanceof Date)
    return value instanceof Date ? "date" : typeof value + String(value === null);
  return "object";
}

const known = Object.values(allClusters).flatMap(placesIn);
const somePlaces = fc.constantFrom(...known);

/** Values of any type. Those of the wrong place are the best junk: they are right in themselves. */
const anyJunk = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
  somePlaces.map(({ value }) => value),
  somePlaces.map(({ value }) => pulumi.output(value)),
  fc.array(
    somePlaces.map(({ value }) => value),
    { maxLength: 2 },
  ),
  fc.constantFrom<unknown>(NaN, "\0", "'", Symbol("s"), Promise.resolve(1)),
);

/** The arguments of a cluster with junk in a few places. */
const spoilt = fc
  .tuple(
    fc.constantFrom(...Object.values(allClusters)),
    fc.array(fc.tuple(somePlaces, anyJunk), { minLength: 1, maxLength: 6 }),
  )
  .map(([cluster, changes]) =>
    changes.reduce<unknown>(
      (args, [{ keys }, value]) => (typeof args === "object" && args !== null ? withValue(args, keys, value) : args),
      cluster,
    ),
  );

it("random arguments make a cluster or an InputPropertiesError, and nothing else", function () {
  this.timeout(60_000);
  const args = fc.oneof({ weight: 9, arbitrary: spoilt }, { weight: 1, arbitrary: anyJunk });
  const tryToBuild = (given: unknown) =>
    void problemsOfParse(() => manifestsFor(parseMiniClusterArgs("demo", given as MiniClusterArgs)));
  fc.assert(fc.property(args, tryToBuild), { numRuns: 2000, seed: 20_261_121 });
});
