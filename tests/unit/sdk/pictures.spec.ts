import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { drawPictures, picturesDirectory } from "../../../sdk/generator/pictures";
import { readFigures } from "../../bench/figures";
import { drawPlots } from "../../bench/page/plots";
import { pages, readPage } from "../../support/fences";

/** What is recorded, what is drawn of made data (npm run dashboard), and what of figures (npm run figures). */
const others = ["dashboard.svg", "demo.svg", "study.svg", ...drawPlots(readFigures()).keys()];

describe("The pictures of the pages", () => {
  const files = fs.readdirSync(picturesDirectory).filter((file) => file.endsWith(".svg"));

  it("are what their texts give (npm run pictures)", async () => {
    const drawn = await drawPictures();
    assert.deepEqual([...drawn.keys(), ...others].sort(), files.sort());
    for (const [file, svg] of drawn)
      assert.equal(fs.readFileSync(path.join(picturesDirectory, file), "utf8"), svg, file);
  });

  it("are each on a page", () => {
    const text = pages().map(readPage).join("\n");
    assert.deepEqual(
      files.filter((file) => !text.includes(`pictures/${file})`)),
      [],
    );
  });
});
