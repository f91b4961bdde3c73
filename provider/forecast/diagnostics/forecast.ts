import type * as pulumi from "@pulumi/pulumi";
import contract from "../../core/contract.json";
import type { MiniClusterSpec } from "../../core/parse/spec";
import { readerOf } from "../../diagnostics/apiServer";
import { fieldsOf } from "../../shared/reading";
import { numberAt } from "../../shared/objects";
import type { MiniClusterForecast } from "../args";
import { compare, type LiveSizes } from "../parse/compare";
import { forecastOutput } from "../parse/output";
import type { InstancePlan } from "../parse/plan";
import { forecastLines } from "../parse/words";
import { type InstanceReading, readInstance } from "./read";

/** The cluster with the lead broker, and the component that it belongs to. */
export interface Home {
  component: pulumi.Resource;
  spec: MiniClusterSpec;
}

/** What was read of an instance: its queue, and the sizes that an agent has set. */
export type InstanceRead = { instance: InstanceReading; live: LiveSizes } | undefined;

/** Reads the queue of an instance, and the Jobs of some of its clusters, whose sizes an agent sets. */
export async function readHome({ component, spec }: Home, jobs: MiniClusterSpec[]): Promise<InstanceRead> {
  const [instance, live] = await Promise.all([readInstance(component, spec), readSizes(component, jobs)]);
  return { instance, live };
}

async function readSizes(component: pulumi.Resource, jobs: MiniClusterSpec[]): Promise<LiveSizes> {
  const read = jobs.length > 0 ? await readerOf(component) : undefined;
  const sizes = jobs.map(async ({ namespace, name }) => {
    const job = fieldsOf(await read?.(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`).catch(() => undefined));
    const spec = fieldsOf(job["spec"]);
    const size = spec["suspend"] === true ? 0 : numberAt(job, "spec", "parallelism");
    return [name, { size, spent: spentIn(fieldsOf(fieldsOf(job["metadata"])["annotations"])) }] as const;
  });
  return new Map(await Promise.all(sizes));
}

/** The costs that an agent has counted, by day and month, in the annotations of a Job (`budget/programs/budget.py`). */
function spentIn(annotations: Record<string, unknown>): Record<string, number> {
  const text = annotations[contract.annotations.spent];
  try {
    const counts = fieldsOf(typeof text === "string" ? JSON.parse(text) : undefined);
    return Object.fromEntries(
      Object.entries(counts).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
    );
  } catch {
    return {};
  }
}

interface Found {
  before: InstancePlan;
  after: InstancePlan;
  read: InstanceRead;
  spec: MiniClusterSpec;
}

/** The forecast of a change, and the lines of a preview. */
export function forecastOf({ before, after, read, spec }: Found): { lines: string[]; forecast: MiniClusterForecast } {
  if (!read?.instance) return unavailable("the queue could not be read");
  if ("refused" in read.instance) {
    const reason = read.instance.refused;
    return { ...unavailable(reason), lines: [`the queue is not forecast: ${reason}`] };
  }
  const compared = compare({
    ...read.instance,
    before,
    after,
    live: read.live,
    now: Date.now() / 1000,
    currency: currencyOf(spec),
  });
  if (compared === "idle") return { lines: [], forecast: { status: "idle" } };
  if ("unknown" in compared)
    return { ...unavailable(compared.unknown), lines: [`the queue is not forecast: ${compared.unknown}`] };
  return { lines: forecastLines(compared), forecast: forecastOutput(compared) };
}

const unavailable = (reason: string) => ({
  lines: [],
  forecast: { status: "unavailable", reason } satisfies MiniClusterForecast,
});
