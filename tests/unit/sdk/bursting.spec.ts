import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { docsDirectory } from "../../../sdk/generator/docs";
import { compilerErrors, snippetsOf } from "./snippets";

describe("the page on bursting", () => {
  it("has programs that compile", function () {
    this.timeout(120_000);
    const page = fs.readFileSync(path.join(docsDirectory, "bursting.md"), "utf8");
    const programs = snippetsOf(page).filter(({ language }) => language === "ts");
    assert.equal(programs.length, 3);
    assert.deepEqual(compilerErrors(programs), []);
  });
});
