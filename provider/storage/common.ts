import type * as pulumi from "@pulumi/pulumi";
import { dnsLabel, flag, leaf, serviceName } from "../shared/checks";
import type { AddIssue } from "../shared/rules";
import { pool } from "../minicluster/parse/pool/fields";

/** Fields of shared storage in every cloud. */
export const sharedStorageFields = {
  name: serviceName,
  namespace: leaf(dnsLabel).default("default"),
  pool: pool.optional(),
  retainOnDelete: flag.optional(),
};

/** A pool, as far as storage has to know it. */
export interface StoragePool {
  pool: string;
  zones?: string[];
}

/** The zone of storage, by default the only one of its pool. */
export const zoneOf = ({ zone, pool }: { zone?: string; pool?: StoragePool }) =>
  zone ?? (pool?.zones?.length === 1 ? pool.zones[0] : undefined);

/** Adds an issue where storage is in a zone that its pool has no nodes in. */
export function compareZones(
  zone: string | undefined,
  path: string[],
  storagePool: StoragePool | undefined,
  addIssue: AddIssue,
) {
  const { pool, zones = [] } = storagePool ?? {};
  if (zone === undefined || zones.length === 0 || zones.includes(zone)) return;
  addIssue(path, `pool ${pool} is in ${zones.join(" and ")}, not in ${zone}; use a zone of the pool`);
}

/** Adds an issue at each property that is given, and that counts in another case only. */
export function refuseGiven<T extends object>(args: T, keys: (keyof T & string)[], reason: string, addIssue: AddIssue) {
  for (const key of keys) if (args[key] !== undefined) addIssue([key], `${reason}; remove ${key}`);
}

/** Adds an issue at each property that is missing, where it is required. */
export function requireGiven<T extends object>(
  args: T,
  keys: (keyof T & string)[],
  reason: string,
  addIssue: AddIssue,
) {
  for (const key of keys) if (args[key] === undefined) addIssue([key], `${reason}; add it`);
}

/** Beginning of the message on a property of a new file system beside `existing`. */
export const ofNewOnly = "describes a new file system, and existing names one";

/** Shared storage, as its objects in Kubernetes and the remarks on it depend on it. */
export interface StorageSpec {
  name: string;
  namespace: pulumi.Input<string>;
  retainOnDelete: boolean;
}
