import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { readFigures } from "../../bench/figures";
import { pageFiles } from "../../bench/page";

it("The page of the figures and its pictures are what the recorded run gives (npm run figures)", () => {
  for (const [file, text] of pageFiles(readFigures()))
    assert.equal(fs.readFileSync(file, "utf8"), text, path.basename(file));
});
