import { z } from "zod";
import type { AutoscaleSpec } from "../../autoscale/fields";
import { onlyGroup } from "../../core/parse/names";
import { type GroupSpec, jobsOf, type LeadSpec, type MiniClusterSpec } from "../../core/parse/spec";

/** Sizes that the agent of a cluster sets. */
export type ElasticPlan = Pick<AutoscaleSpec, "min" | "max" | "idleSeconds" | "cooldownSeconds" | "maxStep" | "budget">;

/** The hosts of a cluster of an instance, as the arguments set them. */
export interface ClusterPlan {
  name: string;
  /** Where its arguments are, such as `groups.cpu.`. */
  place: string;
  /** Rank of its first host, and the number of its hosts. */
  first: number;
  hosts: number;
  /** Pods that the user sets. Undefined for a cluster that another component or program sizes. */
  size?: number;
  elastic?: ElasticPlan;
  drainSeconds: number;
  pricePerHour?: number;
}

/** When waiting jobs move to the queues of other clusters. */
const moves = z.object({
  queues: z.array(z.object({ name: z.string(), cluster: z.string(), price: z.number() })).min(1),
  order: z.string(),
  afterSeconds: z.number(),
  giveUpSeconds: z.number(),
});
export type MovesPlan = z.output<typeof moves>;

/** All hosts of an instance, and the moves between its queues. */
export interface InstancePlan {
  clusters: ClusterPlan[];
  moves?: MovesPlan;
}

/** The plan of an instance by the spec of the cluster with its lead broker, without the clusters that join it. */
export function planOf(spec: LeadSpec): InstancePlan {
  const jobs = new Map(jobsOf(spec).map((job) => [job.name, job]));
  const { prices } = spec.additions;
  let first = 0;
  const clusters = spec.instance.clusters.map(({ name, hosts }): ClusterPlan => {
    const job = jobs.get(name);
    const price = prices[name];
    const unsized = {
      name,
      place: "",
      first,
      hosts,
      drainSeconds: 0,
      ...(price !== undefined && { pricePerHour: price }),
    };
    first += hosts;
    return job ? ofJob(unsized, job, placeOf(spec, job)) : unsized;
  });
  const place = moves.safeParse(spec.additions.leadProgram["place"]);
  return { clusters, ...(place.data && { moves: place.data }) };
}

/** The plan of an instance with the sizes of a cluster that joins it. */
export const withJoined = (plan: InstancePlan, joined: MiniClusterSpec): InstancePlan => ({
  ...plan,
  clusters: plan.clusters.map((cluster) => (cluster.name === joined.name ? ofJob(cluster, joined, "") : cluster)),
});

function ofJob(cluster: ClusterPlan, job: MiniClusterSpec, place: string): ClusterPlan {
  const price = job.pool?.pricePerHour ?? cluster.pricePerHour;
  return {
    ...cluster,
    place,
    drainSeconds: job.drainTimeoutSeconds,
    // The bounds in the spec of a Job are the whole spec of `autoscale`.
    ...(job.autoscale ? { elastic: job.autoscale as AutoscaleSpec } : { size: podsOf(job) }),
    ...(price !== undefined && { pricePerHour: price }),
  };
}

const podsOf = ({ suspend, suspendsAtZero, size }: MiniClusterSpec) => (suspend === true && !suspendsAtZero ? 0 : size);

/** Place of the arguments of a Job. */
function placeOf(spec: LeadSpec, job: MiniClusterSpec): string {
  const { group } = job as GroupSpec;
  return job === spec || group === onlyGroup ? "" : `groups.${group}.`;
}

const pace = z.object({
  name: z.string(),
  min: z.int(),
  max: z.int(),
  idleSeconds: z.number(),
  cooldownSeconds: z.number(),
  maxStep: z.int(),
  budget: z.object({ perDay: z.number().optional(), perMonth: z.number().optional() }).optional(),
});
const ofAgent = z.union([
  z.object({ jobs: z.array(pace) }).transform(({ jobs }) => jobs),
  pace.transform((one) => [one]),
]);
const ofLead = z.object({ place: moves.optional() });

/** The settings of the programs of a cluster, as its ConfigMap has them. */
export type ProgramSettings = Record<string, unknown>;

const settings = <T>(schema: z.ZodType<T>, data: ProgramSettings, file: string): T | undefined => {
  const text = data[file];
  try {
    return typeof text === "string" ? schema.safeParse(JSON.parse(text)).data : undefined;
  } catch {
    return undefined;
  }
};

/**
 * A plan with other settings of the programs, as an agent has them and, in the cluster of the lead broker, its pod. Other
 * clusters have no settings of the moves.
 */
export function withSettings(plan: InstancePlan, data: ProgramSettings, isLead: boolean): InstancePlan {
  const paces = new Map(settings(ofAgent, data, "agent.json")?.map((one) => [one.name, one]));
  const place = isLead ? settings(ofLead, data, "lead.json")?.place : plan.moves;
  return {
    clusters: plan.clusters.map((cluster) => {
      const elastic = paces.get(cluster.name);
      return elastic && cluster.elastic ? { ...cluster, elastic } : cluster;
    }),
    ...(place && { moves: place }),
  };
}

/** A plan with another size of a cluster. */
export const withSize = (plan: InstancePlan, name: string, size: number): InstancePlan => ({
  ...plan,
  clusters: plan.clusters.map((cluster) => (cluster.name === name ? { ...cluster, size } : cluster)),
});

type Value = number | string | undefined;

/** A changed argument. Its values are true and false if it is an object that is added or removed. */
export interface PlanChange {
  argument: string;
  old: Value | boolean;
  changed: Value | boolean;
}

/** The arguments in which two plans of an instance differ, sizes first. */
export function planChanges(before: InstancePlan, after: InstancePlan): PlanChange[] {
  const changes = after.clusters.flatMap((cluster, index): PlanChange[] => {
    const old = before.clusters[index];
    if (!old) return [];
    const values: [string, number | undefined, number | undefined][] = [
      ["size", old.size, cluster.size],
      ["autoscale.min", old.elastic?.min, cluster.elastic?.min],
      ["autoscale.max", old.elastic?.max, cluster.elastic?.max],
      ["autoscale.maxStep", old.elastic?.maxStep, cluster.elastic?.maxStep],
      ["autoscale.cooldownSeconds", old.elastic?.cooldownSeconds, cluster.elastic?.cooldownSeconds],
      ["autoscale.budget.perDay", old.elastic?.budget?.perDay, cluster.elastic?.budget?.perDay],
      ["autoscale.budget.perMonth", old.elastic?.budget?.perMonth, cluster.elastic?.budget?.perMonth],
    ];
    return values.map(([name, from, to]) => ({ argument: `${cluster.place}${name}`, old: from, changed: to }));
  });
  return [...changes, ...moveChanges(before.moves, after.moves)].filter(({ old, changed }) => old !== changed);
}

function moveChanges(before: MovesPlan | undefined, after: MovesPlan | undefined): PlanChange[] {
  const argument = "bursting.place";
  if (!before || !after) return [{ argument, old: before !== undefined, changed: after !== undefined }];
  const clustersOf = ({ queues }: MovesPlan) =>
    queues
      .slice(1)
      .map(({ name }) => name)
      .join(" and ");
  return [
    ...(["afterSeconds", "giveUpSeconds", "order"] as const).map((key) => ({
      argument: `${argument}.${key}`,
      old: before[key],
      changed: after[key],
    })),
    { argument: `${argument}.clusters`, old: clustersOf(before), changed: clustersOf(after) },
  ];
}

/** A plan between two plans that differ in one size or one largest size by more than 1; undefined for others. */
export function planBetween(before: InstancePlan, after: InstancePlan): InstancePlan | undefined {
  const [change, ...others] = planChanges(before, after);
  if (!change || others.length > 0 || typeof change.old !== "number" || typeof change.changed !== "number") return;
  const value = Math.round((change.old + change.changed) / 2);
  if (!/(^|\.)(size|max)$/.test(change.argument) || value === change.old || value === change.changed) return undefined;
  return {
    ...after,
    clusters: after.clusters.map((cluster) => {
      if (change.argument === `${cluster.place}size`) return { ...cluster, size: value };
      const isIts = change.argument === `${cluster.place}autoscale.max` && cluster.elastic;
      return isIts ? { ...cluster, elastic: { ...cluster.elastic!, max: value } } : cluster;
    }),
  };
}

/** The values of changes in text: "size 4 => 8", or with one of the values "size 8". */
export const changesText = (changes: PlanChange[], which?: "old" | "changed") =>
  changes
    .map((change) => (which === undefined ? changeText(change) : valueText(change.argument, change[which])))
    .join(", ");

function changeText({ argument, old, changed }: PlanChange): string {
  if (typeof changed === "boolean") return `${argument} ${changed ? "added" : "removed"}`;
  return `${argument} ${old ?? "none"} => ${changed ?? "none"}`;
}

const valueText = (argument: string, value: PlanChange["old"]) =>
  typeof value === "boolean" ? `${value ? "with" : "without"} ${argument}` : `${argument} ${value ?? "none"}`;
