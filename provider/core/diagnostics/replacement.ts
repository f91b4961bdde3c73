import * as pulumi from "@pulumi/pulumi";
import { type Read, readerOf } from "../../diagnostics/apiServer";
import { beforeCreate, type Diagnostic, type Inputs } from "../../diagnostics/hooks";
import { isDeferred, mapDeferred, whenKnown } from "../../shared/deferred";
import { propertyPath } from "../../shared/errors";
import { andList } from "../../shared/printable";
import { type Fields, fieldsOf, itemsOf } from "../../shared/reading";
import { MiniClusterResize } from "../args";
import { renderConfigFiles } from "../flux/configFiles";
import { configHashAnnotation, configMapName, environmentHashAnnotation, volumeNames } from "../parse/names";
import { isResizedByPatch, type MiniClusterSpec } from "../parse/spec";
import { originInBrokers } from "./admission/origins";
import { type CreatedJob, creationNotices } from "./creation";
import { differences } from "./differences";
import { fileOrigins } from "./fileOrigins";
import { hasEnded, type JobState, lostJobs, replacementWarnings, scriptWarnings } from "./job";

type Path = readonly PropertyKey[];

/** A Job that the update replaces. */
interface Replaced {
  job: CreatedJob;
  live: JobState & Inputs;
  arguments: string[];
}

/**
 * Jobs of a cluster that an update creates or replaces. The preview of a replacement shows the fields that change, and not the
 * arguments that set them, or what is lost.
 */
export class Creations {
  private isNew = false;
  private readonly created = new Set<string>();
  private readonly reported = new Set<string>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly resourceName: string,
    private readonly jobs: CreatedJob[],
    private readonly component: pulumi.Resource,
  ) {}

  /** True if the update creates or replaces a Job. To be called after the engine has reached the Job. */
  readonly includes = ({ name }: MiniClusterSpec) => this.created.has(name);

  /** Hook on the first object, which only a new cluster creates. */
  hookOnService(): pulumi.ResourceHookBinding {
    return beforeCreate(`minicluster:${this.resourceName}:new`, this.component, () => {
      this.isNew = true;
      return creationNotices(this.jobs);
    });
  }

  /** Hook on a Job: in a preview, one line for all Jobs of the cluster that are replaced, with the cause and the loss. */
  hookOnJob(spec: MiniClusterSpec): pulumi.ResourceHookBinding {
    return beforeCreate(`minicluster:${spec.name}:replaced`, this.component, async () => {
      this.created.add(spec.name);
      if (this.isNew || !pulumi.runtime.isDryRun()) return [];
      // The engine reaches several Jobs at the same time, and the first one reports all of them.
      const turn = this.turn.then(() => this.describe(spec)).catch(() => []);
      this.turn = turn;
      return turn;
    });
  }

  private async describe({ name }: MiniClusterSpec): Promise<Diagnostic[]> {
    const read = this.reported.has(name) ? undefined : await readerOf(this.component);
    if (!read) return [];
    const all = await Promise.all(this.jobs.map((job) => readReplaced(read, job).catch(() => undefined)));
    // Another warning has the cause and its remedy.
    if (all.some((one) => one?.isExplained)) return [];
    const found = all.flatMap((one) => one?.replaced ?? []);
    const replaced = found.filter(({ job, arguments: names }) => names.length > 0 || job.spec.name === name);
    for (const { job } of replaced) this.reported.add(job.spec.name);
    return replaced.length === 0 ? [] : [{ severity: "info", message: describeReplacement(replaced) }];
  }
}

/** What the live objects of a Job show; undefined if it does not exist, and is created. */
async function readReplaced(read: Read, job: CreatedJob): Promise<{ isExplained: boolean; replaced: Replaced }> {
  const { spec, manifests, features } = job;
  const { namespace, name } = spec;
  const [live, config] = (await Promise.all([
    read(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`),
    read(`/api/v1/namespaces/${namespace}/configmaps/${configMapName(spec)}`),
  ])) as [JobState & Inputs, Inputs];
  const { job: wanted, jobScale, configScale } = manifests as unknown as Record<string, Inputs>;
  const warnings = [
    ...(isResizedByPatch(spec) ? replacementWarnings(spec, features, live, jobScale ?? {}) : []),
    ...scriptWarnings(spec, config, configScale ?? {}),
  ];
  const known = (await withKnown(wanted)) as Fields;
  const names = changedArguments(job, {
    live,
    wanted: known,
    files: fieldsOf(config["data"]) as Record<string, string>,
  });
  // The hook on the agent warns of its largest size.
  const isExplained = warnings.length > 0 || names.join() === "autoscale.max";
  return { isExplained, replaced: { job, live, arguments: names } };
}

/** A value with the values of its outputs that are known. */
async function withKnown(value: unknown): Promise<unknown> {
  const outputs: pulumi.Output<unknown>[] = [];
  mapDeferred(value, (leaf) => outputs.push(pulumi.output(leaf)));
  const values = await Promise.all(outputs.map(async (output) => (await whenKnown(output)) ?? output));
  let next = 0;
  return mapDeferred(value, () => values[next++]);
}

interface Compared {
  live: Inputs;
  wanted: Fields;
  /** Live files of the ConfigMap. */
  files: Record<string, string>;
}

/** Arguments of the cluster that a change has replaced the Job for, as paths. */
function changedArguments({ spec, sourcePathOf }: CreatedJob, { live, wanted, files }: Compared): string[] {
  const [old, changed] = [live, wanted].map((job) => fieldsOf(fieldsOf(job)["spec"])) as [Fields, Fields];
  const template = differences(old["template"], changed["template"]);
  // Otherwise a patch or the agent sets the count.
  const counts =
    spec.resize === MiniClusterResize.Manifest ? differences(old["completions"], changed["completions"]) : [];
  const paths = [
    ...counts.map(() => ["size"]),
    ...template.flatMap((path): Path[] => {
      if (path.at(-1) === configHashAnnotation) return fileOrigins(spec, files, renderConfigFiles(spec));
      if (path.at(-1) === environmentHashAnnotation) return lateVariables(spec);
      return [originInBrokers(spec, fieldsOf(changed["template"]), path)];
    }),
  ];
  return distinctPaths(paths.filter(({ length }) => length > 0).map((path) => sourcePathOf([...path])));
}

/** Paths in text, each once, without the paths below another one. */
function distinctPaths(paths: Path[]): string[] {
  const texts = [...new Set(paths.map(propertyPath))];
  return texts.filter(
    (text) =>
      !texts.some((other) => text !== other && /^[.[]/.test(text.slice(other.length)) && text.startsWith(other)),
  );
}

/** The arguments with the variables whose values are known only later. */
const lateVariables = ({ main, sidecars }: MiniClusterSpec): Path[] =>
  [main, ...sidecars]
    .filter(({ environment }) => Object.values(environment).some(isDeferred))
    .map(({ index }) => ["containers", index, "environment"]);

/** Maximum number of arguments that are named. */
const namedArguments = 4;

function describeReplacement(replaced: Replaced[]): string {
  const names = [...new Set(replaced.flatMap((one) => one.arguments))];
  const more = names.length - namedArguments;
  const shown = more > 0 ? [...names.slice(0, namedArguments), `${more} more`] : names;
  const isOne = replaced.length === 1;
  const jobs = `the ${isOne ? "Job" : "Jobs"} ${andList(replaced.map(({ job }) => job.spec.name))}`;
  const cause =
    names.length === 0
      ? `${jobs} ${isOne ? "is" : "are"} replaced`
      : `${andList(shown)} ${names.length === 1 ? "has" : "have"} changed, which replaces ${jobs}`;
  return `${cause}: ${lossOf(replaced.filter(runs))}`;
}

const runs = ({ live }: Replaced) => live.spec?.suspend !== true && !hasEnded(live);

/** What the replacement of running Jobs ends. */
function lossOf(running: Replaced[]): string {
  const pods = running.reduce((sum, { live }) => sum + (live.spec?.parallelism ?? 0), 0);
  if (pods === 0) return "no pod runs, so nothing is lost";
  const lead = running.find(({ job }) => job.spec.role === "lead");
  const restart = pods === 1 ? "its pod restarts" : `${running.length === 1 ? "its" : "their"} ${pods} pods restart`;
  if (!lead) return `${restart}, and the jobs that run there are lost`;
  const { spec } = lead.job;
  const again = spec.role === "lead" && spec.mode !== "interactive" ? ", the command starts again" : "";
  const isStored = hasStateVolume(lead.live);
  return `${restart}${again}, ${isStored ? "" : "and "}${lostJobs(spec, isStored)}`;
}

/** True for a lead broker that has its state on a volume. */
const hasStateVolume = (live: Inputs) =>
  itemsOf(fieldsOf(fieldsOf(fieldsOf(live["spec"])["template"])["spec"])["volumes"]).some(
    (volume) => fieldsOf(volume)["name"] === volumeNames.state,
  );
