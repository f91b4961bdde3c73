import type { z } from "zod";
import { choice, integer, leaf, map, nonEmptyText, object, text } from "../../../shared/checks";
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
import { type AksSharedStorageArgs, AksSharedStorageKind } from "./args";

/** Fields of the arguments, each checked by itself. */
const aksStorageFields = object({
  ...sharedStorageFields,
  kind: choice(AksSharedStorageKind),
  existing: object({
    mgsAddress: leaf(nonEmptyText).optional(),
    accountName: leaf(nonEmptyText).optional(),
    shareName: leaf(nonEmptyText).optional(),
    containerName: leaf(nonEmptyText).optional(),
  }).optional(),
  resourceGroupName: leaf(nonEmptyText).optional(),
  location: leaf(nonEmptyText).optional(),
  subnetId: leaf(nonEmptyText).optional(),
  zone: leaf(choice({ 1: "1", 2: "2", 3: "3" })).optional(),
  capacityGib: integer(1, 100_000_000).optional(),
  throughputPerTib: integer(1, 10_000).optional(),
  iops: integer(3000, 102_400).optional(),
  throughputMibps: integer(100, 10_340).optional(),
  tags: map(nonEmptyText, leaf(text)).optional(),
});

type AksStorageFields = z.output<typeof aksStorageFields>;

const rule = ruleOn<AksStorageFields>();

const isLustre = ({ kind }: Pick<AksStorageFields, "kind">) => kind === AksSharedStorageKind.Lustre;

const isBlob = ({ kind }: Pick<AksStorageFields, "kind">) => kind === AksSharedStorageKind.Blob;

const steps = (tib: number): CapacityRange[] => [{ from: tib * 1024, to: tib * 32 * 1024, step: tib * 1024 }];

/** Capacities of Managed Lustre by MB/s per TiB ("Throughput configurations"). */
const lustreCapacities: Record<number, CapacityRange[]> = {
  40: steps(48),
  125: steps(16),
  250: steps(8),
  500: steps(4),
};

/** Capacities of a premium share of Azure Files, by its model of billing ("Understand Azure Files billing"). */
const shareCapacities = {
  v1: [{ from: 100, to: 102_400, step: 1 }],
  v2: [{ from: 32, to: 262_144, step: 1 }],
};

/** True for a share whose performance is provisioned apart from its capacity (provisioned v2). */
export const isProvisionedV2 = ({ iops, throughputMibps }: Pick<AksStorageFields, "iops" | "throughputMibps">) =>
  iops !== undefined || throughputMibps !== undefined;

/** Throughput of Managed Lustre, by default the throughput with the smallest capacities. */
export const throughputOf = ({ throughputPerTib = 500 }: Pick<AksStorageFields, "throughputPerTib">) =>
  throughputPerTib;

const existingRule = rule(
  [
    "existing?",
    "kind",
    "resourceGroupName",
    "location",
    "subnetId",
    "capacityGib",
    "throughputPerTib",
    "iops",
    "throughputMibps",
    "tags",
    "retainOnDelete",
  ],
  (args, addIssue) => {
    if (!args.existing) return;
    refuseGiven(
      args,
      ["location", "subnetId", "capacityGib", "throughputPerTib", "iops", "throughputMibps", "tags", "retainOnDelete"],
      ofNewOnly,
      addIssue,
    );
    if (isLustre(args))
      refuseGiven(args, ["resourceGroupName"], "an existing file system is mounted by its address", addIssue);
    else requireGiven(args, ["resourceGroupName"], "the storage account is in a resource group", addIssue);
  },
);

const newRule = rule(["existing?", "kind", "resourceGroupName", "subnetId", "capacityGib"], (args, addIssue) => {
  if (args.existing) return;
  requireGiven(args, ["resourceGroupName", "subnetId"], "a new file system requires it", addIssue);
  if (isBlob(args)) refuseGiven(args, ["capacityGib"], "Azure Blob grows with its content", addIssue);
  else requireGiven(args, ["capacityGib"], "a new file system requires it", addIssue);
});

/** The names of the mounted part of a storage account. */
const mountedBy = [
  ["shareName", "files"],
  ["containerName", "blob"],
] as const;

const mountRule = rule(["existing", "kind"], ({ existing, ...args }, addIssue) => {
  if (!existing) return;
  const below: typeof addIssue = (path, message) => addIssue(["existing", ...path], message);
  if (isLustre(args)) {
    requireGiven(existing, ["mgsAddress"], "Lustre is mounted by this address (see az amlfs show)", below);
    refuseGiven(existing, ["accountName"], 'is for kinds "files" and "blob"', below);
  } else {
    requireGiven(existing, ["accountName"], `${isBlob(args) ? "Azure Blob" : "Azure Files"} is mounted by it`, below);
    refuseGiven(existing, ["mgsAddress"], 'is for kind "lustre"', below);
  }
  for (const [key, kind] of mountedBy)
    if (args.kind === kind) requireGiven(existing, [key], "it is mounted by it", below);
    else refuseGiven(existing, [key], `is for kind "${kind}"`, below);
});

const filesRule = rule(["kind", "zone", "throughputPerTib", "iops", "throughputMibps"], (args, addIssue) => {
  if (!isLustre(args)) refuseGiven(args, ["zone", "throughputPerTib"], 'is for kind "lustre"', addIssue);
  if (args.kind !== AksSharedStorageKind.Files)
    refuseGiven(args, ["iops", "throughputMibps"], 'is for kind "files"', addIssue);
});

const throughputRule = rule(["kind", "throughputPerTib"], (args, addIssue) => {
  const { throughputPerTib } = args;
  if (!isLustre(args) || throughputPerTib === undefined) return;
  const problem = throughputProblem(throughputPerTib, lustreCapacities);
  if (problem !== undefined) addIssue(["throughputPerTib"], problem);
});

const capacityRule = rule(["kind", "capacityGib", "throughputPerTib", "iops", "throughputMibps"], (args, addIssue) => {
  if (args.capacityGib === undefined || isBlob(args)) return;
  const throughput = throughputOf(args);
  const [what, ranges] = isLustre(args)
    ? [`Managed Lustre with ${throughput} MB/s per TiB`, lustreCapacities[throughput]]
    : ["a premium share of Azure Files", shareCapacities[isProvisionedV2(args) ? "v2" : "v1"]];
  const problem = ranges && capacityProblem(args.capacityGib, what, ranges);
  if (problem !== undefined) addIssue(["capacityGib"], problem);
});

const zoneRule = rule(["kind", "pool", "existing?", "zone"], (args, addIssue) => {
  if (!isLustre(args)) return;
  const { pool, existing } = args;
  // For a pool in several zones, the zone of the storage is ambiguous; for a pool without zones, Azure chooses it.
  const { zones = [] } = pool ?? {};
  if (!existing && zones.length > 1 && zoneOf(args) === undefined)
    addIssue(
      ["zone"],
      `Managed Lustre is in one zone, and pool ${pool?.pool} is in ${zones.join(" and ")}; set zone to one of them`,
    );
  compareZones(args.zone, ["zone"], pool, addIssue);
});

/** Rules between the arguments. */
const aksStorageRules: Rule<AksStorageFields>[] = [
  existingRule,
  newRule,
  mountRule,
  filesRule,
  throughputRule,
  capacityRule,
  zoneRule,
];

const schema = aksStorageFields.check(rules(...aksStorageRules));

/** The spec of shared storage, or one error that names every problem of its arguments. */
export const parseAksSharedStorageArgs = (resourceName: string, args: AksSharedStorageArgs) =>
  buildSpec(parseArgs(schema, "AksSharedStorage", resourceName, args));

/** Arguments that are all checked, with every default set. */
export type AksStorageSpec = ReturnType<typeof buildSpec>;

const buildSpec = (args: AksStorageFields) => ({
  ...args,
  zone: zoneOf(args),
  throughputPerTib: throughputOf(args),
  capacityGib: args.capacityGib ?? 0,
  resourceGroupName: args.resourceGroupName ?? "",
  retainOnDelete: args.retainOnDelete ?? true,
});
