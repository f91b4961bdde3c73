import * as assert from "node:assert/strict";
import { containsPath, formatPath, parsePath } from "./paths";

describe("property paths", () => {
  const cases: [text: string, steps: (string | number)[]][] = [
    ["spec.template", ["spec", "template"]],
    ["ports[0].name", ["ports", 0, "name"]],
    ['metadata.annotations["pulumi.com/waitFor"]', ["metadata", "annotations", "pulumi.com/waitFor"]],
    ['data["say \\"hi\\"."]', ["data", 'say "hi".']],
  ];
  for (const [text, steps] of cases)
    it(`reads and writes ${text}`, () => {
      assert.deepEqual(parsePath(text), steps);
      assert.equal(formatPath(steps), text);
    });

  it("refuses what is not a path", () => assert.throws(() => parsePath("a[b"), /failed to parse ignore path/));

  it("contain themselves, what is below them, and anything at a star", () => {
    assert.ok(containsPath(["data"], ["data", "size"]));
    assert.ok(containsPath(parsePath("items[*].name"), ["items", 3, "name"]));
    assert.ok(!containsPath(["data", "size"], ["data"]));
    assert.ok(!containsPath(["data", "size"], ["data", "sizes"]));
  });
});
