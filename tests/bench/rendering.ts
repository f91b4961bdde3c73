import * as path from "node:path";
import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Effort } from "./lab";
import type { RenderTimes, RenderWork } from "./renderProcess";
import { median, milliseconds, quantile, timesTaken, type Table } from "./report";
import { hashAnnotation, sizeKey } from "../../provider/minicluster/names";
import { manifestsOf } from "../support/manifests";

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

const maxSize = 5000;

/** How many pod templates and configurations the sizes of one cluster make: one, or a resize would be a replacement. */
export function countTemplates(): Table {
  const seen = Array.from({ length: maxSize }, (_, i) => fingerprints(i + 1));
  const names = Object.keys(fingerprints(1));
  const rows = names.map((name): [string, number] => [name, new Set(seen.map((one) => one[name])).size]);
  const several = rows.find(([, distinct]) => distinct !== 1);
  if (several) throw new Error(`sizes 1 to ${maxSize} make ${several[1]} different values of: ${several[0]}`);
  return {
    title: `Distinct values over all sizes from 1 to ${maxSize}, at maxSize ${maxSize}`,
    columns: ["of", "distinct"],
    rows,
  };
}

function fingerprints(size: number): Record<string, string> {
  const { job, jobScale, configMap, configScale } = manifestsOf({ size, maxSize });
  const files = Object.entries(configMap.data).filter(([name]) => name !== sizeKey);
  return {
    // Beside the component's own hash, one that leaves nothing of the template out.
    "template hash (annotation)": jobScale.metadata.annotations[hashAnnotation],
    "pod template (SHA-256 of its JSON)": sha256(job.spec.template),
    "configuration hash (annotation)": configScale.metadata.annotations[hashAnnotation],
    "scripts and broker configuration (SHA-256)": sha256(files),
  };
}

const sha256 = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
