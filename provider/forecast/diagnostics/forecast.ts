import type * as pulumi from "@pulumi/pulumi";
import contract from "../../core/contract.json";
import { autoscaledJobs } from "../../autoscale/spec";
import { programsName } from "../../core/parse/names";
import { jobsOf, type LeadSpec, type MiniClusterSpec } from "../../core/parse/spec";
import { isNotFound, readerOf } from "../../diagnostics/apiServer";
import { numberAt, valueAt } from "../../shared/objects";
import { fieldsOf } from "../../shared/reading";
import type { MiniClusterForecast } from "../args";
import type { LiveSizes } from "../parse/cases";
import { compare } from "../parse/compare";
import { forecastOutput } from "../parse/output";
import type { InstancePlan, ProgramSettings } from "../parse/plan";
import { forecastLines } from "../parse/words";
import { type InstanceReading, readInstance } from "./read";

/** A cluster, and the component that it belongs to. */
export interface Owned<Spec extends MiniClusterSpec = MiniClusterSpec> {
  component: pulumi.Resource;
  spec: Spec;
}

/** What was read of an instance: its queue, and the sizes that an agent has set. */
export type InstanceRead = { instance: InstanceReading; live: LiveSizes } | undefined;

/** Reads the queue of an instance, and the Jobs of a cluster of it whose sizes an agent sets. */
export async function readAll(home: Owned<LeadSpec>, changed: Owned): Promise<InstanceRead> {
  const [instance, live] = await Promise.all([readInstance(home.component, home.spec), readSizes(changed)]);
  return instance && { instance, live };
}

async function readSizes({ component, spec }: Owned): Promise<LiveSizes> {
  const jobs = autoscaledJobs(spec);
  const read = jobs.length > 0 ? await readerOf(component) : undefined;
  const sizes = jobs.map(async ({ namespace, name }) => {
    const job = fieldsOf(await read?.(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`).catch(() => undefined));
    const size = fieldsOf(job["spec"])["suspend"] === true ? 0 : numberAt(job, "spec", "parallelism");
    return [name, { size, spent: spentIn(fieldsOf(valueAt(job, "metadata", "annotations"))) }] as const;
  });
  return new Map(await Promise.all(sizes));
}

/** The settings of the programs of a cluster, as its ConfigMap has them now; none if it has no programs. */
export async function readSettings({ component, spec }: Owned): Promise<ProgramSettings | undefined> {
  const read = await readerOf(component);
  try {
    const config = await read?.(`/api/v1/namespaces/${spec.namespace}/configmaps/${programsName(spec)}`);
    return config === undefined ? undefined : fieldsOf(valueAt(config, "data"));
  } catch (error) {
    return isNotFound(error) ? {} : undefined;
  }
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
  /** The changed cluster. */
  spec: MiniClusterSpec;
}

/** The forecast of a change, and the lines of a preview. */
export interface Forecasted {
  lines: string[];
  forecast: MiniClusterForecast;
}

/** The forecast of a change of a cluster. */
export function forecastOf({ before, after, read, spec }: Found): Forecasted {
  if (!read) return unavailable("the queue could not be read");
  const { instance, live } = read;
  if ("refused" in instance) return unavailable(instance.refused, true);
  const currency = jobsOf(spec).flatMap(({ pool }) => pool?.currency ?? [])[0];
  const compared = compare({
    ...instance,
    before,
    after,
    live,
    now: Date.now() / 1000,
    ...(currency !== undefined && { currency }),
  });
  if (compared === "idle") return { lines: [], forecast: { status: "idle" } };
  if ("unknown" in compared) return unavailable(compared.unknown, true);
  return { lines: forecastLines(compared), forecast: forecastOutput(compared) };
}

/** No forecast, with the reason. A line says what the user can change. */
export const unavailable = (reason: string, isSaid = false): Forecasted => ({
  lines: isSaid ? [`no forecast of the queue: ${reason}`] : [],
  forecast: { status: "unavailable", reason },
});
