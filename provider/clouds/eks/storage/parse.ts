import { isDeferred } from "../../../shared/deferred";
import { forEachItem, type Rule, parseArgs, ruleOn, rules } from "../../../shared/rules";
import { eksPlace, placeRule } from "../../kubernetes/parse";
import {
  capacityProblem,
  type CapacityRange,
  compareZones,
  ofNewOnly,
  refuseGiven,
  requireGiven,
  zoneOf,
} from "../../storage/parse";
import { type EksSharedStorageArgs, EksSharedStorageDeployment, EksSharedStorageKind } from "./args";
import { type EksStorageFields, eksStorageFields } from "./fields";

const rule = ruleOn<EksStorageFields>();

const isLustre = ({ kind }: Pick<EksStorageFields, "kind">) => kind === EksSharedStorageKind.FsxLustre;
const isBucket = ({ kind }: Pick<EksStorageFields, "kind">) => kind === EksSharedStorageKind.S3;

/** Steps of the capacity with EFA, by MB/s per TiB ("Working with EFA-enabled file systems"). */
const efaSteps: Record<number, number> = { 125: 38_400, 250: 19_200, 500: 9600, 1000: 4800 };

/** Capacities of SSDs (Amazon FSx API reference, CreateFileSystem, StorageCapacity). */
const capacities: CapacityRange[] = [
  { from: 1200, to: 1200, step: 1200 },
  { from: 2400, to: Infinity, step: 2400 },
];

/** MB/s per TiB by deployment type, in ascending order (CreateFileSystemLustreConfiguration, PerUnitStorageThroughput). */
const throughputs: Record<EksSharedStorageDeployment, number[]> = {
  [EksSharedStorageDeployment.Scratch2]: [],
  [EksSharedStorageDeployment.Persistent1]: [50, 100, 200],
  [EksSharedStorageDeployment.Persistent2]: [125, 250, 500, 1000],
  [EksSharedStorageDeployment.IntelligentTiering]: [],
};

/** Deployment type, by default the newest. */
const deploymentOf = ({ deployment }: Pick<EksStorageFields, "deployment">): EksSharedStorageDeployment =>
  deployment ?? EksSharedStorageDeployment.Persistent2;

/** True for a file system whose capacity follows its contents (CreateFileSystemLustreConfiguration, ThroughputCapacity). */
const isTiered = (args: Pick<EksStorageFields, "deployment">) =>
  deploymentOf(args) === EksSharedStorageDeployment.IntelligentTiering;

/** Smallest throughput of Intelligent-Tiering in MB/s, and its step. */
const tieredStep = 4000;

/** Throughput of FSx for Lustre, by default the smallest of its deployment type. */
const throughputOf = ({ throughputPerTib, ...args }: Pick<EksStorageFields, "throughputPerTib" | "deployment">) =>
  throughputPerTib ?? throughputs[deploymentOf(args)][0];

const existingRule = rule(
  [
    "existing?",
    "subnetIds",
    "capacityGib",
    "deployment",
    "throughputPerTib",
    "throughputMbps",
    "throughputMibps",
    "securityGroupIds",
    "retainOnDelete",
    "installDriver",
    "clusterName",
    "efa",
    "imports",
  ],
  (args, addIssue) => {
    if (!args.existing) return;
    refuseGiven(args, ["efa", "imports"], ofNewOnly, addIssue);
    refuseGiven(
      args,
      ["subnetIds", "capacityGib", "deployment", "throughputPerTib", "throughputMbps", "throughputMibps"],
      ofNewOnly,
      addIssue,
    );
    refuseGiven(args, ["securityGroupIds", "retainOnDelete"], ofNewOnly, addIssue);
    if (!args.installDriver) refuseGiven(args, ["clusterName"], ofNewOnly, addIssue);
  },
);

const newRule = rule(
  ["existing?", "subnetIds", "kind", "capacityGib", "deployment", "securityGroupIds", "clusterName", "cluster?"],
  (args, addIssue) => {
    if (args.existing || isBucket(args)) return;
    requireGiven(args, ["subnetIds"], "a new file system is in the subnets of the nodes", addIssue);
    if (isLustre(args) && !isTiered(args))
      requireGiven(args, ["capacityGib"], "FSx for Lustre requires a capacity", addIssue);
    if (!args.securityGroupIds && !args.cluster)
      requireGiven(args, ["clusterName"], "the security group of the EKS cluster admits its nodes", addIssue);
  },
);

const driverRule = rule(
  ["installDriver", "existing?", "kind", "securityGroupIds", "clusterName", "cluster?"],
  (args, addIssue) => {
    if (args.installDriver && !args.cluster && (args.existing || args.securityGroupIds || isBucket(args)))
      requireGiven(args, ["clusterName"], "installDriver installs an add-on of the EKS cluster", addIssue);
  },
);

const driverRoleRule = rule(["installDriver", "driverRoleArn"], (args, addIssue) => {
  if (!args.installDriver) refuseGiven(args, ["driverRoleArn"], "is the role of the add-on of installDriver", addIssue);
});

/** Properties that a bucket does not have. */
const ofFileSystems = [
  ...(["existing", "subnetIds", "zone", "capacityGib", "deployment", "throughputPerTib", "throughputMbps"] as const),
  "throughputMibps" as const,
  ...(["securityGroupIds", "retainOnDelete", "efa", "imports", "tags"] as const),
];

const bucketRule = rule(["kind", "bucket", "installDriver", "clusterName", ...ofFileSystems], (args, addIssue) => {
  if (!isBucket(args)) {
    refuseGiven(args, ["bucket"], 'is for kind "s3"; imports of FSx for Lustre show buckets', addIssue);
    return;
  }
  requireGiven(args, ["bucket"], "Mountpoint for S3 mounts a bucket that exists", addIssue);
  refuseGiven(args, [...ofFileSystems], "describes a file system, not a bucket", addIssue);
  if (!args.installDriver) refuseGiven(args, ["clusterName"], "is for installDriver", addIssue);
});

const listForEfs =
  "EFS has a mount target in each subnet, so their number must be known before anything is created; pass a list of outputs, " +
  "such as [vpc.privateSubnetIds[0], vpc.privateSubnetIds[1]]";

const efsRule = rule(
  ["kind", "capacityGib", "zone", "deployment", "throughputPerTib", "throughputMbps", "subnetIds", "efa", "imports"],
  (args, addIssue) => {
    if (isLustre(args) || isBucket(args)) return;
    refuseGiven(args, ["efa", "imports"], 'is for kind "fsxLustre"', addIssue);
    refuseGiven(args, ["capacityGib"], "EFS grows with its content", addIssue);
    refuseGiven(args, ["zone"], "EFS is in the zones of all its subnets", addIssue);
    refuseGiven(args, ["deployment", "throughputPerTib", "throughputMbps"], 'is for kind "fsxLustre"', addIssue);
    if (isDeferred(args.subnetIds)) addIssue(["subnetIds"], listForEfs);
  },
);

const lustreRule = rule(
  ["kind", "deployment", "capacityGib", "throughputMbps", "throughputMibps", "imports"],
  (args, addIssue) => {
    if (!isLustre(args)) return;
    refuseGiven(args, ["throughputMibps"], 'is for kind "efs"; FSx for Lustre has throughputPerTib', addIssue);
    if (!isTiered(args)) {
      refuseGiven(args, ["throughputMbps"], 'is for deployment "intelligentTiering"', addIssue);
      return;
    }
    refuseGiven(args, ["capacityGib"], "Intelligent-Tiering grows with its content", addIssue);
    refuseGiven(args, ["imports"], "FSx has no data repository associations with Intelligent-Tiering", addIssue);
    if (args.throughputMbps !== undefined && args.throughputMbps % tieredStep !== 0)
      addIssue(["throughputMbps"], `${args.throughputMbps} must be a multiple of ${tieredStep}`);
  },
);

const mountRule = rule(["existing", "kind"], (args, addIssue) => {
  if (!args.existing || isBucket(args)) return;
  for (const key of ["dnsName", "mountName"] as const)
    if (isLustre(args) === (args.existing[key] === undefined))
      addIssue(
        ["existing", key],
        isLustre(args)
          ? "Lustre is mounted by this name (see aws fsx describe-file-systems); add it"
          : `EFS is mounted by its id; remove ${key}`,
      );
});

const capacityRule = rule(["kind", "capacityGib", "efa", "throughputPerTib", "deployment"], (args, addIssue) => {
  if (!isLustre(args) || isTiered(args) || args.capacityGib === undefined) return;
  const throughput = throughputOf(args) ?? 0;
  const step = args.efa ? efaSteps[throughput] : undefined;
  const problem =
    step === undefined
      ? capacityProblem(args.capacityGib, "FSx for Lustre", capacities)
      : capacityProblem(args.capacityGib, `FSx for Lustre with EFA at ${throughput} MB/s per TiB`, [
          { from: step, to: Infinity, step },
        ]);
  if (problem !== undefined) addIssue(["capacityGib"], problem);
});

const efaRule = rule(["kind", "efa", "deployment"], (args, addIssue) => {
  if (isLustre(args) && args.efa && deploymentOf(args) !== EksSharedStorageDeployment.Persistent2)
    addIssue(["efa"], 'requires deployment "persistent2"; remove deployment, or efa');
});

const repositoryRule = rule(["imports[]"], ({ imports = [] }, addIssue) =>
  forEachItem(imports, ({ path }, index) => {
    const other = imports.slice(0, index).find((each) => each && overlaps(path, each.path));
    if (other)
      addIssue(
        ["imports", index, "path"],
        `one of ${path} and ${other.path} contains the other, which FSx for Lustre rejects; use another directory`,
      );
  }),
);

const overlaps = (one: string, other: string) => `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

const throughputRule = rule(["kind", "deployment", "throughputPerTib"], (args, addIssue) => {
  const { throughputPerTib } = args;
  const deployment = deploymentOf(args);
  if (!isLustre(args) || throughputPerTib === undefined || throughputs[deployment].includes(throughputPerTib)) return;
  const choices = throughputs[deployment].join(", ");
  addIssue(
    ["throughputPerTib"],
    choices === ""
      ? `deployment "${deployment}" has no throughput per TiB; remove throughputPerTib`
      : `deployment "${deployment}" has ${choices} MB/s per TiB, not ${throughputPerTib}; use one of these`,
  );
});

const zoneRule = rule(["kind", "zone", "pool", "existing?"], (args, addIssue) => {
  if (!isLustre(args)) return;
  const zone = zoneOf(args);
  if (zone === undefined && !args.existing)
    addIssue(["zone"], "FSx for Lustre is in one zone; set it, or set pool to a pool in a single zone");
  compareZones(args.zone, ["zone"], args.pool, addIssue);
});

/** Rules between the arguments. */
const eksStorageRules: Rule<EksStorageFields>[] = [
  placeRule([], ["clusterName"]),
  existingRule,
  newRule,
  driverRule,
  efsRule,
  lustreRule,
  mountRule,
  capacityRule,
  throughputRule,
  zoneRule,
  driverRoleRule,
  bucketRule,
  efaRule,
  repositoryRule,
];

const schema = eksStorageFields.check(rules(...eksStorageRules));

/** The spec of shared storage, or one error that names every problem of its arguments. */
export const parseEksSharedStorageArgs = (resourceName: string, args: EksSharedStorageArgs) =>
  buildSpec(parseArgs(schema, "EksSharedStorage", resourceName, args));

/** Arguments that are all checked, with every default set. */
export type EksStorageSpec = ReturnType<typeof buildSpec>;

function buildSpec(args: EksStorageFields) {
  const deployment = deploymentOf(args);
  return {
    ...args,
    ...(args.cluster && eksPlace(args)),
    deployment,
    zone: zoneOf(args),
    throughputPerTib: throughputOf(args),
    ...(isLustre(args) && isTiered(args) && { throughputMbps: args.throughputMbps ?? tieredStep }),
    retainOnDelete: args.retainOnDelete ?? true,
    subnetIds: args.subnetIds ?? [],
    imports: args.imports ?? [],
    mountTargets: isLustre(args) || !Array.isArray(args.subnetIds) ? [] : args.subnetIds,
  };
}
