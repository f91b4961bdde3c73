import assert from "node:assert/strict";
import type { InputProblem } from "../../../provider/shared/errors";
import { readSchema } from "../../../sdk/generator/docs";
import { nameOf } from "../../../sdk/generator/pages/schema";
import { aBurstClusterArgs, aMiniClusterArgs, aStudyArgs } from "../../support/fixtures";
import { aManifest } from "../../support/manifestTexts";
import { burstProblemsOf, manifestProblemsOf, problemsOf, studyProblemsOf } from "../../support/problems";
import { type SchemaPlace, schemaPlaces, withValueAt } from "../../support/schemaPlaces";
import { aksArgs, aksProblems, pools } from "../clouds/nodes/fixtures";
import {
  aGkeLustre,
  aksStorageProblems,
  anAksLustre,
  anFsx,
  eksStorageProblems,
  gkeStorageProblems,
} from "../clouds/storage/fixtures";

// Its one cluster has the name that a place in a map has.
const manifest = aManifest("interactive: true\ncontainers: [{image: a}]").replace("name: demo", "name: key");

/** What each component finds wrong with some arguments, and arguments that it takes. */
const components: Record<string, { args: object; problemsOf: (args: object) => InputProblem[] }> = {
  MiniCluster: { args: aMiniClusterArgs(), problemsOf },
  BurstCluster: { args: aBurstClusterArgs(), problemsOf: burstProblemsOf },
  ...pools,
  AksNodePool: { args: aksArgs({ capacityType: "spot" }), problemsOf: aksProblems },
  EksSharedStorage: { args: anFsx, problemsOf: eksStorageProblems },
  GkeSharedStorage: { args: aGkeLustre, problemsOf: gkeStorageProblems },
  AksSharedStorage: { args: anAksLustre, problemsOf: aksStorageProblems },
  MiniClusterManifest: { args: { text: manifest, overrides: {} }, problemsOf: manifestProblemsOf },
  Study: { args: aStudyArgs(), problemsOf: studyProblemsOf },
};

/** The problem in one place when it has a value, regardless of those around it. */
function reasons(name: string, { keys, path }: SchemaPlace, value: number): string[] {
  const component = components[name]!;
  return component
    .problemsOf(withValueAt(component.args, keys, value) as object)
    .filter(({ propertyPath }) => propertyPath === path)
    .map(({ reason }) => reason);
}

const numbersIn = (name: string, kind: string) => schemaPlaces(name).filter((place) => place.kind === kind);

describe("the numbers of the schema", () => {
  it("are checked in every component that has some", () => {
    const names = Object.keys(readSchema().resources).map(nameOf);
    const withNumbers = names.filter((name) => ["integer", "number"].some((kind) => numbersIn(name, kind).length > 0));
    assert.deepEqual(withNumbers.sort(), Object.keys(components).sort());
  });

  for (const name of Object.keys(components))
    it(`are integers in ${name} where it calls them so, and may have a fraction elsewhere`, () => {
      for (const place of numbersIn(name, "integer"))
        assert.match(
          reasons(name, place, 1.5).join("\n"),
          /^(1\.5 must be an integer |is 1\.5, and this package reads)/m,
          place.path,
        );
      for (const place of numbersIn(name, "number"))
        assert.doesNotMatch(reasons(name, place, 0.5).join(), /integer/, place.path);
    });
});
