import assert from "node:assert/strict";
import * as path from "node:path";
import { itRunsExamples, programsOf, succeeded } from "../support/languages/exampleTests";
import { readText, shownChanges } from "../support/languages/previewText";
import { yaml } from "../support/languages/yaml";

const template = path.resolve(__dirname, "../../templates/minicluster-yaml");

describe("A program in YAML", () => {
  before(async function () {
    // The first time on a machine, it builds Pulumi's host of YAML.
    this.timeout(600_000);
    await yaml.driver(template);
  });

  itRunsExamples(yaml);

  it("is the template for pulumi new, which asks for the size", () =>
    programsOf(yaml)(template, async ({ run }) => {
      const { text } = succeeded(await run({ kind: "preview", config: { size: "3" } }));
      const shown = readText(text);
      assert.ok(shownChanges(shown).includes("create MiniCluster cluster"));
      assert.match(text, /completions: 3/);
    }));
});
