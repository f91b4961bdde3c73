import type { LiveSizes } from "../../provider/forecast/parse/cases";
import { compare } from "../../provider/forecast/parse/compare";
import type { ClusterPlan, InstancePlan } from "../../provider/forecast/parse/plan";
import type { Reading } from "../../provider/forecast/parse/reading";
import { forecastLines } from "../../provider/forecast/parse/words";
import { readingOf, waitingJob, wholeHosts } from "./queueReading";

/** 30 November 2025, 13:00 in UTC, when the user reads the queue. */
export const now = Date.UTC(2025, 10, 30, 13) / 1000;

/** A cluster of eight hosts. */
export const cluster = (changes: Partial<ClusterPlan>): ClusterPlan => ({
  name: "lab",
  place: "",
  first: 0,
  hosts: 8,
  drainSeconds: 30,
  ...changes,
});

/** The plan of this cluster with a size. */
export const ofSize = (size: number, changes: Partial<ClusterPlan> = {}): InstancePlan => ({
  clusters: [cluster({ size, ...changes })],
});

/** Waiting jobs with the same request. */
export const jobs = (count: number, hosts: number, changes: Partial<Reading["waiting"][number]> = {}) =>
  Array.from({ length: count }, (_, index) =>
    waitingJob(`ƒ${index}`, { limit: 3600, resources: wholeHosts(hosts), ...changes }),
  );

/** A reading of a cluster with four of eight hosts. */
export const atFour = (changes: Partial<Reading>) =>
  readingOf({ hosts: [{ ranks: "0-7", cores: 4, gpus: 0 }], down: "4-7", ...changes });

interface Given {
  before: InstancePlan;
  after: InstancePlan;
  arrivalSeconds?: number;
  live?: LiveSizes;
  currency?: string;
}

/** The lines of a preview. */
export function lines(reading: Reading, { live = new Map(), ...given }: Given): string[] {
  const compared = compare({ reading, live, now, ...given });
  if (compared === "idle") return [];
  return "unknown" in compared ? [compared.unknown] : forecastLines(compared);
}
