import assert from "node:assert/strict";
import { readSchema } from "../../../sdk/generator/docs";
import { nameOf, type PropertySchema, tokenOf } from "../../../sdk/generator/pages/schema";
import { type InputProblem, pathOf as innerPath } from "../../../provider/shared/errors";
import { aBurstClusterArgs, aMiniClusterArgs } from "../../support/fixtures";
import { problemsOf } from "../../support/problems";
import { problemsOf as burstProblemsOf } from "../bursting/problems";
import { aksArgs, aksProblems } from "../nodepools/aks/fixtures";
import { anEksPoolArgs, eksProblemsOf } from "../nodepools/eks/fixtures";
import { aGkePoolArgs, gkeProblemsOf } from "../nodepools/gke/fixtures";

const schema = readSchema();

/** What each component finds wrong with some arguments, and arguments that it takes. A manifest is read from a text. */
const components: Record<string, { args: object; problems: (args: object) => InputProblem[] }> = {
  MiniCluster: { args: aMiniClusterArgs(), problems: problemsOf },
  BurstCluster: { args: aBurstClusterArgs(), problems: burstProblemsOf },
  EksNodePool: { args: anEksPoolArgs(), problems: eksProblemsOf },
  GkeNodePool: { args: aGkePoolArgs(), problems: gkeProblemsOf },
  AksNodePool: { args: aksArgs({ capacity: "spot" }), problems: (args) => aksProblems(args) },
};

/** Keys that lead to every number of some kind: the first item of each list, and a key of each map. */
function numbersIn(properties: Record<string, PropertySchema>, kind: string, keys: Key[] = []): Key[][] {
  return Object.entries(properties).flatMap(([name, property]) => numbersAt(property, kind, [...keys, name]));
}

type Key = string | number;

function numbersAt(property: PropertySchema, kind: string, keys: Key[]): Key[][] {
  if (property.items) return numbersAt(property.items, kind, [...keys, 0]);
  if (property.additionalProperties) return numbersAt(property.additionalProperties, kind, [...keys, "key"]);
  const token = tokenOf(property);
  if (token !== undefined) return numbersIn(schema.types[token]?.properties ?? {}, kind, keys);
  return property.type === kind ? [keys] : [];
}

const inputsOf = (name: string) => schema.resources[`minicluster:index:${name}`]?.inputProperties ?? {};

const pathOf = (keys: Key[]) => keys.reduce<string>(innerPath, "");

/** A copy of some arguments with a number in one place, and with what has to be around it. */
function withNumber(data: unknown, [key, ...rest]: Key[], value: number): unknown {
  if (key === undefined) return value;
  const copy = (typeof key === "number" ? [...((data ?? []) as unknown[])] : { ...(data as object) }) as Record<
    Key,
    unknown
  >;
  copy[key] = withNumber(copy[key], rest, value);
  return copy;
}

/** What is wrong in one place when it has a value, whatever is wrong around it. */
function reasons(name: string, keys: Key[], value: number): string[] {
  const { args, problems } = components[name]!;
  return problems(withNumber(args, keys, value) as object)
    .filter(({ propertyPath }) => propertyPath === pathOf(keys))
    .map(({ reason }) => reason);
}

describe("the numbers of the schema", () => {
  it("are asked for in every component that has some", () => {
    const withNumbers = Object.entries(schema.resources)
      .map(([token, { inputProperties }]) => ({ name: nameOf(token), inputProperties }))
      .filter(({ inputProperties: all }) => [...numbersIn(all, "integer"), ...numbersIn(all, "number")].length > 0);
    assert.deepEqual(withNumbers.map(({ name }) => name).sort(), Object.keys(components).sort());
  });

  for (const name of Object.keys(components)) {
    for (const keys of numbersIn(inputsOf(name), "integer"))
      it(`are integers where it calls them so: ${name} ${pathOf(keys)}`, () =>
        assert.match(
          reasons(name, keys, 1.5).join("\n"),
          /^(1\.5 must be an integer |is 1\.5, and this package reads)/m,
        ));

    for (const keys of numbersIn(inputsOf(name), "number"))
      it(`may have a fraction where it calls them no integers: ${name} ${pathOf(keys)}`, () =>
        assert.deepEqual(reasons(name, keys, 0.5), []));
  }
});
