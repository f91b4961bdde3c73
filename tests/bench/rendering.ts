import * as path from "node:path";
import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { hashAnnotation, sizeKey } from "../../provider/core/parse/names";
import { manifestsOf } from "../support/manifests";
import type { RenderTimes, RenderWork } from "./renderProcess";
import type { Effort } from "./scale/plan";
import { median, quantile } from "./statistics";

/** Milliseconds from arguments, or from a manifest of the Flux Operator, to the objects of a cluster. */
export interface Rendering {
  from: RenderWork;
  /** The size, or the lines of the manifest. */
  amount: number;
  calls: number;
  median: number;
  p99: number;
  /** The first call of a new process, after its modules were loaded. */
  first: number;
}

/** A first call can be had once per process, so there are several. */
export async function measureRendering({ processes, runs }: Effort["render"]): Promise<Rendering[]> {
  const works: [RenderWork, number][] = [
    ...[4, 5000].map((size): [RenderWork, number] => ["arguments", size]),
    ...[100, 1000].map((lines): [RenderWork, number] => ["manifest", lines]),
  ];
  const renderings: Rendering[] = [];
  for (const [from, amount] of works) {
    const times: RenderTimes[] = [];
    for (let i = 0; i < processes; i++) times.push(await renderInNewProcess(from, amount, runs));
    const later = times.flatMap((one) => one.later);
    const first = median(times.map((one) => one.first));
    renderings.push({ from, amount, calls: later.length, median: median(later), p99: quantile(later, 0.99), first });
  }
  return renderings;
}

async function renderInNewProcess(work: RenderWork, amount: number, runs: number): Promise<RenderTimes> {
  const script = path.join(__dirname, "renderProcess.ts");
  // The options that make this process understand TypeScript.
  const args = [...process.execArgv, script, work, String(amount), String(runs)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as RenderTimes;
}

/** The largest size that is rendered, and the `maxSize` of all. */
const maxSize = 5000;

/** Number of different values over all sizes. */
export interface Distinct {
  of: string;
  sizes: number;
  distinct: number;
}

/** How many pod templates and configurations the sizes of one cluster make: one, or a resize would be a replacement. */
export function countTemplates(): Distinct[] {
  const seen = Array.from({ length: maxSize }, (_, i) => fingerprints(i + 1));
  const names = Object.keys(fingerprints(1));
  return names.map((of) => ({ of, sizes: maxSize, distinct: new Set(seen.map((one) => one[of])).size }));
}

const hashOf = ({ metadata }: { metadata: { annotations: object } }) =>
  String(new Map(Object.entries(metadata.annotations)).get(hashAnnotation));

function fingerprints(size: number): Record<string, string> {
  const { job, jobScale, configMap, configScale } = manifestsOf({ size, maxSize });
  const files = Object.entries(configMap.data).filter(([name]) => name !== sizeKey);
  return {
    // Beside the component's own hash, one that leaves nothing of the template out.
    "template hash (annotation)": hashOf(jobScale),
    "pod template (SHA-256 of its JSON)": sha256(job.spec.template),
    "configuration hash (annotation)": hashOf(configScale),
    "scripts and broker configuration (SHA-256)": sha256(files),
  };
}

const sha256 = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
