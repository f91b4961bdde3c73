import { z } from "zod";
import { dnsLabel, map, nonEmptyText, object } from "../shared/checks";
import type { Issue } from "../shared/errors";
import type { MiniClusterArgs } from "../minicluster/component";
import type { MiniClusterManifestOverrideArgs } from "./args";
import { withoutUndefined } from "./values";

// The rules of a MiniCluster check the values of overrides together with the values of the manifest.
const field = <K extends keyof MiniClusterManifestOverrideArgs>() =>
  z.custom<NonNullable<MiniClusterManifestOverrideArgs[K]>>().optional();

/** Overrides by the names of clusters. */
export const overridesField = map(
  nonEmptyText,
  object({
    namespace: dnsLabel.optional(),
    size: field<"size">(),
    maxSize: field<"maxSize">(),
    pool: field<"pool">(),
    gang: field<"gang">(),
    lead: field<"lead">(),
    groups: field<"groups">(),
  }),
);

type Override = z.output<typeof overridesField>[string];

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
export function withOverride(args: MiniClusterArgs, override: Override): MiniClusterArgs {
  const merged = { ...args, ...withoutUndefined(override) };
  // Groups have separate sizes, and the cluster then has none.
  if (override.groups !== undefined)
    for (const count of ["size", "maxSize"] as const) if (override[count] === undefined) delete merged[count];
  return merged;
}
