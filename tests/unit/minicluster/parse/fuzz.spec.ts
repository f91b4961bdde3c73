import * as fc from "fast-check";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { parseMiniClusterArgs } from "../../../../provider/minicluster/parse";
import { manifestsFor } from "../../../support/manifests";
import { allClusters } from "../../../support/everything";
import { placesIn, withValue } from "../../../support/places";

const clusters = fc.constantFrom(...Object.values(allClusters));
const known = Object.values(allClusters).flatMap(placesIn);
const places = fc.constantFrom(...known);
const keys = fc.constantFrom(...new Set(known.flatMap((place) => place.keys)));

/** Values of any type. Those of the wrong place are the best junk: they are right in themselves. */
const { junk } = fc.letrec<{ junk: unknown }>((tie) => ({
  junk: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
    places.map(({ value }) => value),
    places.map(({ value }) => pulumi.output(value)),
    fc.constantFrom<unknown>(NaN, "\0", "'", Symbol("s")),
    fc.constant(undefined).map(() => Promise.resolve(1)),
    fc.array(tie("junk"), { maxLength: 2 }),
    fc.dictionary(keys.map(String), tie("junk"), { maxKeys: 2 }),
  ),
}));

/** The arguments of a cluster with junk in a few places. */
const spoilt = fc
  .tuple(clusters, fc.array(fc.tuple(places, keys, junk), { minLength: 1, maxLength: 6 }))
  .map(([cluster, changes]) =>
    changes.reduce<unknown>(
      (args, [place, key, value]) =>
        typeof args === "object" && args !== null
          ? withValue(args, place.keys.length > 0 ? place.keys : [key], value)
          : args,
      cluster,
    ),
  );

describe("random arguments", () => {
  it("make a cluster or an InputPropertiesError, and nothing else", function () {
    this.timeout(60_000);
    const args = fc.oneof({ weight: 9, arbitrary: spoilt }, { weight: 1, arbitrary: junk });
    fc.assert(fc.property(args, tryToBuild), { numRuns: 2000, seed: 20_261_121 });
  });
});

function tryToBuild(args: unknown): void {
  try {
    manifestsFor(parseMiniClusterArgs("demo", args as MiniClusterArgs));
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
  }
}
