import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { parseMiniClusterArgs } from "../../../../provider/minicluster/parse";
import { manifestsFor } from "../../../support/manifests";
import { allClusters } from "../../../support/everything";
import { placesIn, withValue } from "../../../support/places";

const rounds = 2000;

describe("random arguments", () => {
  it(`make a cluster or an InputPropertiesError, and nothing else, in ${rounds} tries`, function () {
    this.timeout(20_000);
    const random = generator(20_261_121);
    const pick = <T>(items: T[]) => items[Math.floor(random() * items.length)] as T;
    const clusters = Object.values(allClusters);
    const places = clusters.flatMap(placesIn);
    const keys = [...new Set(places.flatMap((place) => place.keys))];
    // Values of the wrong place are the best junk: they are right in themselves.
    const make: (() => unknown)[] = [
      ...[null, undefined, 0, -1, 1e300, NaN, Infinity, "", "a", "\0", "'", true, false, 10n].map(
        (value) => () => value,
      ),
      () => pulumi.output(pick(places).value),
      () => Promise.resolve(1),
      () => Symbol("s"),
      () => Object.create(null) as object,
      () => new Map([["a", 1]]),
      () => pick(places).value,
      () => [pick(make)(), pick(make)()],
      () => ({ [pick(keys)]: pick(make)(), [pick(keys)]: pick(make)() }),
    ];
    for (let round = 0; round < rounds; round++) {
      let args: unknown = random() < 0.9 ? pick(clusters) : pick(make)();
      const changes = Math.ceil(random() * 6);
      for (let change = 0; change < changes && typeof args === "object" && args !== null; change++) {
        const place = pick(places);
        args = withValue(args, place.keys.length > 0 ? place.keys : [pick(keys)], pick(make)());
      }
      tryToBuild(args);
    }
  });
});

function tryToBuild(args: unknown): void {
  try {
    manifestsFor(parseMiniClusterArgs("demo", args as MiniClusterArgs));
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
  }
}

/** Random numbers from 0 to 1 that are the same in every run (mulberry32). */
function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
