import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { type StudyAppArgs, StudyBetter, StudyScaling } from "../../../provider";
import { plotOf } from "../../../provider/server/study/plot";
import type { Run } from "../../../provider/study/parse/runs";
import { cellsOf, costOf, nodeHoursOf } from "../../../provider/study/results/cells";
import { textsOf } from "../../../provider/study/results/texts";
import { installedByPip } from "../../support/pip";
import { ended, resultsOf, studySpec } from "../../support/study";

const app = (better: StudyBetter, unit?: string): StudyAppArgs => ({
  command: "a",
  figure: { pattern: "(x)", better, ...(unit && { unit }) },
});
const apps = {
  amg: app(StudyBetter.Higher, "FOM"),
  lammps: app(StudyBetter.Lower, "s"),
  weak: { ...app(StudyBetter.Lower, "s"), scaling: StudyScaling.Weak },
  wall: { command: "w" },
};
const spec = { ...studySpec({ sizes: [1, 4, 2], repeats: 3, apps }), pricePerHour: 1.5, currency: "EUR" };

/** Figures that are ideal at two hosts, and half as good at four. */
function figureOf({ app: name, size, repeat }: Run): number {
  const rate = { 1: 100, 2: 200, 4: 200 }[size] ?? 0;
  const spread = repeat - 2;
  if (name === "amg") return rate + spread;
  return (name === "weak" ? (size === 4 ? 120 : 60) : 6000 / rate) + spread;
}
const isBad = ({ app: name, size, repeat }: Run) => name === "lammps" && size === 4 && repeat === 3;
const bad = { ok: false, figure: undefined, exitStatus: 3, error: 'exit status 3, "as, ever"', lastLines: ["a", "b"] };
const results = resultsOf(spec, (run) => [
  ended(run, { figure: figureOf(run), wallSeconds: 36 / run.size, ...(isBad(run) && bad) }),
  ...(isBad(run) ? [ended(run, { ...bad, attempt: 2, wallSeconds: 9 })] : []),
]);

describe("the results of a study", () => {
  it("have a table", () =>
    assert.deepEqual(textsOf(spec, results).table.split("\n"), [
      "app     hosts  runs  failed  median  min  max  unit  efficiency  cost EUR",
      "amg         1     3       0     100   99  101  FOM        100 %     0.045",
      "amg         2     3       0     200  199  201  FOM        100 %     0.045",
      "amg         4     3       0     200  199  201  FOM         50 %     0.045",
      "lammps      1     3       0      60   59   61  s          100 %     0.045",
      "lammps      2     3       0      30   29   31  s          100 %     0.045",
      "lammps      4     2       1    29.5   29   30  s           51 %      0.06",
      "weak        1     3       0      60   59   61  s          100 %     0.045",
      "weak        2     3       0      60   59   61  s          100 %     0.045",
      "weak        4     3       0     120  119  121  s           50 %     0.045",
      "wall        1     3       0      36   36   36  s          100 %     0.045",
      "wall        2     3       0      18   18   18  s          100 %     0.045",
      "wall        4     3       0       9    9    9  s          100 %     0.045",
    ]));

  it("have a plot with a panel for each application, the same each time that it is drawn", async () => {
    const plot = await plotOf(spec, results);
    assert.match(plot, /^<svg /);
    const texts = [...plot.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    for (const text of ["demo", ...Object.keys(apps), "FOM", "median, and range", "ideal"])
      assert.ok(texts.includes(text), text);
    assert.equal(texts.filter((text) => text === "hosts").length, 4);
    assert.equal(await plotOf(spec, results), plot);
    // Without a result it has its axes.
    assert.match(await plotOf(spec, []), /^<svg /);
  });

  it("have the median, the range and the parallel efficiency of each cell", () => {
    const cells = cellsOf(spec, results).map((cell) => [cell.app, cell.size, cell.median, cell.min, cell.max]);
    assert.deepEqual(cells.slice(0, 6), [
      ["amg", 1, 100, 99, 101],
      ["amg", 2, 200, 199, 201],
      ["amg", 4, 200, 199, 201],
      ["lammps", 1, 60, 59, 61],
      ["lammps", 2, 30, 29, 31],
      ["lammps", 4, 29.5, 29, 30],
    ]);
    const efficiency = cellsOf(spec, results).map(({ efficiency: found }) => found && Math.round(found * 100));
    assert.deepEqual(efficiency, [100, 100, 50, 100, 100, 51, 100, 100, 50, 100, 100, 100]);
    assert.deepEqual(
      cellsOf(spec, results).map(({ runs, failed }) => `${runs} ${failed}`),
      ["3 0", "3 0", "3 0", "3 0", "3 0", "2 1", ...Array.from({ length: 6 }, () => "3 0")],
    );
  });

  it("count all attempts as hours of hosts, and as their price", () => {
    // Four applications, three runs at three sizes of 36 host seconds each, and one attempt more of as many.
    assert.equal(nodeHoursOf(results), Number(((36 * 37) / 3600).toPrecision(6)));
    assert.equal(costOf(results), Number((((36 * 37) / 3600) * 1.5).toPrecision(6)));
    assert.equal(costOf(results.map((result) => ({ ...result, pricePerHour: undefined }))), undefined);
  });

  it("have a CSV that pandas reads, and JSON that fits its schema", function () {
    this.timeout(300_000);
    const libraries = installedByPip("study-reader", ["pandas==2.3.3", "jsonschema==4.25.1"], {
      withDependencies: true,
    });
    const schemaFile = path.join(__dirname, "../../../docs/public/study.schema.json");
    const schema = JSON.parse(fs.readFileSync(schemaFile, "utf8")) as object;
    const reader = path.join(__dirname, "../../support/studyReader.py");
    const input = JSON.stringify({ ...textsOf(spec, results), schema });
    const env = { ...process.env, PYTHONPATH: libraries };
    const found = JSON.parse(execFileSync("python3", ["-B", reader], { input, env, encoding: "utf8" })) as {
      columns: string[];
      medians: Record<string, number>;
    };
    const { columns, medians, ...rest } = found;
    assert.equal(columns.length, 14);
    assert.deepEqual([medians["amg 4"], medians["lammps 4"], medians["wall 2"]], [200, 29.5, 18]);
    assert.deepEqual(rest, {
      year: 2027,
      errors: ['exit status 3, "as, ever"'],
      found: "'size' is a required property",
    });
  });
});
