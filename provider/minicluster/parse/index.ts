import { z } from "zod";
import { largestPrice } from "../../budget/maxPriceRule";
import { movesRules } from "../../bursting/parse/movesRules";
import { type FeatureRules, jobSchema, normalized } from "../../core/parse/featureRules";
import { inOrder } from "../../core/parse/order";
import { jobsOf, type MiniClusterSpec } from "../../core/parse/spec";
import { clusterWarnings } from "../../core/parse/warnings";
import { type WorkersFields, workersFields } from "../../groups/fields";
import { hasLead, type JobArgs, jobsOfArgs, listContainers } from "../../groups/jobs";
import { leadRules, ownLeadRules, workersRules } from "../../groups/rules";
import { type Issue, issuesOf } from "../../shared/errors";
import { isPlainObject } from "../../shared/objects";
import {
  type AddIssue,
  type Checked,
  checked,
  type Moved,
  once,
  parseArgs,
  type ResultCheck,
  type Rule,
  sourcePath,
} from "../../shared/rules";
import { type ClusterFields, clusterFields } from "./fields";
import { pricedNodes, priceRules } from "./pricedNodes";
import { leadJobRules } from "./rules";
import { type ParsedJobs, buildClusterSpec } from "./spec";

/** A Job of a parsed cluster. */
export interface ParsedJob {
  spec: MiniClusterSpec;
  /** The argument `pool`, whose nodes exist before the pods. */
  pool: unknown;
  /** The argument of the cluster behind a path of the arguments of the Job. */
  sourcePathOf: (path: PropertyKey[]) => PropertyKey[];
}

/** A MiniCluster with every argument checked and every default set. */
export interface ParsedCluster {
  spec: MiniClusterSpec;
  /** Its Jobs, the one with the lead broker first. */
  jobs: [ParsedJob, ...ParsedJob[]];
}

/** The parser of the arguments of a MiniCluster with some features. */
export class ClusterParser {
  private readonly schema: z.ZodType<ParsedCluster>;

  /** Names of all arguments. */
  readonly argumentNames: string[];

  constructor(private readonly features: readonly FeatureRules[]) {
    this.schema = schemaOf(features);
    const shapes = [clusterFields, ...features.flatMap(({ fields = {}, jobFields = {} }) => [fields, jobFields])];
    this.argumentNames = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
  }

  /** The cluster of some arguments, or every problem with them, including the problems that `check` reports for each Job. */
  readonly check = (args: unknown, check: ResultCheck<MiniClusterSpec>): Checked<ParsedCluster> =>
    checked(this.schema, args, (cluster, addIssue) => checkJobs(cluster, check, addIssue));

  /** The cluster of some arguments, or one error that names every problem. Without `name` it has the Pulumi resource name. */
  readonly parse = (
    resourceName: string,
    args: object,
    check: ResultCheck<MiniClusterSpec> = () => undefined,
  ): ParsedCluster =>
    parseArgs(this.schema, "MiniCluster", resourceName, args, (cluster, addIssue) =>
      checkJobs(cluster, check, addIssue),
    );

  /** Warnings on a Job. */
  readonly warnings = (spec: MiniClusterSpec): string[] => [
    ...this.features.flatMap((feature) => feature.warnings?.(spec) ?? []),
    ...clusterWarnings(spec),
  ];
}

/** Checks each Job of a cluster, and reports problems at the arguments that cause them. */
function checkJobs({ jobs }: ParsedCluster, check: ResultCheck<MiniClusterSpec>, addIssue: AddIssue): void {
  const add = once(addIssue);
  for (const job of jobs) check(job.spec, (path, message) => add(job.sourcePathOf(path), message));
}

/**
 * The schema of a MiniCluster. Some rules check the arguments of the whole cluster, and others the arguments of each Job: a group
 * replaces some arguments of the cluster.
 */
function schemaOf(features: readonly FeatureRules[]) {
  const noRules = features.map(({ fields = {}, jobFields = {} }) => ({ name: "", fields, jobFields }));
  const clusterRules = [...priceRules, ...movesRules];
  const wholeOf = (own: Rule<ClusterFields>[]) =>
    jobSchema<ClusterFields>(clusterFields, [...clusterRules, ...own], noRules, { isLead: true });
  const wholes = { withLead: wholeOf(leadRules), alone: wholeOf(ownLeadRules) };
  const lead = jobSchema<ClusterFields>(clusterFields, leadJobRules, features, { isLead: true });
  const workersOf = (isOwn: boolean) => jobSchema<WorkersFields>(workersFields(isOwn), workersRules, features);
  const workers = { own: workersOf(true), only: workersOf(false) };
  const ofFeatures = features.flatMap(({ jobFields = {} }) => Object.keys(jobFields));
  return z.unknown().transform((given, context): ParsedCluster => {
    const { args, moved: listed } = listContainers(isPlainObject(given) ? given : {});
    const jobs = jobsOfArgs(args, ofFeatures).map((job) => normalized(job, features)) as [JobArgs, ...JobArgs[]];
    const origin: Origin = (moved, path) => sourcePath(listed, sourcePath(moved, path));
    const issues: Issue[] = [];
    const parse = <T>(schema: z.ZodType<T>, value: unknown, moved: Moved): T => {
      const { error, data } = schema.safeParse(value, { jitless: true });
      if (error) issues.push(...issuesOf(error).map((issue) => ({ ...issue, path: origin(moved, issue.path) })));
      return data as T;
    };
    const [first, ...groups] = jobs;
    const parsed = {
      lead: parse(lead, isPlainObject(given) ? first.args : given, first.moved),
      cluster: parse(hasLead(args) ? wholes.withLead : wholes.alone, isPlainObject(given) ? args : given, []),
      workers: groups.map((job) => parse(job.group?.isOwn ? workers.own : workers.only, job.args, job.moved)),
    };
    const add = once((path, message) => context.addIssue({ code: "custom", path, message, input: given }));
    for (const { path, message } of issues) add(path, message);
    if (issues.length > 0) return z.NEVER;
    return clusterOf(parsed, jobs, features, origin);
  });
}

/** The argument of the cluster behind a path of the arguments of a Job. */
type Origin = (moved: Moved, path: PropertyKey[]) => PropertyKey[];

function clusterOf(
  { cluster, lead, workers }: ParsedJobs,
  jobs: [JobArgs, ...JobArgs[]],
  features: readonly FeatureRules[],
  origin: Origin,
): ParsedCluster {
  const spec = {
    ...buildClusterSpec({ cluster: inOrder(cluster), lead: inOrder(lead), workers: workers.map(inOrder) }, features),
    largestPricePerHour: largestPrice(pricedNodes(inOrder(cluster))),
  };
  const specs = jobsOf(spec);
  return {
    spec,
    jobs: jobs.map(({ args, moved }, index) => ({
      spec: specs[index] ?? spec,
      pool: args["pool"],
      sourcePathOf: (path) => origin(moved, path),
    })) as [ParsedJob, ...ParsedJob[]],
  };
}
