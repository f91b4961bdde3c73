import type { z } from "zod";
import { choice, flag, integer, leaf, list, map, nonEmptyText, object, text } from "../../../shared/checks";
import { isDeferred } from "../../../shared/deferred";
import { type Rule, parseArgs, ruleOn, rules } from "../../../shared/rules";
import {
  capacityProblem,
  type CapacityRange,
  compareZones,
  ofNewOnly,
  refuseGiven,
  requireGiven,
  sharedStorageFields,
  zoneOf,
} from "../../storage/parse";
import { type EksSharedStorageArgs, EksSharedStorageDeployment, EksSharedStorageKind } from "./args";

const maxGib = 100_000_000;

/** Fields of the arguments, each checked by itself. */
const eksStorageFields = object({
  ...sharedStorageFields,
  kind: choice(EksSharedStorageKind),
  existing: object({
    fileSystemId: leaf(nonEmptyText),
    dnsName: leaf(nonEmptyText).optional(),
    mountName: leaf(nonEmptyText).optional(),
  }).optional(),
  clusterName: leaf(nonEmptyText).optional(),
  subnetIds: leaf(
    list(leaf(nonEmptyText)).refine((ids) => ids.length > 0, { error: "needs at least one subnet; add one" }),
  ).optional(),
  zone: nonEmptyText.optional(),
  capacityGib: integer(1, maxGib).optional(),
  deployment: choice(EksSharedStorageDeployment).optional(),
  throughputPerTib: integer(1, 10_000).optional(),
  throughputMibps: integer(1, 3414).optional(),
  securityGroupIds: leaf(
    list(leaf(nonEmptyText)).refine((ids) => ids.length > 0, { error: "needs at least one security group; add one" }),
  ).optional(),
  installDriver: flag.default(false),
  tags: map(nonEmptyText, leaf(text)).optional(),
});

type EksStorageFields = z.output<typeof eksStorageFields>;

const rule = ruleOn<EksStorageFields>();

const isLustre = ({ kind }: Pick<EksStorageFields, "kind">) => kind === EksSharedStorageKind.FsxLustre;

/** Capacities of SSDs (Amazon FSx API reference, CreateFileSystem, StorageCapacity). */
const capacities: CapacityRange[] = [
  { from: 1200, to: 1200, step: 1200 },
  { from: 2400, to: Infinity, step: 2400 },
];

/** MB/s for each TiB by deployment type, the least first (CreateFileSystemLustreConfiguration, PerUnitStorageThroughput). */
const throughputs: Record<EksSharedStorageDeployment, number[]> = {
  [EksSharedStorageDeployment.Scratch2]: [],
  [EksSharedStorageDeployment.Persistent1]: [50, 100, 200],
  [EksSharedStorageDeployment.Persistent2]: [125, 250, 500, 1000],
};

/** Deployment type, by default the newest one. */
const deploymentOf = ({ deployment }: Pick<EksStorageFields, "deployment">): EksSharedStorageDeployment =>
  deployment ?? EksSharedStorageDeployment.Persistent2;

const existingRule = rule(
  [
    "existing?",
    "subnetIds",
    "capacityGib",
    "deployment",
    "throughputPerTib",
    "throughputMibps",
    "securityGroupIds",
    "retainOnDelete",
    "installDriver",
    "clusterName",
  ],
  (args, addIssue) => {
    if (!args.existing) return;
    refuseGiven(
      args,
      ["subnetIds", "capacityGib", "deployment", "throughputPerTib", "throughputMibps"],
      ofNewOnly,
      addIssue,
    );
    refuseGiven(args, ["securityGroupIds", "retainOnDelete"], ofNewOnly, addIssue);
    if (!args.installDriver) refuseGiven(args, ["clusterName"], ofNewOnly, addIssue);
  },
);

const newRule = rule(
  ["existing?", "subnetIds", "kind", "capacityGib", "securityGroupIds", "clusterName"],
  (args, addIssue) => {
    if (args.existing) return;
    requireGiven(args, ["subnetIds"], "a new file system is in the subnets of the nodes", addIssue);
    if (isLustre(args))
      requireGiven(args, ["capacityGib"], "FSx for Lustre has the capacity that is asked for", addIssue);
    if (!args.securityGroupIds)
      requireGiven(args, ["clusterName"], "the security group of the cluster lets its nodes in", addIssue);
  },
);

const driverRule = rule(["installDriver", "existing?", "securityGroupIds", "clusterName"], (args, addIssue) => {
  if (args.installDriver && (args.existing || args.securityGroupIds))
    requireGiven(args, ["clusterName"], "installDriver installs an add-on of the cluster", addIssue);
});

const listForEfs =
  "EFS has a mount target in each subnet, so their number must be known before anything is created; give a list of outputs, " +
  "such as [vpc.privateSubnetIds[0], vpc.privateSubnetIds[1]]";

const efsRule = rule(
  ["kind", "capacityGib", "zone", "deployment", "throughputPerTib", "subnetIds"],
  (args, addIssue) => {
    if (isLustre(args)) return;
    refuseGiven(args, ["capacityGib"], "EFS grows with what is in it", addIssue);
    refuseGiven(args, ["zone"], "EFS is in every zone that a subnet is in", addIssue);
    refuseGiven(args, ["deployment", "throughputPerTib"], 'is for kind "fsxLustre"', addIssue);
    if (isDeferred(args.subnetIds)) addIssue(["subnetIds"], listForEfs);
  },
);

const lustreRule = rule(["kind", "throughputMibps"], (args, addIssue) => {
  if (isLustre(args))
    refuseGiven(args, ["throughputMibps"], 'is for kind "efs"; FSx for Lustre has throughputPerTib', addIssue);
});

const mountRule = rule(["existing", "kind"], (args, addIssue) => {
  if (!args.existing) return;
  for (const key of ["dnsName", "mountName"] as const)
    if (isLustre(args) === (args.existing[key] === undefined))
      addIssue(
        ["existing", key],
        isLustre(args)
          ? "Lustre is mounted by it (aws fsx describe-file-systems says it); add it"
          : `EFS is mounted by its id; remove ${key}`,
      );
});

const capacityRule = rule(["kind", "capacityGib"], (args, addIssue) => {
  if (!isLustre(args) || args.capacityGib === undefined) return;
  const problem = capacityProblem(args.capacityGib, "FSx for Lustre", capacities);
  if (problem !== undefined) addIssue(["capacityGib"], problem);
});

const throughputRule = rule(["kind", "deployment", "throughputPerTib"], (args, addIssue) => {
  const { throughputPerTib } = args;
  const deployment = deploymentOf(args);
  if (!isLustre(args) || throughputPerTib === undefined || throughputs[deployment].includes(throughputPerTib)) return;
  const choices = throughputs[deployment].join(", ");
  addIssue(
    ["throughputPerTib"],
    choices === ""
      ? `deployment "${deployment}" has a fixed throughput; remove throughputPerTib`
      : `deployment "${deployment}" has ${choices} MB/s for each TiB, not ${throughputPerTib}; use one of these`,
  );
});

const zoneRule = rule(["kind", "zone", "pool", "existing?"], (args, addIssue) => {
  if (!isLustre(args)) return;
  const zone = zoneOf(args);
  if (zone === undefined && !args.existing)
    addIssue(["zone"], "FSx for Lustre is in one zone; name it, or a pool that keeps to one");
  compareZones(args.zone, ["zone"], args.pool, addIssue);
});

/** Rules between the arguments. */
const eksStorageRules: Rule<EksStorageFields>[] = [
  ...[existingRule, newRule, driverRule, efsRule, lustreRule, mountRule],
  ...[capacityRule, throughputRule, zoneRule],
];

const schema = eksStorageFields.check(rules(...eksStorageRules));

/** The spec of shared storage, or one error that names every problem of its arguments. */
export const parseEksSharedStorageArgs = (resourceName: string, args: EksSharedStorageArgs) =>
  settle(parseArgs(schema, "EksSharedStorage", resourceName, args));

/** Arguments of which every one is checked and every default is set. */
export type EksStorageSpec = ReturnType<typeof settle>;

function settle(args: EksStorageFields) {
  const deployment = deploymentOf(args);
  return {
    ...args,
    deployment,
    zone: zoneOf(args),
    throughputPerTib: args.throughputPerTib ?? throughputs[deployment][0],
    retainOnDelete: args.retainOnDelete ?? true,
    subnetIds: args.subnetIds ?? [],
    mountTargets: isLustre(args) || !Array.isArray(args.subnetIds) ? [] : args.subnetIds,
  };
}
