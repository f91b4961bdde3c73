import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { type Figures, type Recording, readFigures } from "../../bench/figures";
import { both } from "../../bench/machine";
import { pageFiles } from "../../bench/page";
import { renderPage } from "../../bench/page/page";
import { targets } from "../../bench/page/targets";
import type { Step } from "../../bench/scale/step";

describe("The page of the figures", () => {
  it("and its pictures are what the recorded run gives (npm run figures)", () => {
    for (const [file, text] of pageFiles(readFigures()))
      assert.equal(fs.readFileSync(file, "utf8"), text, path.basename(file));
  });

  it("shows of what was too large what was seen, and keeps the runs that came to their end", () => {
    const failure = "given up after 30 minutes: 3120 of 4711 pods were Ready";
    const page = renderPage({
      cluster: recorded([step({ to: 5000, ready: 90_000 }), step({ to: 5000, run: 2, failure })]),
    });
    assert.match(page, /\n5,000 +up +- +- +- +90\.0 +-\n/);
    assert.match(page, /\n5,000 +up +failed/);
    assert.ok(page.replace(/\s+/g, " ").includes(`Failed: 5,000, up, run 2: ${failure}.`), page);
  });

  it("shows the median and the range of several runs", () => {
    const runs = [3000, 1000, 2000].map((ready, i) => step({ to: 8, run: i + 1, ready }));
    assert.match(renderPage({ cluster: recorded(runs) }), / 2\.00 \(1\.00-3\.00\) /);
  });

  it("goes on with what is recorded of the same machine alone, and says all days and commits", () => {
    const { recorded: before } = recorded([]);
    const now = { ...before, date: "2026-11-23", package: "0.1.0, commit 1234567" };
    const joined = { ...now, date: "2026-11-22; 2026-11-23", package: "0.1.0; 0.1.0, commit 1234567" };
    assert.deepEqual(both(before, now), joined);
    assert.deepEqual(both(joined, now), joined);
    assert.throws(() => both(before, { ...now, machine: { cores: "64" } }), /another machine/);
  });

  const previewOf = (preview: number) => ({ previews: recorded([step({ from: 512, to: 5000, preview })]) });
  const stacks = (last: number) => ({
    previews: recorded([stackOf(25, 5000), stackOf(50, 10_000), stackOf(100, last)]),
  });
  const resizeOf = (up: number) => ({ cluster: recorded([...idle(2000), ...resize(up, 10_000)]) });
  const bytesOf = (most: number) => ({ cluster: recorded([sized(8, 100), sized(5000, most)]) });
  const judged: [figure: RegExp, what: string, reached: Figures, missed: Figures][] = [
    [/preview of a resize/, "a quick preview of a resize at 5,000", previewOf(1999), previewOf(2000)],
    [/new clusters in|for each/, "previews that grow with the clusters, and no faster", stacks(19_999), stacks(21_500)],
    [/every resize/, "a resize that costs what the bare patch and the engine cost", resizeOf(13_000), resizeOf(13_100)],
    [/bytes of/, "bytes that are the same at each size", bytesOf(100), bytesOf(101)],
  ];

  for (const [figure, what, reached, missed] of judged)
    it(`calls ${what} reached, and nothing beyond`, () => {
      for (const [figures, want] of [
        [reached, true],
        [missed, false],
      ] as const) {
        const found = targets(figures).filter((target) => figure.test(target.figure));
        assert.deepEqual([...new Set(found.map((target) => target.reached))], [want]);
      }
    });
});

/** A step of one cluster by `up`, with what a test cares about. */
function step(parts: Partial<Step>): Step {
  return { rates: "default", way: "up", antiAffinity: true, clusters: 1, from: 0, to: 8, run: 1, ...parts };
}

/** A stack of so many new clusters, as far as its preview. */
function stackOf(clusters: number, preview: number): Step {
  return step({ clusters, to: 50, preview });
}

function idle(returned: number): Step[] {
  return [step({ from: 8, to: 8, returned })];
}

function resize(up: number, requests: number, to = 5000): Step[] {
  const both = { from: 64, to };
  return [step({ ...both, ready: up }), step({ ...both, way: "requests", ready: requests })];
}

function sized(to: number, beyondDigits: number): Step {
  const bytes = { all: beyondDigits + String(to).length, beyondDigits };
  return step({ to, configuration: bytes, state: bytes });
}

function recorded(measured: Step[]): Recording<Step> {
  const rates = { controllerManager: { qps: 20, burst: 30 }, scheduler: { qps: 50, burst: 100 } };
  const surroundings = { date: "2026-11-22", package: "0.1.0", runs: 1, machine: {}, rates: { default: rates } };
  return { recorded: surroundings, measured };
}
