import assert from "node:assert/strict";
import * as path from "node:path";
import { itRunsExamples, succeeded } from "../support/languages/exampleTests";
import { withProgram } from "../support/languages/harness";
import { readText, shownChanges } from "../support/languages/previewText";
import { yaml } from "../support/languages/yaml";
import { sharedCluster } from "../support/sandboxHooks";

const template = path.resolve(__dirname, "../../templates/minicluster-yaml");

describe("A program in YAML", () => {
  before(async function () {
    // The first time on a machine, it builds Pulumi's host of YAML.
    this.timeout(600_000);
    await yaml.driver(template);
  });

  itRunsExamples(yaml);

  it("is the template for pulumi new, which prompts for the size", async () => {
    const { kubeconfigPath } = sharedCluster();
    const options = { kubeconfigPath, projectName: "template", stackName: "dev" };
    const preview = { kind: "preview", config: { size: "3" } } as const;
    const { text } = succeeded(await withProgram(yaml, template, options, ({ run }) => run(preview)));
    assert.ok(shownChanges(readText(text)).includes("create MiniCluster lab"));
    assert.match(text, /completions +: 3/);
  });
});
