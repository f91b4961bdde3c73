import assert from "node:assert/strict";
import { miniClusterManifestFields } from "../../../provider/operator/fields/manifest";
import { conformanceRows, notTaken } from "../../../sdk/generator/conformance";
import { isAtOrIn } from "../../../sdk/generator/pages/schema";
import { clusterSamples, podSamples } from "./samples/cluster";
import { containerSamples, serviceSamples } from "./samples/containers";
import { fluxSamples } from "./samples/flux";
import { readField, readWithout, type Sample } from "./samples/reading";

const under = (place: string, samples: Record<string, Sample>) =>
  Object.fromEntries(Object.entries(samples).map(([name, sample]) => [`${place}.${name}`, sample]));

/** A sample of every field of the operator's, by its path. */
const samples: Record<string, Sample> = {
  ...clusterSamples,
  ...under("spec.containers[]", containerSamples),
  ...under("spec.services[]", serviceSamples),
  ...under("spec.flux", fluxSamples),
  ...under("spec.pod", podSamples),
};

/** Every name that a value has, at any depth. */
const namesIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
    : [];

describe("what becomes of", () => {
  for (const [field, sample] of Object.entries(samples))
    it(field, () => {
      const { shows = [], hides = [], changesNothing = false, warns, refused } = sample;
      if (refused) return assert.throws(() => readField(field, sample), refused);
      const { lines, warnings } = readField(field, sample);
      const before = readWithout(field, sample).lines;
      const fresh = lines.filter((line) => !before.includes(line));
      const gone = before.filter((line) => !lines.includes(line));
      const isAmong = (lines: string[]) => (part: string) =>
        assert.ok(
          lines.some((line) => line.includes(part)),
          `${part} is not among\n${lines.join("\n")}`,
        );
      shows.forEach(isAmong(fresh));
      hides.forEach(isAmong(gone));
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
