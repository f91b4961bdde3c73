import { readData } from "./data";

/** Hosts for the shapes: their number, the resources of each, and the ranks with the property "fast". */
export const shapeHosts = { count: 8, cores: 4, gpus: 2, fast: [4, 5] };

/** Jobs, and the smallest size on which they all run at once. */
export interface JobShape {
  /** Options of flux submit, of each pending job. `<id>` is the first of them. */
  pending: string[];
  /** Options of running jobs, and their resources: cores and GPUs of each rank. */
  running?: { jobs: string[]; has: Record<number, [cores: number, gpus: number]> };
  /** The size; 0 where they need no host. */
  size: number;
  /** Why they do not start at that size. */
  waits?: "held" | "others" | "never";
  /** The most hosts that the cluster may have. Default: all. */
  max?: number;
}

/** Shapes of jobs, which the demand program and Fluxion have to agree on. */
export const jobShapes = readData<JobShape[]>("jobShapes.yaml");

/** The resources of a jobspec (RFC 14), as flux submit makes them of its options. */
export function resourcesOf(words: string): object[] {
  const { N = 0, n, c = 1, g = 0, exclusive = n === undefined } = optionsOf(words);
  const gpus = g > 0 ? [{ type: "gpu", count: g }] : [];
  const slot = (count: number) => ({ type: "slot", count, label: "task", with: [{ type: "core", count: c }, ...gpus] });
  if (N === 0) return [slot(n ?? 1)];
  return [{ type: "node", count: N, with: [slot(Math.ceil((n ?? N) / N))], ...(exclusive && { exclusive: true }) }];
}

interface Options {
  N?: number;
  n?: number;
  c?: number;
  g?: number;
  exclusive?: boolean;
}

function optionsOf(words: string): Options {
  const numbers = [...words.matchAll(/(?<=^| )-([Nncg])(\d+)/g)].map(([, name = "", count]) => [name, Number(count)]);
  const exclusive = words.includes("--exclusive") ? { exclusive: true } : {};
  return { ...(Object.fromEntries(numbers) as Options), ...exclusive };
}

/** The constraint (RFC 31) of the options of flux submit, if they have one. */
export function constraintOf(words: string): object | undefined {
  const [, not, kind = "", values = ""] = /--requires=(-?)(?:(host|rank):)?(\S+)/.exec(words) ?? [];
  if (values === "") return undefined;
  const [first = kind] = { host: ["hostlist"], rank: ["ranks"], "": ["properties"] }[kind] ?? [];
  const constraint = { [first]: values.split(",") };
  return not ? { not: [constraint] } : constraint;
}
