import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import type { Effort } from "./lab";
import type { RenderTimes, RenderWork } from "./renderProcess";
import { median, milliseconds, quantile, timesTaken } from "./statistics";
import type { Table } from "./table";

/** Time from arguments to the objects of a cluster. */
export const measureRendering = (effort: Effort["render"]) =>
  measure("arguments", [4, 5000], effort, {
    title: "From arguments to manifests (parse, build, render), milliseconds",
    amount: "size",
  });

/** Time from a manifest of the Flux Operator to the objects of a cluster. */
export const measureReading = (effort: Effort["render"]) =>
  measure("manifest", [100, 1000], effort, {
    title: "From a minicluster.yaml to manifests (read, parse, build, render), milliseconds",
    amount: "lines",
  });

/** A first call can be had once per process, so there are several. */
async function measure(
  work: RenderWork,
  amounts: number[],
  { processes, runs }: Effort["render"],
  { title, amount }: { title: string; amount: string },
): Promise<Table> {
  const rows: Table["rows"] = [];
  for (const one of amounts) {
    const times: RenderTimes[] = [];
    for (let i = 0; i < processes; i++) times.push(await renderInNewProcess(work, one, runs));
    const later = times.flatMap((one) => one.later);
    const figures = [median(later), quantile(later, 0.99), median(times.map(({ first }) => first))];
    rows.push([one, later.length, ...figures.map(milliseconds)]);
  }
  return {
    title,
    columns: [amount, "calls", "median", "p99", "first call"],
    rows,
    notes: [`First call: of a new process, after its modules were loaded (${timesTaken("median", processes)}).`],
  };
}

async function renderInNewProcess(work: RenderWork, amount: number, runs: number): Promise<RenderTimes> {
  const script = path.join(__dirname, "renderProcess.ts");
  // The options that make this process understand TypeScript.
  const args = [...process.execArgv, script, work, String(amount), String(runs)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as RenderTimes;
}
