import type { z } from "zod";
import { choice, integer, leaf, map, nonEmptyText, object, text } from "../../../shared/checks";
import { mapInput } from "../../../shared/deferred";
import { type Rule, parseArgs, ruleOn, rules } from "../../../shared/rules";
import {
  capacityProblem,
  type CapacityRange,
  compareZones,
  ofNewOnly,
  refuseGiven,
  requireGiven,
  sharedStorageFields,
  throughputProblem,
  zoneOf,
} from "../../storage/parse";
import { type GkeSharedStorageArgs, GkeSharedStorageKind, GkeSharedStorageTier } from "./args";

const pattern = (regex: RegExp, what: string) =>
  text.refine((value) => regex.test(value), { error: ({ input }) => `${JSON.stringify(input)} must be ${what}` });

const zone = pattern(/^[a-z]+-[a-z]+\d+-[a-z\d]+$/, 'a zone, such as "us-central1-a"');
const location = pattern(/^[a-z]+-[a-z]+\d+(-[a-z\d]+)?$/, 'a zone or a region, such as "us-central1-a"');
const network = pattern(
  /^projects\/[^/]+\/global\/networks\/[^/]+$/,
  'the id of a VPC network, such as "projects/physics/global/networks/default"',
);

/** Fields of the arguments, each checked by itself. */
const gkeStorageFields = object({
  ...sharedStorageFields,
  kind: choice(GkeSharedStorageKind),
  existing: object({
    instance: leaf(nonEmptyText),
    location,
    ipAddress: leaf(nonEmptyText),
    fileSystem: leaf(nonEmptyText),
  }).optional(),
  project: leaf(nonEmptyText).optional(),
  network: leaf(network).optional(),
  zone: leaf(zone).optional(),
  capacityGib: integer(1, 100_000_000).optional(),
  throughputPerTib: integer(1, 10_000).optional(),
  bucket: leaf(nonEmptyText).optional(),
  tier: choice(GkeSharedStorageTier).optional(),
  tags: map(nonEmptyText, leaf(text)).optional(),
});

type GkeStorageFields = z.output<typeof gkeStorageFields>;

const rule = ruleOn<GkeStorageFields>();

const isLustre = ({ kind }: Pick<GkeStorageFields, "kind">) => kind === GkeSharedStorageKind.Lustre;

/** Throughput of the Dynamic tier of Managed Lustre in MB/s per TiB, which identifies the tier ("Performance tiers"). */
export const dynamicThroughput = 25;

/** Capacities of Managed Lustre by MB/s per TiB ("Performance tiers"): above a threshold the steps are larger. */
const lustreCapacities: Record<number, CapacityRange[]> = {
  [dynamicThroughput]: [{ from: 472_000, to: 84_016_000, step: 472_000 }],
  125: [{ from: 72_000, to: 12_240_000, step: 72_000 }],
  250: [
    { from: 36_000, to: 6_120_000, step: 36_000 },
    { from: 6_336_000, to: 40_032_000, step: 288_000 },
  ],
  500: [
    { from: 18_000, to: 3_060_000, step: 18_000 },
    { from: 3_168_000, to: 20_016_000, step: 144_000 },
  ],
  1000: [
    { from: 9000, to: 1_530_000, step: 9000 },
    { from: 1_584_000, to: 10_008_000, step: 72_000 },
  ],
};

const adjustable: CapacityRange[] = [
  { from: 1024, to: 9984, step: 256 },
  { from: 10_240, to: 102_400, step: 2560 },
];

/** Capacities of Filestore ("Service tiers"). */
const tierCapacities: Record<GkeSharedStorageTier, CapacityRange[]> = {
  [GkeSharedStorageTier.BasicHdd]: [{ from: 1024, to: 65_433, step: 1 }],
  [GkeSharedStorageTier.BasicSsd]: [{ from: 2560, to: 65_433, step: 1 }],
  [GkeSharedStorageTier.Zonal]: adjustable,
  [GkeSharedStorageTier.Regional]: adjustable,
  [GkeSharedStorageTier.Enterprise]: [{ from: 1024, to: 10_240, step: 256 }],
};

const tierOf = ({ tier }: Pick<GkeStorageFields, "tier">): GkeSharedStorageTier => tier ?? GkeSharedStorageTier.Zonal;

/** Throughput of Managed Lustre, by default the throughput with the smallest capacities. */
export const throughputOf = ({ throughputPerTib = 1000 }: Pick<GkeStorageFields, "throughputPerTib">) =>
  throughputPerTib;

/** True for an instance that spans several zones of a region. */
const isRegional = (tier: GkeSharedStorageTier) =>
  tier === GkeSharedStorageTier.Regional || tier === GkeSharedStorageTier.Enterprise;

const existingRule = rule(
  ["existing?", "network", "zone", "capacityGib", "throughputPerTib", "tier", "tags", "retainOnDelete"],
  (args, addIssue) => {
    if (args.existing)
      refuseGiven(
        args,
        ["network", "zone", "capacityGib", "throughputPerTib", "tier", "tags", "retainOnDelete"],
        ofNewOnly,
        addIssue,
      );
  },
);

const newRule = rule(["existing?", "network", "capacityGib"], (args, addIssue) => {
  if (!args.existing) requireGiven(args, ["network", "capacityGib"], "a new instance requires it", addIssue);
});

const projectRule = rule(["existing?", "kind", "project"], (args, addIssue) => {
  if (!args.existing) return;
  if (isLustre(args))
    requireGiven(args, ["project"], "an existing instance of Managed Lustre is identified by its project", addIssue);
  else refuseGiven(args, ["project"], "an existing instance of Filestore is mounted without a project", addIssue);
});

/** Properties that a bucket does not have. */
const ofInstances = [
  ...(["existing", "project", "network", "zone", "capacityGib", "throughputPerTib", "tier", "tags"] as const),
  "retainOnDelete" as const,
];

const notBucketRule = rule(["bucket"], (args, addIssue) =>
  refuseGiven(args, ["bucket"], 'is for kind "gcsFuse"', addIssue),
);

const bucketRule = rule(["bucket", ...ofInstances], (args, addIssue) => {
  requireGiven(args, ["bucket"], "Cloud Storage FUSE mounts a bucket that exists", addIssue);
  refuseGiven(args, [...ofInstances], "describes an instance, not a bucket", addIssue);
});

const kindRule = rule(["kind", "tier", "throughputPerTib"], (args, addIssue) => {
  if (isLustre(args)) refuseGiven(args, ["tier"], 'is for kind "filestore"', addIssue);
  else refuseGiven(args, ["throughputPerTib"], 'is for kind "lustre"', addIssue);
});

const throughputRule = rule(["kind", "throughputPerTib"], (args, addIssue) => {
  const { throughputPerTib } = args;
  if (!isLustre(args) || throughputPerTib === undefined) return;
  const problem = throughputProblem(throughputPerTib, lustreCapacities);
  if (problem !== undefined) addIssue(["throughputPerTib"], problem);
});

const capacityRule = rule(["kind", "capacityGib", "throughputPerTib", "tier"], (args, addIssue) => {
  const { capacityGib } = args;
  if (capacityGib === undefined) return;
  const throughput = throughputOf(args);
  const [what, ranges] = isLustre(args)
    ? [`Managed Lustre with ${throughput} MB/s per TiB`, lustreCapacities[throughput]]
    : [`Filestore of tier "${tierOf(args)}"`, tierCapacities[tierOf(args)]];
  const problem = ranges && capacityProblem(capacityGib, what, ranges);
  if (problem !== undefined) addIssue(["capacityGib"], problem);
});

const zoneRule = rule(["kind", "tier", "existing.location", "pool", "zone"], (args, addIssue) => {
  const { existing, pool, zone } = args;
  if (zoneOf(args) === undefined && !existing)
    addIssue(["zone"], "a new instance is in one zone; set it, or set pool to a pool in a single zone");
  if (!isLustre(args) && isRegional(tierOf(args))) return;
  compareZones(zone, ["zone"], pool, addIssue);
  if (existing && isZone(existing.location)) compareZones(existing.location, ["existing", "location"], pool, addIssue);
});

const isZone = (location: string) => /^[a-z]+-[a-z]+\d+-/.test(location);

const ofInstance = [newRule, projectRule, kindRule, throughputRule, capacityRule, zoneRule, notBucketRule];

/** Rules between the arguments, by the kind of storage. */
const rulesByKind: Record<GkeSharedStorageKind, Rule<GkeStorageFields>[]> = {
  [GkeSharedStorageKind.Filestore]: ofInstance,
  [GkeSharedStorageKind.Lustre]: ofInstance,
  [GkeSharedStorageKind.GcsFuse]: [bucketRule],
};

const byKind: Rule<GkeStorageFields> = {
  run: (args, issues, addIssue) => {
    if (issues.some(([field]) => field === undefined || field === "kind")) return;
    for (const each of rulesByKind[args.kind]) each.run(args, issues, addIssue);
  },
};

const schema = gkeStorageFields.check(rules(existingRule, byKind));

/** The spec of shared storage, or one error that names every problem of its arguments. */
export const parseGkeSharedStorageArgs = (resourceName: string, args: GkeSharedStorageArgs) =>
  buildSpec(parseArgs(schema, "GkeSharedStorage", resourceName, args));

/** Arguments that are all checked, with every default set. */
export type GkeStorageSpec = ReturnType<typeof buildSpec>;

function buildSpec(args: GkeStorageFields) {
  const zone = zoneOf(args) ?? "";
  const tier = tierOf(args);
  const isOfRegion = args.kind === GkeSharedStorageKind.Filestore && isRegional(tier);
  return {
    ...args,
    tier,
    // The name of a zone is the name of its region with a letter appended.
    location: isOfRegion ? mapInput(zone, (known) => known.replace(/-[a-z\d]+$/, "")) : zone,
    isOfRegion,
    throughputPerTib: throughputOf(args),
    capacityGib: args.capacityGib ?? 0,
    retainOnDelete: args.retainOnDelete ?? true,
  };
}
