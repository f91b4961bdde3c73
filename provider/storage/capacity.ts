/** Capacities in GiB that a cloud sells: from one on, in steps, to another. */
export interface CapacityRange {
  from: number;
  to: number;
  step: number;
}

/** The reason for which a cloud does not sell a capacity, with the nearest that it does. */
export function capacityProblem(gib: number, what: string, ranges: CapacityRange[]): string | undefined {
  const below = Math.max(...ranges.map((range) => lastUpTo(gib, range)));
  if (below === gib) return undefined;
  const above = Math.min(...ranges.map((range) => firstFrom(gib, range)));
  const nearest = [below, above].filter(Number.isFinite).join(" or ");
  return `${gib} GiB is not a capacity of ${what}; use ${nearest}`;
}

const lastUpTo = (gib: number, { from, to, step }: CapacityRange) =>
  gib < from ? -Infinity : from + Math.floor((Math.min(gib, to) - from) / step) * step;

const firstFrom = (gib: number, { from, to, step }: CapacityRange) => {
  const first = from + Math.max(0, Math.ceil((gib - from) / step)) * step;
  return first > to ? Infinity : first;
};

/** Capacity and throughput of a parallel file system, in words. */
export function describeSpeed(gib: number, perTib: number | undefined): string {
  if (perTib === undefined) return `${gib} GiB`;
  return `${gib} GiB, ${Math.round((gib / 1024) * perTib)} MB/s (${perTib} for each TiB)`;
}

/** The reason for which a cloud does not sell a throughput of Managed Lustre, given its capacities by MB/s for each TiB. */
export function throughputProblem(perTib: number, capacities: Record<number, CapacityRange[]>): string | undefined {
  if (perTib in capacities) return undefined;
  return `Managed Lustre has ${Object.keys(capacities).join(", ")} MB/s for each TiB, not ${perTib}; use one of these`;
}
