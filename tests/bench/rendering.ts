import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import type { Effort } from "./lab";
import type { RenderTimes } from "./renderProcess";
import { median, milliseconds, quantile, timesTaken } from "./statistics";
import type { Table } from "./table";

const sizes = [4, 5000];

/** Time from arguments to manifests. A first call can be had once per process, so there are several. */
export async function measureRendering({ processes, runs }: Effort["render"]): Promise<Table> {
  const rows: Table["rows"] = [];
  for (const size of sizes) {
    const times: RenderTimes[] = [];
    for (let i = 0; i < processes; i++) times.push(await renderInNewProcess(size, runs));
    const later = times.flatMap((one) => one.later);
    const figures = [median(later), quantile(later, 0.99), median(times.map(({ first }) => first))];
    rows.push([size, later.length, ...figures.map(milliseconds)]);
  }
  return {
    title: "From arguments to manifests (parse, build, render), milliseconds",
    columns: ["size", "calls", "median", "p99", "first call"],
    rows,
    notes: [`First call: of a new process, after its modules were loaded (${timesTaken("median", processes)}).`],
  };
}

async function renderInNewProcess(size: number, runs: number): Promise<RenderTimes> {
  const script = path.join(__dirname, "renderProcess.ts");
  // The options that make this process understand TypeScript.
  const args = [...process.execArgv, script, String(size), String(runs)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as RenderTimes;
}
