import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { brokerPodsFields } from "../../core/parse/fields";
import { maxPods } from "../../core/parse/names";
import type { ParsedCluster } from "../../minicluster/parse";
import {
  choice,
  dnsLabel,
  integer,
  kindOf,
  leaf,
  list,
  map,
  nonEmptyText,
  object,
  pattern,
  properties,
  text,
  unknownProperty,
  variableName,
} from "../../shared/checks";
import { inputPropertiesError, problemsOf } from "../../shared/errors";
import { isPlainObject, withoutEmpty } from "../../shared/objects";
import { type AddIssue, type Checked, checked, forEachItem, prefixPath, ruleOn, rules } from "../../shared/rules";
import {
  StudyBetter,
  type StudyArgs,
  type StudyClusterArgs,
  type StudyInstanceArgs,
  StudyScaling,
  StudyWait,
} from "../args";
import { jobsOf } from "../../core/parse/spec";
import type { StudySpec } from "./runs";

const figure = object({
  pattern: nonEmptyText,
  unit: text.optional(),
  better: choice(StudyBetter),
});

const app = object({
  command: pattern(/\S/, 'a command for bash, such as "lmp -in in.lj -v x ${size}"'),
  tasksPerNode: integer(1, 4096).default(1),
  gpusPerTask: integer(0, 64).default(0),
  environment: map(variableName, leaf(text)).default({}),
  timeoutSeconds: integer(1, 30 * 86_400).default(3600),
  figure: figure.optional(),
  scaling: choice(StudyScaling).default(StudyScaling.Strong),
});

const instance = object({
  jobName: leaf(nonEmptyText),
  namespace: leaf(nonEmptyText),
  maxSize: leaf(integer(1, maxPods)).optional(),
  image: leaf(nonEmptyText).optional(),
  machineType: nonEmptyText.optional(),
});

const [mostSizes, mostApps, mostRuns] = [100, 100, 10_000];
const isBetween = (count: number, most: number) => count >= 1 && count <= most;

const studyFields = object({
  name: nonEmptyText,
  // The rules of a MiniCluster check it.
  cluster: z.custom<StudyClusterArgs>().optional(),
  instance: z.custom<StudyInstanceArgs>().optional(),
  sizes: list(integer(1, maxPods)).refine(
    (sizes) => isBetween(sizes.length, mostSizes),
    `must have 1 to ${mostSizes} sizes`,
  ),
  repeats: integer(1, 1000).default(1),
  apps: map(dnsLabel, app).refine(
    (apps) => isBetween(Object.keys(apps).length, mostApps),
    `must have 1 to ${mostApps} applications`,
  ),
  retries: integer(0, 100).default(1),
  wait: choice(StudyWait).default(StudyWait.Complete),
});
type StudyFields = z.output<typeof studyFields>;

const rule = ruleOn<StudyFields>();

const studyRules = rules<StudyFields>(
  rule(["sizes[]"], ({ sizes }, addIssue) => {
    forEachItem(sizes, (size, index) => {
      if (sizes.indexOf(size) < index) addIssue(["sizes", index], `${size} is listed twice; use repeats for more runs`);
    });
  }),
  rule(["apps[]"], ({ apps }, addIssue) => {
    for (const [name, { figure: found }] of Object.entries(apps)) {
      const problem = found && patternProblem(found.pattern);
      if (problem !== undefined) addIssue(["apps", name, "figure", "pattern"], problem);
    }
  }),
  rule(["sizes", "repeats", "apps[]"], ({ sizes, repeats, apps }, addIssue) => {
    const count = sizes.length * repeats * Object.keys(apps).length;
    if (count > mostRuns)
      addIssue(
        ["repeats"],
        `results in ${count} runs, more than the ${mostRuns} of a study; lower it, or remove apps or sizes`,
      );
  }),
);

/** The problem with the pattern of a figure. */
function patternProblem(source: string): string | undefined {
  if (/\(\?P?</.test(source.replaceAll(/\(\?<[=!]/g, "")))
    return "must have no named group, whose syntax is different in JavaScript and Python; use (…)";
  try {
    // With an empty alternative, the pattern matches any text, and the match has one item for each group.
    const groups = (new RegExp(`${source}|`).exec("")?.length ?? 0) - 1;
    return groups === 1
      ? undefined
      : `must have one group (…) around the number, and has ${groups}; use (?:…) for others`;
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`;
  }
}

const studySchema = studyFields.check(studyRules);

/** The parsed arguments of a Study, with defaults. */
export interface Study {
  spec: StudySpec;
  /** Arguments of the MiniCluster to create. */
  cluster?: object;
  instance?: StudyArgs["instance"];
}

/** The MiniCluster of some arguments, or every problem with them. */
export type CheckCluster = (args: object) => Checked<ParsedCluster>;

/** The study, or one error that names every problem of its arguments, including the arguments of its MiniCluster. */
export function parseStudyArgs(resourceName: string, args: StudyArgs, checkCluster: CheckCluster): Study {
  const given: Partial<StudyArgs> = properties(args);
  const { data: fields, issues } = checked(studySchema, { ...given, name: resourceName }, () => undefined);
  const addIssue: AddIssue = (path, message) => issues.push({ path, message });
  if (!isPlainObject(args)) addIssue([], `is ${kindOf(args)}; must be an object with properties`);
  // The other arguments are checked even if sizes are invalid.
  const sizes = Array.isArray(given.sizes) ? given.sizes.filter((size) => Number.isInteger(size) && size > 0) : [];
  const places = { name: resourceName, cluster: given.cluster, instance: given.instance, sizes };
  const own = checkPlaces(places, checkCluster, addIssue);
  if (!fields || issues.length > 0) throw inputPropertiesError(`Study ${resourceName}`, problemsOf(issues));
  const { name, repeats, apps, retries, wait } = fields;
  // With a separate lead broker, the last Job is the Job of the workers.
  const { main, pool } = (own && jobsOf(own).at(-1)) ?? {};
  const { machineType = fields.instance?.machineType, pricePerHour, currency } = pool ?? {};
  const known = { image: main?.image ?? fields.instance?.image, machineType, pricePerHour, currency };
  // Only the plugin has the values of outputs, and only the plugin reads variables and image.
  const spec = { name, sizes: fields.sizes, repeats, apps, retries, wait, ...withoutEmpty(known) } as StudySpec;
  return {
    spec,
    ...(fields.cluster && { cluster: clusterOf(fields, fields.cluster) }),
    ...(fields.instance && { instance: fields.instance }),
  };
}

/** Names of the arguments of the MiniCluster of a study. The study sets all other arguments itself. */
const clusterArgs = [
  ...Object.keys(brokerPodsFields),
  "gang",
  "maxPricePerHour",
  "name",
  "maxSize",
  "autoscale",
  "lead",
  "metrics",
  "console",
  "flux",
];

type Places = Pick<StudyFields, "name" | "sizes" | "cluster" | "instance">;

/** Checks the MiniCluster of the runs: a MiniCluster of the study, or an existing MiniCluster. */
function checkPlaces(study: Places, checkCluster: CheckCluster, addIssue: AddIssue) {
  const { cluster, instance: given, sizes } = study;
  if ((cluster === undefined) === (given === undefined))
    addIssue(
      ["cluster"],
      "set either cluster, for a MiniCluster of the study, or instance, for an existing MiniCluster",
    );
  if (given !== undefined) checkInstance(given, sizes, prefixPath(addIssue, "instance"), addIssue);
  if (cluster === undefined) return undefined;
  // Without the narrowing of the guard, which has no argument.
  const isArguments: boolean = isPlainObject(cluster);
  if (!isArguments) {
    addIssue(["cluster"], `is ${kindOf(cluster)}; must be the arguments of a MiniCluster`);
    return undefined;
  }
  for (const key of Object.keys(cluster))
    if (!clusterArgs.includes(key)) addIssue(["cluster", key], unknownProperty(key, clusterArgs));
  const { issues, data } = checkCluster(clusterOf(study, cluster));
  for (const { path, message } of issues) addIssue(["cluster", ...path], message);
  if (cluster.maxSize !== undefined) checkSizes(sizes, cluster.maxSize, "cluster.maxSize", addIssue);
  else if (cluster.autoscale) checkSizes(sizes, cluster.autoscale.max, "cluster.autoscale.max", addIssue);
  return data?.spec;
}

function checkInstance(given: unknown, sizes: number[], addBelow: AddIssue, addIssue: AddIssue): void {
  const isComponent = pulumi.Resource.isInstance(given);
  if (!isComponent && !isPlainObject(given)) {
    addBelow([], `is ${kindOf(given)}; must be a MiniCluster, or its outputs jobName and namespace`);
    return;
  }
  const { issues, data } = checked(
    instance,
    isComponent ? partsOf(given as unknown as StudyInstanceArgs) : given,
    () => undefined,
  );
  for (const { path, message } of issues) addBelow(path, message);
  if (typeof data?.maxSize === "number") checkSizes(sizes, data.maxSize, "instance.maxSize", addIssue);
}

function checkSizes(sizes: number[], most: number, limit: string, addIssue: AddIssue): void {
  for (const [index, size] of sizes.entries())
    if (size > most)
      addIssue(["sizes", index], `${size} is above ${limit} ${most}; remove this size, or raise the limit`);
}

/** The parts of a MiniCluster that a study uses. */
const partsOf = ({ jobName, namespace, maxSize }: StudyInstanceArgs) => ({ jobName, namespace, maxSize });

// The next run is submitted at once when a run has ended, so that idle hosts can be removed soon.
const pace = { idleSeconds: 10, cooldownSeconds: 10 };

/** Arguments of the MiniCluster of a study. */
function clusterOf({ name, sizes }: Pick<StudyFields, "name" | "sizes">, given: StudyClusterArgs): object {
  const largest = Math.max(1, ...sizes);
  return {
    name,
    // A size above maxSize is rejected elsewhere.
    autoscale: { max: Math.min(largest, given.maxSize ?? largest), ...pace },
    maxSize: given.autoscale?.max ?? largest,
    ...Object.fromEntries(Object.entries(given).filter(([key]) => clusterArgs.includes(key))),
    interactive: true,
  };
}
