import assert from "node:assert/strict";
import { miniClusterManifestFields } from "../../../provider/operator/manifest";
import {
  conformanceRows,
  isOursAlone,
  mirroredFields,
  newerInKubernetes,
  notTaken,
  oursAlone,
} from "../../../sdk/generator/conformance";
import { readSchema } from "../../../sdk/generator/docs";
import { mirrored } from "../../../sdk/generator/pages/reference";
import { argumentsOf, isAtOrIn } from "../../../sdk/generator/pages/schema";

const all = argumentsOf(readSchema(), mirrored);
const paths = new Set(all.map((argument) => argument.path));

describe("the conformance table", () => {
  it("has one row for every field of the operator's", () => {
    const wrong = miniClusterManifestFields
      .map((field) => ({ field, rows: conformanceRows.filter((row) => isAtOrIn(field, row.field)).length }))
      .filter(({ rows }) => rows !== 1);
    assert.deepEqual(wrong, []);
  });

  it("has no row without a field, and names arguments that exist", () => {
    const isField = (row: string) => miniClusterManifestFields.some((field) => isAtOrIn(field, row));
    const named = [...conformanceRows.flatMap(({ args }) => args), ...Object.keys(oursAlone)];
    const unknown = [
      ...conformanceRows.filter(({ field }) => !isField(field)),
      ...named.filter((name) => !paths.has(name)),
    ];
    assert.deepEqual(unknown, []);
  });

  it("names every argument, or calls it one of ours alone", () => {
    const rows = new Set(conformanceRows.map(({ field }) => field));
    const unnamed = all
      .filter((argument) => !argument.isGroup && !isOursAlone(argument.path))
      .map((argument) => argument.path)
      // What the operator ignores in a service has an argument all the same, because a container is one type.
      .filter((own) => mirroredFields(own).length === 0 && !rows.has(`spec.${own}`));
    assert.deepEqual(unnamed, []);
  });

  it("takes all that Kubernetes' own types hold, but for what it says", () => {
    const held = miniClusterManifestFields.flatMap((field) =>
      conformanceRows
        .filter((row) => row.args.length === 1 && row.field !== field && isAtOrIn(field, row.field))
        .map((row) => row.args[0]! + field.slice(row.field.length)),
    );
    assert.deepEqual(
      held.filter((inner) => !paths.has(inner) && !inner.includes(notTaken)),
      [],
    );
    // And what is newer than the operator is no field of it.
    for (const name of newerInKubernetes)
      assert.ok(!miniClusterManifestFields.some((field) => field.split(".").includes(name)), name);
  });

  it("explains why a field is not accepted", () =>
    assert.deepEqual(
      conformanceRows.filter(({ args, differs }) => args.length === 0 && differs === ""),
      [],
    ));
});
