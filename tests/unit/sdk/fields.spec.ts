import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { miniClusterManifestFields } from "../../../provider/operator/fields/v1alpha2";
import { conformanceRows, notTaken } from "../../../sdk/generator/conformance";
import { isAtOrIn } from "../../../sdk/generator/pages/schema";
import { samples } from "./samples";
import { readField, readWithout } from "./samples/reading";

/** What a refused manifest says. */
function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (pulumi.InputPropertiesError.isInstance(error)) return error.message;
    throw error;
  }
  return "";
}

/** Every name that a value has, at any depth. */
const namesIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
    : [];

describe("what becomes of", () => {
  for (const [field, sample] of Object.entries(samples))
    it(field, () => {
      const { shows = [], hides = [], changesNothing = false, warns, refused } = sample;
      if (refused)
        return assert.match(
          refusal(() => readField(field, sample)),
          refused,
        );
      const { lines, warnings } = readField(field, sample);
      const before = readWithout(field, sample).lines;
      const fresh = lines.filter((line) => !before.includes(line));
      const gone = before.filter((line) => !lines.includes(line));
      const missing = shows.filter((part) => !fresh.some((line) => line.includes(part)));
      assert.deepEqual(missing, [], `not among\n${fresh.join("\n")}`);
      const left = hides.filter((part) => !gone.some((line) => line.includes(part)));
      assert.deepEqual(left, [], `not among\n${gone.join("\n")}`);
      if (changesNothing) assert.deepEqual([...fresh, ...gone], []);
      if (warns) assert.match(warnings.join("\n"), warns);
      assert.ok(shows.length + hides.length > 0 || changesNothing || warns, "the sample shows nothing");
    });
});

describe("samples of fields", () => {
  it("are those of the conformance table, row by row", () =>
    assert.deepEqual(Object.keys(samples).sort(), conformanceRows.map(({ field }) => field).sort()));

  it("hold everything that Kubernetes' own types hold", () => {
    const missing = Object.entries(samples).flatMap(([field, { value }]) =>
      miniClusterManifestFields
        .filter((inner) => inner !== field && isAtOrIn(inner, field) && !inner.includes(notTaken))
        .filter((inner) => !namesIn(value).includes(inner.slice(inner.lastIndexOf(".") + 1))),
    );
    assert.deepEqual(missing, []);
  });
});
