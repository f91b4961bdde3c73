import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Host, HostState } from "../../../provider/console/page/model";
import { drawPictures, picturesDirectory } from "../../../sdk/generator/pictures";
import { recordingOf } from "../../../sdk/generator/pictures/recording";
import { readFigures } from "../../bench/figures";
import { drawPlots } from "../../bench/page/plots";
import { pages, readPage } from "../../support/fences";

/** What is recorded, and what is drawn of figures (npm run figures). */
const others = ["demo.svg", "study.svg", ...drawPlots(readFigures()).keys()];

describe("The pictures of the pages", () => {
  const files = fs.readdirSync(picturesDirectory).filter((file) => file.endsWith(".svg"));

  it("are what their texts give (npm run pictures)", async () => {
    const drawn = await drawPictures();
    assert.deepEqual([...drawn.keys(), ...others].sort(), files.sort());
    for (const [file, svg] of drawn)
      assert.equal(fs.readFileSync(path.join(picturesDirectory, file), "utf8"), svg, file);
  });

  it("of a run are drawn from the changes of its hosts, its jobs and its decisions", () => {
    const hosts = (...states: HostState[]) => states.map((state) => ({ state }) as Host);
    const job = {
      id: 1,
      f58: "f1",
      name: "mesh",
      nnodes: 2,
      ranks: "[0-1]",
      state: "INACTIVE",
      t_submit: 101,
    } as const;
    const board = {
      jobs: [{ ...job, t_run: 102, t_cleanup: 103.5 }],
      decisions: [{ at: 101.5, cluster: "", text: "1 => 2" }],
    };
    const run = recordingOf([
      { at: 100, board: { hosts: hosts("free", "down"), jobs: [], decisions: [] } },
      { at: 102, board: { ...board, hosts: hosts("allocated", "allocated") } },
      { at: 104, board: { ...board, hosts: hosts("free", "allocated") } },
    ]);
    assert.deepEqual(run, {
      date: "1970-01-01",
      seconds: 4,
      decisions: [[1.5, "1 => 2"]],
      jobs: [{ name: "mesh", hosts: 2, submitted: 1, ran: { from: 2, to: 3.5, ranks: [0, 1] } }],
      hosts: [
        [
          [0, "free"],
          [2, "allocated"],
          [4, "free"],
        ],
        [
          [0, "down"],
          [2, "allocated"],
        ],
      ],
    });
  });

  it("are each on a page", () => {
    const text = pages().map(readPage).join("\n");
    assert.deepEqual(
      files.filter((file) => !text.includes(`pictures/${file})`)),
      [],
    );
  });
});
