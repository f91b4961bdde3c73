import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as path from "node:path";
import { miniClusterManifestFields } from "../../../provider/operator/fields/v1alpha2";
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

const root = path.resolve(__dirname, "../../..");
const all = argumentsOf(readSchema(), mirrored);
const paths = new Set(all.map((argument) => argument.path));

/** Titles of the tests in some files, each after its file. Mocha tells them without running a test. */
function testsIn(files: string[]): Set<string> {
  const mocha = path.join(root, "node_modules/mocha/bin/mocha.js");
  const options = ["--no-config", "--require", "tsx/cjs", "--dry-run", "--reporter", "json"];
  const output = execFileSync(process.execPath, [mocha, ...options, ...files], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const { tests } = JSON.parse(output.slice(output.indexOf("{\n"))) as { tests: { file: string; fullTitle: string }[] };
  return new Set(tests.map(({ file, fullTitle }) => `${path.relative(root, file)}: ${fullTitle}`));
}

describe("the conformance table", () => {
  it("has one row for every field of the operator's", () => {
    const wrong = miniClusterManifestFields
      .map((field) => ({ field, rows: conformanceRows.filter((row) => isAtOrIn(field, row.field)).length }))
      .filter(({ rows }) => rows !== 1);
    assert.deepEqual(wrong, []);
  });

  it("has no row without a field", () => {
    const rows = conformanceRows.map(({ field }) => field);
    assert.deepEqual(
      rows.filter((row) => !miniClusterManifestFields.some((field) => isAtOrIn(field, row))),
      [],
    );
  });

  it("names arguments that exist", () => {
    const named = [...conformanceRows.flatMap(({ args }) => args), ...Object.keys(oursAlone)];
    assert.deepEqual(
      named.filter((name) => !paths.has(name)),
      [],
    );
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

  it("says why a field is not taken", () =>
    assert.deepEqual(
      conformanceRows.filter(({ args, differs }) => args.length === 0 && differs === ""),
      [],
    ));

  it("names tests that exist", function () {
    this.timeout(60_000);
    const named = conformanceRows.flatMap(({ tests }) => tests);
    const known = testsIn([...new Set(named.map(({ file }) => file))]);
    const missing = named.map(({ file, title }) => `${file}: ${title}`).filter((test) => !known.has(test));
    assert.deepEqual([...new Set(missing)], []);
  });
});
