import assert from "node:assert/strict";
import { readSchema } from "../../../sdk/generator/docs";
import { fences } from "../../support/fences";

/** Languages that Pulumi's registry offers, and in which an example of each component is compiled or read by a test. */
const languages = ["typescript", "python", "go", "yaml"];

describe("The description of a component", () => {
  for (const [token, { description = "" }] of Object.entries(readSchema().resources))
    it(`has an example in each language, in the form of Pulumi's registry: ${token}`, () => {
      const [, examples = ""] =
        /^{{% examples %}}\n## Example Usage\n([^]*)\n{{% \/examples %}}$/m.exec(description) ?? [];
      assert.match(examples, /^{{% example %}}\n### .+\n/);
      assert.match(examples, /\n{{% \/example %}}$/);
      assert.deepEqual(
        [...examples.matchAll(/^```(\w+)$/gm)].map(([, language]) => language),
        languages,
      );
    });

  it("has examples that other tests compile or read as they do those on the pages", () =>
    assert.equal(fences().filter(({ place }) => place.startsWith("sdk/generator/examples/")).length, 48));
});
