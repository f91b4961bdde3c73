import assert from "node:assert/strict";
import { type StudyAppArgs, StudyBetter } from "../../../provider";
import { planText } from "../../../provider/study/parse/plan";
import type { Run, StudySpec } from "../../../provider/study/parse/runs";
import { ended, resultsOf, studySpec } from "../../support/study";

const figure = { pattern: "took ([0-9.]+)", better: StudyBetter.Lower };
const lammps: StudyAppArgs = { command: "lmp", figure, timeoutSeconds: 600 };
const amg: StudyAppArgs = { command: "amg", figure };

const matrix = { sizes: [4, 8, 16, 32, 64], repeats: 5 };
const before: StudySpec = { ...studySpec({ ...matrix, apps: { lammps, amg } }), name: "scaling" };
const priced = (spec: StudySpec) => ({ ...spec, pricePerHour: 2.4, currency: "USD" });
const failed = (run: Run) => [ended(run, { ok: false, figure: undefined, exitStatus: 3, error: "exit status 3" })];
const twice = (run: Run) => failed(run).flatMap((entry) => [entry, { ...entry, attempt: 2 }]);
const isLast = ({ app, size, repeat }: Run) => app === "amg" && size === 64 && repeat === 5;

describe("the preview of a study", () => {
  const texts: [title: string, spec: StudySpec, results: ReturnType<typeof resultsOf>, want: string | undefined][] = [
    [
      "a first run has its bound",
      before,
      [],
      "study scaling: 50 runs on at most 64 hosts; 50 to run; at most 723.3 node-hours by " +
        "timeoutSeconds and one attempt",
    ],
    [
      "a first run has its price, where hosts have one",
      priced(before),
      [],
      "study scaling: 50 runs on at most 64 hosts; 50 to run; at most 723.3 node-hours (1736.00 USD) " +
        "by timeoutSeconds and " +
        "one attempt",
    ],
    ["nothing is said where every run has a result", before, resultsOf(before), undefined],
    [
      "a command that has changed",
      { ...before, apps: { ...before.apps, amg: { ...before.apps["amg"]!, command: "amg -P 8 8 8" } } },
      resultsOf(before),
      "study scaling: 50 runs on at most 64 hosts; 25 kept, 25 to run (amg: command changed); about " +
        "15.5 node-hours by the " +
        "runs so far, at most 620.0 node-hours by timeoutSeconds and one attempt",
    ],
    [
      "several arguments that have changed",
      {
        ...before,
        image: "ghcr.io/acme/lammps:2",
        apps: {
          ...before.apps,
          amg: { ...before.apps["amg"]!, tasksPerNode: 64, environment: { OMP_NUM_THREADS: "2" } },
        },
      },
      resultsOf(before),
      "study scaling: 50 runs on at most 64 hosts; 0 kept, 50 to run (lammps: image changed; amg: " +
        "tasksPerNode, environment, " +
        "image changed); about 31.0 node-hours by the runs so far, at most 723.3 node-hours by " +
        "timeoutSeconds and one attempt",
    ],
    [
      "a size that was added",
      { ...before, sizes: [...before.sizes, 128] },
      resultsOf(before),
      "study scaling: 60 runs on at most 128 hosts; 50 kept, 10 to run (lammps and amg at 128: new size); about 32.0 " +
        "node-hours by the runs so far, at most 746.7 node-hours by timeoutSeconds and one attempt",
    ],
    [
      "more repeats",
      { ...before, repeats: 6 },
      resultsOf(before),
      "study scaling: 60 runs on at most 64 hosts; 50 kept, 10 to run (lammps and amg: more " +
        "repeats); about 6.2 node-hours by " +
        "the runs so far, at most 144.7 node-hours by timeoutSeconds and one attempt",
    ],
    [
      "an application that was added: nothing is known of its time",
      { ...before, apps: { ...before.apps, osu: before.apps["amg"]! } },
      resultsOf(before),
      "study scaling: 75 runs on at most 64 hosts; 50 kept, 25 to run (osu: new application); at " +
        "most 620.0 node-hours by " +
        "timeoutSeconds and one attempt",
    ],
    [
      "an application that was removed",
      { ...before, apps: { lammps: before.apps["lammps"]! } },
      resultsOf(before),
      "study scaling: 25 runs on at most 64 hosts; all have results; 25 removed (amg)",
    ],
    [
      "a failed run, once retries is raised",
      { ...before, retries: 2 },
      resultsOf(before, (run) => (isLast(run) ? twice(run) : [ended(run)])),
      "study scaling: 50 runs on at most 64 hosts; 49 kept, 1 to run (amg at 64: failed: exit status " +
        "3); about 1.6 node-hours " +
        "by the runs so far, at most 64.0 node-hours by timeoutSeconds and one attempt",
    ],
    [
      "nothing of a run that has failed as often as it may",
      before,
      resultsOf(before, (run) => (isLast(run) ? twice(run) : [ended(run)])),
      undefined,
    ],
    [
      "what is left of a study that was interrupted",
      before,
      resultsOf(before, (run) => (run.size > 8 ? [ended(run)] : [])),
      "study scaling: 50 runs on at most 64 hosts; 30 kept, 20 to run (lammps and amg at 4 and 8: no " +
        "result yet); about 3.0 " +
        "node-hours by the runs so far, at most 70.0 node-hours by timeoutSeconds and one attempt",
    ],
  ];
  for (const [title, spec, results, want] of texts)
    it(`shows: ${title}`, () => assert.equal(planText(spec, results, results.length > 0 ? before : undefined), want));

  it("does not run again for a time limit, a unit, a price or the order of variables", () => {
    const of = (more: object) =>
      studySpec({
        apps: { app: { command: "a", environment: { A: "1", B: "2" }, figure: { ...figure, unit: "s" } } },
        ...more,
      });
    const results = resultsOf(of({}));
    const app = { command: "a", environment: { B: "2", A: "1" }, figure: { ...figure, unit: "ms" }, timeoutSeconds: 5 };
    assert.equal(planText({ ...of({ apps: { app } }), pricePerHour: 9 }, results), undefined);
  });
});
