import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { readPage } from "../../support/fences";
import { readFigures } from "../../bench/figures";
import { pageFiles } from "../../bench/page";

it("The page of the figures and its pictures are what the recorded run gives (npm run figures)", () => {
  for (const [file, text] of pageFiles(readFigures()))
    assert.equal(fs.readFileSync(file, "utf8"), text, path.basename(file));
});

it("The figures of the README are on the page of the figures", () => {
  const readme = readPage("README.md");
  const facts = readme.slice(readme.indexOf("- **Nothing to install"), readme.indexOf("\nTested: "));
  const figures = [...facts.matchAll(/\d+\.\d+ (?:s|times)|\d{4,} bytes/g)].map(([figure]) =>
    figure.replace(" bytes", ""),
  );
  assert.ok(figures.length >= 4, figures.join());
  const page = readPage("docs/figures.md");
  assert.deepEqual(
    figures.filter((figure) => !page.includes(figure)),
    [],
  );
});
