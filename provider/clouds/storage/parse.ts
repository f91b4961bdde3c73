import type * as pulumi from "@pulumi/pulumi";
import { dnsLabel, flag, leaf, serviceName } from "../../shared/checks";
import { isDeferred } from "../../shared/deferred";
import type { AddIssue } from "../../shared/rules";
import { pool } from "../nodes/parse/pool";

/** Fields of shared storage in every cloud. */
export const sharedStorageFields = {
  name: serviceName,
  namespace: leaf(dnsLabel).default("default"),
  pool: pool.optional(),
  retainOnDelete: flag.optional(),
};

/** The properties of a pool that storage needs. */
export interface StoragePool {
  pool: string;
  zones?: string[];
}

/** The zone of storage, by default the zone of its pool if the pool has one zone. */
export const zoneOf = ({ zone, pool }: { zone?: pulumi.Input<string>; pool?: StoragePool }) =>
  zone ?? (pool?.zones?.length === 1 ? pool.zones[0] : undefined);

/** The reason why storage cannot be in a zone: its pool has no nodes there. */
export function zoneProblem(zone: string, storagePool: StoragePool | undefined): string | undefined {
  const { pool, zones = [] } = storagePool ?? {};
  if (zones.length === 0 || zones.includes(zone)) return undefined;
  return `pool ${pool} is in ${zones.join(" and ")}, not in ${zone}; use a zone of the pool`;
}

/** Adds an issue if storage is in a zone in which its pool has no nodes. A zone that is known later is checked then. */
export function compareZones(
  zone: pulumi.Input<string> | undefined,
  path: string[],
  storagePool: StoragePool | undefined,
  addIssue: AddIssue,
) {
  const problem = typeof zone === "string" ? zoneProblem(zone, storagePool) : undefined;
  if (problem !== undefined) addIssue(path, problem);
}

/** A zone in a text of a preview. */
export const zoneText = (zone: pulumi.Input<string> | undefined) =>
  isDeferred(zone) ? "a zone that is known later" : (zone as string);

/** Adds an issue at each property that is set, but does not apply. */
export function refuseGiven<T extends object>(args: T, keys: (keyof T & string)[], reason: string, addIssue: AddIssue) {
  for (const key of keys) if (args[key] !== undefined) addIssue([key], `${reason}; remove ${key}`);
}

/** Adds an issue at each required property that is missing. */
export function requireGiven<T extends object>(
  args: T,
  keys: (keyof T & string)[],
  reason: string,
  addIssue: AddIssue,
) {
  for (const key of keys) if (args[key] === undefined) addIssue([key], `${reason}; add it`);
}

/** Beginning of the message for a property of a new file system that is set together with `existing`. */
export const ofNewOnly = "describes a new file system, and existing refers to an existing one";

/** The parts of shared storage that determine its objects in Kubernetes and its diagnostics. */
export interface StorageSpec {
  name: string;
  namespace: pulumi.Input<string>;
  retainOnDelete: boolean;
}

/** Capacities in GiB that a cloud offers: from, to, and the step. */
export interface CapacityRange {
  from: number;
  to: number;
  step: number;
}

/** The reason why a cloud does not offer a capacity, with the nearest capacities that it offers. */
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
  return `${gib} GiB, ${Math.round((gib / 1024) * perTib)} MB/s (${perTib} per TiB)`;
}

/** The reason why a cloud does not offer a throughput of Managed Lustre, given its capacities by MB/s per TiB. */
export function throughputProblem(perTib: number, capacities: Record<number, CapacityRange[]>): string | undefined {
  if (perTib in capacities) return undefined;
  return `Managed Lustre has ${Object.keys(capacities).join(", ")} MB/s per TiB, not ${perTib}; use one of these`;
}
