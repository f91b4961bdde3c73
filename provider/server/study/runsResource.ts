import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type * as provider from "@pulumi/pulumi/provider";
import { leftStatus } from "../../core/flux/statuses";
import { FailedRead } from "../../diagnostics/apiServer";
import type { ClusterChoice } from "../../diagnostics/connection/kubeconfig";
import { thrownText, withoutStack } from "../../shared/errors";
import { printable } from "../../shared/printable";
import { type StudyAction, studyInput } from "../../study/flux";
import { isFinal, planOf, planText, type Result } from "../../study/parse/plan";
import type { StudySpec } from "../../study/parse/runs";
import { costOf, nodeHoursOf } from "../../study/results/cells";
import { Results } from "../../study/results/collect";
import { textsOf } from "../../study/results/texts";
import { StudyWait } from "../../study/args";
import { CommandFailed } from "../../diagnostics/exec";
import { newId } from "./id";
import { type Place, Refused, runStudyProgram } from "./lead";
import { type Log, logOf } from "./log";
import { plotOf } from "./plot";
import { Progress } from "./progress";
import { hasSecret, isKnownText, secretOf, withoutSecrets } from "./secrets";

/** Inputs of the resource from the engine: the study, and the place of its lead broker. Any part may be a secret. */
interface Inputs {
  spec: unknown;
  namespace: string;
  jobName: string;
  maxSize?: number;
  /** Settings of the Kubernetes provider, a secret. */
  connection: unknown;
  /** Id of the study, and the key of its hashes, a secret. States of older versions have neither. */
  study?: unknown;
  key?: unknown;
}

/** State of the resource: its inputs, and the results of the runs. */
interface State extends Inputs {
  /** A secret for a study with a secret. */
  results: unknown;
  /** Mark of the resource that a study belongs to. States of older versions have none. */
  owner?: string;
}

/** Error after which the state is kept: the engine records the results so far, and the next operation continues. */
class Incomplete extends Error {
  readonly reasons: string[];

  constructor(
    readonly id: string,
    readonly properties: object,
    reason: string,
  ) {
    super(reason);
    this.reasons = [reason];
  }
}

/** Time limits in milliseconds. */
export const times = {
  /**
   * Time without an entry from the lead broker after which an operation ends; also the maximum time between two
   * attempts.
   */
  patienceMillis: 600_000,
  retryMillis: 3_000,
  /** Time to read the results once, or to end the runs. */
  onceMillis: 60_000,
  /** Time without a message from the program after which a connection ends. The program sends a message every 10 s. */
  silentMillis: 60_000,
};
// Exit statuses of a command whose container was terminated.
const killed = [137, leftStatus];

/** The resource of the runs of a study, with their results as outputs. */
export class StudyRuns {
  private readonly canceled = new AbortController();

  constructor(
    private readonly limits = times,
    private readonly log: (urn: string) => Log = logOf,
  ) {}

  /** Checks that depend on the values of other resources, and a report of the runs of a new study. */
  check = (urn: string, olds: Partial<Inputs>, news: Inputs): Promise<provider.CheckResult> => {
    const [spec, { maxSize }] = [specOf(news), news];
    if (olds.spec === undefined) this.log(urn).info(planText(spec, []) ?? "");
    const failures = [...spec.sizes.entries()]
      .filter(([, size]) => typeof maxSize === "number" && size > maxSize)
      .map(([index, size]) => ({
        property: `spec.sizes[${index}]`,
        reason: `${size} is above ${maxSize}, the maxSize of the MiniCluster; remove this size, or raise maxSize of the MiniCluster`,
      }));
    return Promise.resolve({ inputs: news, failures });
  };

  /** Compares the runs with the results, and reports which runs are new. */
  diff = (_id: string, urn: string, olds: State, news: Inputs): Promise<provider.DiffResult> => {
    // A study of another id has no results. A state without an id keeps its study.
    if (olds.study !== undefined && olds.study !== news.study)
      return Promise.resolve({ changes: true, replaces: ["study"], deleteBeforeReplace: true });
    const results = resultsOf(olds);
    const spec = specOf(isKnownText(withoutSecrets(news.key)) ? news : { ...news, key: olds.key });
    const text = planText(spec, results, specOf(olds));
    if (text !== undefined) this.log(urn).info(text);
    const isIncomplete = planOf(spec, results).next.length > 0;
    const changes = isIncomplete || comparedKeys.some((key) => !isDeepStrictEqual(olds[key], news[key]));
    return Promise.resolve({ changes });
  };

  create = async (urn: string, inputs: Inputs): Promise<provider.CreateResult> => {
    const id = isKnownText(inputs.study) ? inputs.study : newId();
    const state = { ...inputs, results: [], owner: newId() };
    return { id, outs: await this.run(urn, id, state) };
  };

  update = async (id: string, urn: string, olds: State, news: Inputs): Promise<provider.UpdateResult> => ({
    outs: await this.run(urn, id, { ...news, results: olds.results, ...(olds.owner && { owner: olds.owner }) }),
  });

  /** Reads the results that have arrived since. */
  read = async (id: string, urn: string, state: State): Promise<provider.ReadResult> => {
    if (state.spec === undefined)
      throw withoutStack(new Error("the runs of a study cannot be imported: they are created by a Study"));
    const results = new Results(specOf(state), resultsOf(state));
    if (results.left() > 0)
      try {
        await this.runAction(id, "look", state, (entry) => void results.add(entry), this.once());
      } catch (error) {
        this.log(urn).warn(`the results cannot be read: ${thrownText(error)}`);
      }
    return { id, props: await outputsOf(state, results.all()) };
  };

  /** Ends the remaining runs, unless the instance has been deleted. */
  delete = async (id: string, urn: string, state: State): Promise<void> => {
    if (new Results(specOf(state), resultsOf(state)).left() === 0) return;
    try {
      await this.runAction(id, "stop", state, () => undefined, this.once());
    } catch (error) {
      this.log(urn).info(`the remaining runs were not ended: ${thrownText(error)}`);
    }
  };

  cancel = (): Promise<void> => {
    this.canceled.abort();
    return Promise.resolve();
  };

  /** Ends an operation that needs one answer. */
  private once = () => AbortSignal.any([this.canceled.signal, AbortSignal.timeout(this.limits.onceMillis)]);

  /** Runs all runs without a result, and returns the outputs; or throws an error with the outputs so far. */
  private async run(urn: string, id: string, state: State): Promise<object> {
    const [log, spec] = [this.log(urn), specOf(state)];
    const results = new Results(spec, resultsOf(state));
    const outputs = () => outputsOf(state, results.all());
    if (results.left() === 0) return outputs();
    try {
      await this.follow(id, state, results, log);
    } catch (error) {
      throw new Incomplete(id, await outputs(), this.endOf(spec, results, error));
    }
    warnOfFailures(spec, results.all(), log);
    return outputs();
  }

  /** The reason why an operation has ended before the study, and whether the study continues. */
  private endOf({ name }: StudySpec, results: Results, error: unknown): string {
    const reason = this.canceled.signal.aborted ? "interrupted, and they continue in the instance" : thrownText(error);
    return `study ${name}: ${results.left()} runs have no result: ${reason}; the next pulumi up continues with them`;
  }

  /** Follows the runs across lost connections and replaced pods of the lead broker. */
  private async follow(id: string, state: State, results: Results, log: Log): Promise<void> {
    const { patienceMillis, retryMillis } = this.limits;
    const { signal } = this.canceled;
    const spec = specOf(state);
    const progress = new Progress(spec, results, log);
    const action = spec.wait === StudyWait.None ? "start" : "follow";
    let lastNews = Date.now();
    while (true) {
      try {
        await this.runAction(id, action, { ...state, results: results.all() }, (entry) => {
          if (progress.take(entry)) lastNews = Date.now();
        });
        return;
      } catch (error) {
        const left = lastNews + patienceMillis - Date.now();
        if (signal.aborted || isLasting(error) || left < 0) throw error;
        log.status(`waiting for the lead broker: ${thrownText(error)}`);
        await sleep(Math.max(retryMillis, Math.min(pauseOf(error), left)), undefined, { signal });
      }
    }
  }

  private runAction(
    id: string,
    action: StudyAction,
    state: State,
    onEntry: Parameters<typeof runStudyProgram>[2],
    signal = this.canceled.signal,
  ): Promise<void> {
    const spec = specOf(state);
    const { next } = planOf(spec, resultsOf(state));
    const input = studyInput({ study: id, owner: state.owner ?? "", action, spec, next });
    return runStudyProgram(placeOf(state), input, onEntry, { signal, silentMillis: this.limits.silentMillis });
  }
}

/** True for an error that another attempt would not solve. */
const isLasting = (error: unknown) =>
  error instanceof Refused || (error instanceof CommandFailed && !killed.includes(error.exitStatus));

/** The pause in milliseconds that the API server requests. */
const pauseOf = (error: unknown) => (error instanceof FailedRead && Number(error.retryAfter) * 1000) || 0;

/** Inputs of which a change is an update. */
const comparedKeys = ["spec", "namespace", "jobName", "maxSize", "connection"] as const;
const stateKeys = [...comparedKeys, "study", "key", "owner"] as const;

const resultsOf = ({ results }: Pick<State, "results">) => (withoutSecrets(results) ?? []) as Result[];

function specOf({ spec, key: given }: Pick<Inputs, "spec" | "key">): StudySpec {
  const key = withoutSecrets(given);
  return { ...(withoutSecrets(spec) as StudySpec), isSecret: hasSecret(spec), ...(isKnownText(key) && { key }) };
}

const placeOf = ({ namespace, jobName, connection }: Inputs): Place => ({
  namespace,
  jobName,
  cluster: withoutSecrets(connection) as ClusterChoice,
});

/** The outputs: the inputs, the results, and everything derived from these. Output of a run may have its secrets. */
async function outputsOf(state: State, results: Result[], spec = specOf(state)): Promise<object> {
  const hidden = spec.isSecret ? secretOf : <T>(value: T) => value;
  const { table, csv, json } = textsOf(spec, results);
  const failed = results
    .filter(({ error }) => error !== undefined)
    .map(({ app, size, repeat, attempts, error, lastLines = [] }) => ({
      app,
      size,
      repeat,
      attempts,
      error,
      lastLines,
    }));
  return {
    ...Object.fromEntries(stateKeys.flatMap((key) => (state[key] === undefined ? [] : [[key, state[key]]]))),
    results: hidden(results),
    table,
    csv,
    json: hidden(json),
    plot: await plotOf(spec, results),
    failed: hidden(failed),
    nodeHours: nodeHoursOf(results),
    ...(costOf(results) !== undefined && { cost: costOf(results) }),
  };
}

function warnOfFailures(spec: StudySpec, results: Result[], log: Log): void {
  const failed = results.filter((result) => isFinal(result, spec) && result.error !== undefined);
  const hidden = ["the last lines of its output are in the output failed, a secret"];
  for (const { app, size, repeat, error = "", lastLines = [] } of failed.slice(0, 10)) {
    const lines = spec.isSecret && lastLines.length > 0 ? hidden : lastLines.map(printable);
    log.warn([`${app} at ${size}, repeat ${repeat}: ${error}`, ...lines.map((line) => `  ${line}`)].join("\n"));
  }
  if (failed.length > 10) log.warn(`${failed.length - 10} more runs without a result are in the output failed`);
}
