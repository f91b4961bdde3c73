/** Hosts on which the shapes are tried: so many, each with so much, and the ranks that have the property "fast". */
export const shapeHosts = { count: 8, cores: 4, gpus: 2, fast: [4, 5] };

/** Jobs, and the least size on which they run, all at once. */
export interface JobShape {
  /** Options of flux submit, of each pending job. `<id>` is the first of them. */
  pending: string[];
  /** Options of jobs that run, and what these have: cores and GPUs of each rank. */
  running?: { jobs: string[]; has: Record<number, [cores: number, gpus: number]> };
  /** The size; 0 where they need no host. */
  size: number;
  /** Why they do not start at that size. */
  waits?: "held" | "others" | "never";
  /** The most hosts that the cluster may have. Default: all. */
  max?: number;
}

const running = (jobs: string[], has: Record<number, [number, number]>) => ({ jobs, has });

/** Shapes of jobs, which the demand program and Fluxion have to agree on. */
export const jobShapes: JobShape[] = [
  // Slots: as many on a host as fit, by cores and by GPUs.
  { pending: ["-n1"], size: 1 },
  { pending: ["-n4"], size: 1 },
  { pending: ["-n5"], size: 2 },
  { pending: ["-n32"], size: 8 },
  { pending: ["-n4 -c3"], size: 4 },
  { pending: ["-n8 -c2"], size: 4 },
  { pending: ["-n3 -c4"], size: 3 },
  { pending: ["-n8 -c3"], size: 8 },
  { pending: ["-n2 -g1"], size: 1 },
  { pending: ["-n3 -g1"], size: 2 },
  { pending: ["-n4 -g2"], size: 4 },
  { pending: ["-n3 -c3 -g1"], size: 3 },
  { pending: ["-n8 -c2 -g1"], size: 4 },
  // Hosts, which other jobs may share where both ask for tasks.
  { pending: ["-N1"], size: 1 },
  { pending: ["-N3"], size: 3 },
  { pending: ["-N8"], size: 8 },
  { pending: ["-N2 -n4"], size: 2 },
  { pending: ["-N2 -n8"], size: 2 },
  { pending: ["-N3 -n7"], size: 3 },
  { pending: ["-N2 -n2 -c4"], size: 2 },
  { pending: ["-N2 -n2 -g2"], size: 2 },
  { pending: ["-N2 --exclusive"], size: 2 },
  { pending: ["-N8 --exclusive"], size: 8 },
  // Constraints.
  { pending: ["-n1 --requires=host:demo-5"], size: 6 },
  { pending: ["-N2 --requires=host:demo-2,demo-6"], size: 7 },
  { pending: ["-n1 --requires=-host:demo-0"], size: 2 },
  { pending: ["-n1 --requires=rank:3"], size: 4 },
  { pending: ["-n1 --requires=fast"], size: 5 },
  { pending: ["-N2 --exclusive --requires=fast"], size: 6 },
  // What waits for something else than hosts, or for more of them than there may be.
  { pending: ["-N4 --urgency=hold"], size: 0, waits: "held" },
  { pending: ["-N2 --urgency=hold", "-N4 --dependency=afterany:<id>"], size: 0, waits: "held" },
  { pending: ["-N7"], size: 0, waits: "never", max: 6 },
  { pending: ["-n14 -c2"], size: 0, waits: "never", max: 6 },
  { pending: ["-n1 --requires=host:demo-7"], size: 0, waits: "never", max: 6 },
  // Beside jobs that run.
  { running: running(["-N2 --exclusive"], { 0: [4, 2], 1: [4, 2] }), pending: ["-N2 --exclusive"], size: 4 },
  { running: running(["-N2"], { 0: [4, 2], 1: [4, 2] }), pending: ["-N3"], size: 5 },
  { running: running(["-N2 -n2"], { 0: [1, 0], 1: [1, 0] }), pending: ["-N3 -n3"], size: 3 },
  { running: running(["-N2 -n2"], { 0: [1, 0], 1: [1, 0] }), pending: ["-N1 --exclusive"], size: 3 },
  { running: running(["-n3"], { 0: [3, 0] }), pending: ["-n2 -c2"], size: 2 },
  { running: running(["-n2 -g1"], { 0: [2, 2] }), pending: ["-n1 -g1"], size: 2 },
  {
    running: running(["-N4 --exclusive"], { 0: [4, 2], 1: [4, 2], 2: [4, 2], 3: [4, 2] }),
    pending: ["-N6 --exclusive"],
    size: 6,
    waits: "others",
  },
  // Beside each other.
  { pending: ["-N2 -n8", "-n4"], size: 3 },
  { pending: ["-N2 --exclusive", "-n1"], size: 3 },
  { pending: ["-n4 -c3", "-n4"], size: 4 },
  { pending: ["-N4 --exclusive", "-N4 --exclusive"], size: 8 },
  { pending: ["-n2 -c4", "-n1 --requires=fast", "-N1 --urgency=hold"], size: 5 },
];

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
