import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { sourceText } from "../../../../provider/shared/sources";
import { instanceOf, type Job, needs, withDemandReader } from "../../../support/demandReader";
import { jobShapes, shapeHosts } from "../../../support/jobShapes";
import { installedByPip } from "../../../support/pip";

const names = path.resolve(__dirname, "../../../support/fluxPython/names.py");

describe("the size for jobs", () => {
  const { file, readAll } = withDemandReader();

  it("is the least size on which the jobs run, for every shape of jobs", () => {
    const { count, cores, gpus, fast } = shapeHosts;
    const cluster = { name: "demo", hosts: count, cores, gpus, max: count };
    const instances = jobShapes.map(({ pending, running }) => {
      const has = Object.entries(running?.has ?? {});
      const jobs = pending.map((words): Job => ({ words, priority: words.includes("--urgency=hold") ? 0 : 16 }));
      const instance = instanceOf([cluster], jobs, {
        allocated: Object.fromEntries(has.map(([rank, [cores]]) => [rank, cores])),
        allocatedGpus: Object.fromEntries(has.map(([rank, [, gpus]]) => [rank, gpus])),
        properties: { fast },
      });
      for (const [place, words] of pending.entries())
        if (words.includes("--dependency")) instance.jobs[place]!.state = "DEPEND";
      return instance;
    });
    // Shapes by the most hosts that there may be.
    for (const max of new Set(jobShapes.map(({ max = count }) => max))) {
      const shapes = jobShapes.map((shape, place) => ({ ...shape, instance: instances[place]! }));
      const some = shapes.filter((shape) => (shape.max ?? count) === max);
      const parts = readAll(
        [{ ...cluster, max }],
        some.map(({ instance }) => instance),
      );
      for (const [place, { pending, size, waits }] of some.entries()) {
        const { demo } = parts[place]!;
        assert.equal(demo?.needed, size, pending.join(" and "));
        const never = demo.pending.some((job) => job.never);
        assert.equal(never, waits === "never", pending.join(" and "));
      }
    }
  });

  it("is that of jobs of any size, in integers: no job fits one host less", () => {
    // A job takes exactly all hosts of a cluster with so many cores each, by its tasks or by the cores of each task.
    const clusters = [1, 3, 7, 11, 13].flatMap((hosts) =>
      [1, 3, 10, 49].map((cores) => ({ name: "home", hosts, cores, gpus: 0, max: hosts })),
    );
    for (const cluster of clusters) {
      const { hosts, cores } = cluster;
      const jobs = [`-n${hosts * cores}`, `-n${hosts} -c${cores}`];
      const parts = readAll(
        [cluster],
        jobs.map((words) => instanceOf([cluster], [needs(words)])),
      );
      for (const [place, { home }] of parts.entries())
        assert.deepEqual([home?.needed, home?.pending[0]?.never], [hosts, false], `${jobs[place]} on ${cores} cores`);
    }
  });

  it("calls nothing in Flux's bindings that they do not have", function () {
    this.timeout(180_000);
    const wheel = ["--only-binary=:all:", "--python-version=3.11", "--platform=manylinux_2_17_x86_64"];
    const bindings = installedByPip("flux-python", [...wheel, "flux-python==0.88.0"]);
    const wrongIn = (program: string, readers: string[]) => {
      fs.writeFileSync(file("judged.py"), program);
      const judge = [names, bindings, file("judged.py"), ...readers];
      return execFileSync("python3", ["-B", ...judge], { encoding: "utf8" }).trim();
    };
    const readers = ["running_jobs", "jobspec_of"];
    assert.equal(wrongIn(sourceText("core/programs/state.py"), readers), "");
    assert.equal(wrongIn(sourceText("autoscale/programs/demand.py"), []), "");
    assert.equal(wrongIn(sourceText("metrics/programs/metrics.py"), ["ranks_by_cluster", "host_families"]), "");
    // It would find a name that is wrong.
    const wrong = sourceText("core/programs/state.py").replaceAll("max_entries", "most_entries");
    assert.equal(wrongIn(wrong, readers), "JobList takes no most_entries\nJobList takes no most_entries");
  });
});
