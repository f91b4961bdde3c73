import * as pulumi from "@pulumi/pulumi";
import { connectionProblem, isRendering, providerSettings, readerOf, type Send } from "../../../diagnostics/apiServer";
import { beforeCreateOrUpdate, beforeUpdate, type Diagnostic } from "../../../diagnostics/hooks";
import { oncePerRun } from "../../../diagnostics/oncePerRun";
import { callsBack } from "../../../shared/children";
import { mapDeferred, whenKnown } from "../../../shared/deferred";
import { propertyPath } from "../../../shared/errors";
import { numberAt } from "../../../shared/objects";
import type { BuildFeatures } from "../../objects/identities";
import type { MiniClusterSpec } from "../../parse/spec";
import { hasDependencies, type PlaceOptions } from "../namespace";
import { nodeDiagnostics } from "../nodes";
import { poolNodeDiagnostics } from "../poolNodes";
import { type Trial, trialsOf } from "./trials";
import { accepted, type Verdict, verdictIn } from "./verdicts";

/** A Job of brokers, and the argument of the cluster behind each path of its arguments. */
export interface JudgedJob {
  spec: MiniClusterSpec;
  build: BuildFeatures;
  sourcePathOf: (path: PropertyKey[]) => PropertyKey[];
}

/** The verdict of the API server on the objects of a cluster, and the hooks that wait for it. */
export interface Judgement {
  /** Hooks for every object. */
  hooks: pulumi.ResourceHookBinding;
  /** Hooks for the patch of a size. */
  sizeHooks: pulumi.ResourceHookBinding;
  /** Whether an update must not begin. A preview does not wait for it. */
  isRejected?: Promise<boolean>;
}

/**
 * Sends all objects of a cluster to the API server in a dry run: in an update before the first object is created, changed or
 * replaced, and in a preview before the first object that would be. A preview without a change sends nothing. A preview that creates
 * objects, changes them or raises a size also has the room on existing nodes, once.
 */
export function judgedByApiServer(resourceName: string, jobs: JudgedJob[], options: PlaceOptions): Judgement {
  if (!callsBack()) return { hooks: {}, sizeHooks: {} };
  const title = `${jobs[0]?.spec.role === "follower" ? "BurstCluster" : "MiniCluster"} ${resourceName}`;
  const { parent: component } = options;
  let pending: Promise<Diagnostic[]> | undefined;
  // The command of a kubeconfig that prints credentials may take a second: it runs once.
  let reader: ReturnType<typeof readerOf> | undefined;
  const access = () => (reader ??= readerOf(component).catch(() => undefined));
  const judge = () => (pending ??= access().then((send) => ask(title, jobs, options, send)));
  const isPreview = pulumi.runtime.isDryRun();
  let isRoomTold = !isPreview;
  const room = async () => {
    if (isRoomTold) return [];
    isRoomTold = true;
    const send = await access();
    return send ? poolNodeDiagnostics(jobs, send) : [];
  };
  const sizeHooks = beforeUpdate(`minicluster:${resourceName}:room`, component, (before, after) => {
    const [old = 0, changed = 0] = [before, after].map((inputs) => numberAt(inputs, "spec", "completions"));
    return changed > old ? room() : [];
  });
  let isTold = false;
  const hooks = beforeCreateOrUpdate(`minicluster:${resourceName}:admission`, component, async () => {
    const isFirst = !isTold;
    isTold = true;
    const [diagnostics, lines] = await Promise.all([judge(), isFirst ? room() : []]);
    const message = `the API server rejects objects of ${title}; the other error has the causes`;
    if (isFirst) return [...diagnostics, ...lines];
    return diagnostics.some(isError) ? [{ severity: "error", message }] : [];
  });
  if (isPreview) return { hooks, sizeHooks };
  // The namespace, for example, comes before the component.
  const isRejected = whenKnown(component.urn).then(async () => (await judge()).some(isError));
  return { hooks, sizeHooks, isRejected: isRejected.catch(() => false) };
}

/** Messages of this run on the Kubernetes cluster as a whole: several clusters of one program have the same messages. */
const known = oncePerRun(() => new Set<string>());

function isNew({ message }: Diagnostic): boolean {
  const isKnown = known().has(message);
  known().add(message);
  return !isKnown;
}

const isError = ({ severity }: Diagnostic) => severity === "error";

/** The objects of a Job of a cluster, with the arguments of the cluster behind their fields. */
export const trialsOfJob = ({ spec, build, sourcePathOf }: JudgedJob): Trial[] =>
  trialsOf(spec, build).map((trial) => ({
    ...trial,
    originOf: (field) => {
      const argument = trial.originOf(field);
      return argument.length > 0 ? sourcePathOf([...argument]) : argument;
    },
  }));

async function ask(
  title: string,
  jobs: JudgedJob[],
  options: PlaceOptions,
  send: Send | undefined,
): Promise<Diagnostic[]> {
  if (!send) return (await withoutConnection(options.parent).catch(() => [])).filter(isNew);
  const isPreview = pulumi.runtime.isDryRun();
  const [judged, nodes] = await Promise.all([
    verdictsOn(jobs.flatMap(trialsOfJob), send),
    isPreview ? nodeDiagnostics(jobs, send) : [],
  ]);
  // Another warning of the preview names the missing namespace and the remedy.
  const isWarned = isPreview && !hasDependencies(options);
  const found = judgementOf(
    title,
    judged.filter(({ verdict }) => !(isWarned && verdict.kind === "unasked" && verdict.lacksNamespace)),
  );
  return [...found.filter((each) => (each.severity !== "info" && each.message !== denied) || isNew(each)), ...nodes];
}

async function withoutConnection(component: pulumi.Resource): Promise<Diagnostic[]> {
  const problem = await connectionProblem(component);
  if (problem !== undefined) return [{ severity: "warning", message: problem }];
  const settings = await providerSettings(component).catch(() => ({}));
  return isRendering(settings) ? [] : [notChecked([{ kind: "unasked", reason: "there is no connection to it yet" }])];
}

/** An object with the verdict on it. */
export interface Judged {
  trial: Trial;
  verdict: Verdict;
}

/** Sends objects to the API server, side by side. */
export const verdictsOn = (trials: Trial[], send: Send): Promise<Judged[]> =>
  Promise.all(trials.map(async (trial) => ({ trial, verdict: await verdictOn(trial, send) })));

async function verdictOn({ path, object, existing }: Trial, send: Send): Promise<Verdict> {
  const known = await resolved(object);
  if (!known) return { kind: "unasked", reason: "some values are known only later" };
  const verdict = await send(`${path}?dryRun=All&fieldValidation=Strict`, known.object).then(() => accepted, verdictIn);
  if (verdict.kind === "exceeds") {
    const exists = await send(existing).then(
      () => true,
      () => false,
    );
    return exists ? accepted : verdict;
  }
  return hidden(verdict, known.secrets);
}

/** An object with the values of its outputs, and the texts among them that are secrets; undefined while a value is unknown. */
async function resolved(object: object): Promise<{ object: object; secrets: string[] } | undefined> {
  const outputs: pulumi.Output<unknown>[] = [];
  mapDeferred(object, (value) => outputs.push(pulumi.output(value)));
  const values = await Promise.all(outputs.map(whenKnown));
  if (values.includes(undefined)) return undefined;
  const areSecret = await Promise.all(outputs.map((output) => pulumi.isSecret(output)));
  const secrets = values.filter(
    (value, index): value is string => areSecret[index] === true && typeof value === "string",
  );
  let next = 0;
  return { object: mapDeferred(object, () => values[next++]) as object, secrets };
}

/** A verdict without the secrets that it repeats. */
function hidden(verdict: Verdict, secrets: string[]): Verdict {
  if (verdict.kind !== "rejected") return verdict;
  const hide = (text: string) =>
    secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[secret]")), text);
  return { kind: "rejected", causes: verdict.causes.map(({ field, message }) => ({ field, message: hide(message) })) };
}

/**
 * The diagnostics of verdicts: one error with every cause, once for each argument, and a note on the objects that the API server
 * did not check.
 */
export function judgementOf(title: string, judged: Judged[]): Diagnostic[] {
  const lines = new Map<string, string>();
  for (const { trial, verdict } of judged)
    if (verdict.kind === "rejected" || verdict.kind === "exceeds")
      for (const { field, message } of verdict.causes) {
        const argument = propertyPath(/^violates PodSecurity/.test(message) ? ["podSecurity"] : trial.originOf(field));
        const place =
          argument === "" ? [trial.name, propertyPath(field)].filter((text) => text !== "").join(": ") : argument;
        // A Job and its pods have the same causes.
        const key = `${argument}: ${message}`;
        lines.set(key, lines.get(key) ?? `  ${place}: ${message}`);
      }
  const lacking = judged.flatMap(({ trial, verdict }): Diagnostic[] => {
    if (verdict.kind !== "lacks") return [];
    return [{ severity: "warning", message: `${trial.name} wait for it: ${verdict.message}; create it first` }];
  });
  if (judged.some(({ verdict }) => verdict.kind === "denied")) return [{ severity: "warning", message: denied }];
  const unasked = judged.map(({ verdict }) => verdict).filter((verdict) => verdict.kind === "unasked");
  const message = [`${title}: the API server rejects it, nothing was changed`, ...lines.values()].join("\n");
  return [
    ...(lines.size > 0 ? [{ severity: "error" as const, message }] : []),
    ...lacking,
    ...(unasked.length > 0 ? [notChecked(unasked)] : []),
  ];
}

const denied =
  "the API server does not accept the credentials of the Kubernetes provider (401 Unauthorized); log in to the Kubernetes cluster " +
  "again, or renew the token in the kubeconfig";

function notChecked(unasked: Extract<Verdict, { kind: "unasked" }>[]): Diagnostic {
  const reasons = [...new Set(unasked.map(({ reason }) => reason))].join("; ");
  const later = pulumi.runtime.isDryRun() ? "; pulumi up checks them before it creates the first object" : "";
  return { severity: "info", message: `not every object was checked by the API server: ${reasons}${later}` };
}
