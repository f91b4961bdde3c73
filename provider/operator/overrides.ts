import { z } from "zod";
import { dnsLabel, map, nonEmptyText, object } from "../shared/checks";
import type { Issue } from "../shared/errors";
import { isPlainObject } from "../shared/objects";
import { clusterParser } from "../minicluster/cluster";
import type { MiniClusterArgs } from "../minicluster/component";
import type { MiniClusterManifestOverrideArgs } from "./args";
import { withoutUndefined } from "./values";

const renamed = "the manifest has the name of the cluster; rename it there, or write a MiniCluster";

// The rules of a MiniCluster check the values of overrides together with the values of the manifest.
const argument = z.unknown().optional();

/** Overrides by the names of clusters. */
export const overridesField = map(
  nonEmptyText,
  object({
    ...Object.fromEntries(clusterParser.argumentNames.map((name) => [name, argument])),
    name: z.never({ error: renamed }).optional(),
    // The volumes of v1alpha1 are also in this namespace.
    namespace: dnsLabel.optional(),
  }),
);

type Override = MiniClusterManifestOverrideArgs;

/** The override of one cluster, and its place in the arguments. */
export interface ClusterOverride {
  key: string;
  override: Override;
}

/** The overrides of the clusters of a manifest, and their problems. */
export class Overrides {
  readonly issues: Issue[] = [];
  private readonly known: string[] = [];
  private readonly used = new Set<string>();

  constructor(private readonly overrides: Record<string, Override> = {}) {}

  /** The override of a cluster by the name and the namespace in the manifest. */
  of(name: string, namespace: string): ClusterOverride | undefined {
    const keys = [`${namespace}/${name}`, name];
    this.known.push(name);
    const key = keys.find((each) => Object.hasOwn(this.overrides, each));
    const override = key === undefined ? undefined : this.overrides[key];
    if (key === undefined || override === undefined) return undefined;
    this.used.add(key);
    return { key, override };
  }

  /**
   * Adds an issue for each override of a cluster that the manifest does not have. Called when all clusters have been
   * read.
   */
  checkNames(): void {
    for (const key of Object.keys(this.overrides).filter((each) => !this.used.has(each)))
      this.issues.push({
        path: ["overrides", key],
        message: `the manifest has no cluster of this name; its clusters are ${[...new Set(this.known)].join(", ") || "none"}`,
      });
  }
}

/** The arguments of a cluster with its override. */
export function withOverride(args: object, override: Override): MiniClusterArgs {
  const given = withoutUndefined(override) as Record<string, unknown>;
  // Sizes of groups and of an agent replace the sizes of the manifest, and one container replaces its containers.
  const replaced = { autoscale: ["size"], groups: ["size", "maxSize"], container: ["containers"] };
  const gone = Object.entries(replaced).flatMap(([name, others]) => (given[name] === undefined ? [] : others));
  const kept = Object.entries(args).filter(([name]) => !gone.includes(name));
  return mergedFields(Object.fromEntries(kept), given);
}

/** Two objects, merged field by field. Any value but an object is replaced as a whole. */
export function mergedFields(base: object, over: object): object {
  const entries = Object.entries(withoutUndefined(over)).map(([name, value]: [string, unknown]) => {
    const below: unknown = base[name as keyof typeof base];
    return [name, isPlainObject(below) && isPlainObject(value) ? mergedFields(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(entries) };
}

/** True if the override sets the value at a path of the merged arguments, or the whole object that has the path. */
export function isOverridden(path: PropertyKey[], override: unknown, base: unknown): boolean {
  const [step, ...rest] = path;
  if (step === undefined || !isPlainObject(override) || !isPlainObject(base)) return true;
  const name = String(step);
  return Object.hasOwn(override, name) && isOverridden(rest, override[name], base[name]);
}
