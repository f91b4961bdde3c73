import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";
import type * as provider from "@pulumi/pulumi/provider";
import type { ClusterChoice } from "../../diagnostics/connection/kubeconfig";
import { hashKnown } from "../../shared/deferred";
import { thrownText } from "../../shared/errors";
import { isPlainObject } from "../../shared/objects";
import { type StudyAction, studyInput } from "../../study/flux";
import { isFinal, planOf, planText, type Result } from "../../study/parse/plan";
import type { StudySpec } from "../../study/parse/runs";
import { costOf, nodeHoursOf } from "../../study/results/cells";
import { Results } from "../../study/results/collect";
import { textsOf } from "../../study/results/texts";
import { StudyWait } from "../../study/args";
import { CommandFailed } from "./exec";
import { type Place, talk } from "./lead";
import { type Log, logOf } from "./log";
import { plotOf } from "./plot";
import { Progress } from "./progress";

/** Inputs of the resource from the engine: the study, and the place of its lead broker. Any part may be a secret. */
interface Inputs {
  spec: unknown;
  namespace: string;
  jobName: string;
  maxSize?: number;
  /** Settings of the Kubernetes provider, a secret. */
  connection: unknown;
}

/** State of the resource: its inputs, and the results of the runs. */
interface State extends Inputs {
  results: Result[];
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

/** Time without a connection to the lead broker after which an operation ends, and between two attempts. */
const [patienceMillis, retryMillis, stopMillis] = [600_000, 3_000, 60_000];
// Exit statuses of a command whose container was terminated.
const killed = [137, 143];

/** The resource of the runs of a study, with their results as outputs. */
export class StudyRuns {
  private readonly canceled = new AbortController();

  /** Checks that depend on the values of other resources, and a report of the runs of a new study. */
  check = (urn: string, olds: Partial<Inputs>, news: Inputs): Promise<provider.CheckResult> => {
    const [spec, { maxSize }] = [specOf(news), news];
    if (olds.spec === undefined) logOf(urn).info(planText(spec, []) ?? "");
    const failures = [...spec.sizes.entries()]
      .filter(([, size]) => typeof maxSize === "number" && size > maxSize)
      .map(([index, size]) => ({
        property: `spec.sizes[${index}]`,
        reason: `${size} is above ${maxSize}, the maxSize of the MiniCluster; remove it, or raise maxSize`,
      }));
    return Promise.resolve({ inputs: news, failures });
  };

  /** Compares the runs with the results, and reports which runs are new. */
  diff = (_id: string, urn: string, state: State, news: Inputs): Promise<provider.DiffResult> => {
    const { results, ...olds } = state;
    const spec = specOf(news);
    const text = planText(spec, results, specOf(olds));
    if (text !== undefined) logOf(urn).info(text);
    const isIncomplete = planOf(spec, results).next.length > 0;
    const changes = isIncomplete || inputKeys.some((key) => !isDeepStrictEqual(olds[key], news[key]));
    return Promise.resolve({ changes });
  };

  create = async (urn: string, inputs: Inputs): Promise<provider.CreateResult> => {
    const id = idOf(urn);
    return { id, outs: await this.run(urn, id, inputs, []) };
  };

  update = async (id: string, urn: string, { results }: State, news: Inputs): Promise<provider.UpdateResult> => ({
    outs: await this.run(urn, id, news, results),
  });

  /** Reads the results that have arrived since. */
  read = async (id: string, urn: string, state: State): Promise<provider.ReadResult> => {
    const spec = specOf(state);
    const results = new Results(spec, state.results);
    if (results.left() > 0)
      try {
        await this.ask(id, "look", state, state.results, (entry) => void results.add(entry));
      } catch (error) {
        logOf(urn).warn(`the results cannot be read: ${thrownText(error)}`);
      }
    return { id, props: await outputsOf(state, results.all()) };
  };

  /** Ends the remaining runs, unless the instance has been deleted. */
  delete = async (id: string, urn: string, state: State): Promise<void> => {
    if (new Results(specOf(state), state.results).left() === 0) return;
    try {
      await this.ask(id, "stop", state, state.results, () => undefined, AbortSignal.timeout(stopMillis));
    } catch (error) {
      logOf(urn).info(`the remaining runs were not ended: ${thrownText(error)}`);
    }
  };

  cancel = (): Promise<void> => {
    this.canceled.abort();
    return Promise.resolve();
  };

  /** Runs everything without a result, and returns the outputs; or an error with the outputs so far. */
  private async run(urn: string, id: string, inputs: Inputs, known: Result[]): Promise<object> {
    const [log, spec] = [logOf(urn), specOf(inputs)];
    const results = new Results(spec, known);
    const outputs = () => outputsOf(inputs, results.all());
    if (results.left() === 0) return outputs();
    try {
      await this.follow(id, inputs, results, log);
    } catch (error) {
      throw new Incomplete(id, await outputs(), this.endOf(spec, results, error));
    }
    sayFailures(spec, results.all(), log);
    return outputs();
  }

  /** Why an operation has ended before the study, and whether the study continues. */
  private endOf({ name }: StudySpec, results: Results, error: unknown): string {
    const reason = this.canceled.signal.aborted ? "interrupted, and they continue in the instance" : thrownText(error);
    return `study ${name}: ${results.left()} runs have no result: ${reason}; the next pulumi up continues with them`;
  }

  /** Follows the runs across lost connections and replaced pods of the lead broker. */
  private async follow(id: string, inputs: Inputs, results: Results, log: Log): Promise<void> {
    const spec = specOf(inputs);
    const progress = new Progress(spec, results, log);
    const action = spec.wait === StudyWait.None ? "start" : "follow";
    let lastEntry = Date.now();
    while (true) {
      try {
        await this.ask(id, action, inputs, results.all(), (entry) => {
          lastEntry = Date.now();
          progress.take(entry);
        });
        return;
      } catch (error) {
        const hasFailed = error instanceof CommandFailed && !killed.includes(error.exitStatus);
        if (this.canceled.signal.aborted || hasFailed || Date.now() - lastEntry > patienceMillis) throw error;
        log.status(`waiting for the lead broker: ${thrownText(error)}`);
        await sleep(retryMillis, undefined, { signal: this.canceled.signal });
      }
    }
  }

  private ask(
    id: string,
    action: StudyAction,
    inputs: Inputs,
    known: Result[],
    onEntry: Parameters<typeof talk>[2],
    signal = this.canceled.signal,
  ): Promise<void> {
    const spec = specOf(inputs);
    return talk(placeOf(inputs), studyInput(id, action, spec, planOf(spec, known).next), onEntry, signal);
  }
}

/** Id of the study in the instance: a hash of the URN, so that the next `up` after one that was killed finds the same runs. */
const idOf = (urn: string) => hashKnown(urn);

const inputKeys = ["spec", "namespace", "jobName", "maxSize", "connection"] as const;

const specOf = ({ spec }: Pick<Inputs, "spec">) => withoutSecrets(spec) as StudySpec;

const placeOf = ({ namespace, jobName, connection }: Inputs): Place => ({
  namespace,
  jobName,
  cluster: withoutSecrets(connection) as ClusterChoice,
});

/** A value with each secret in it in plain text, for use only: outputs keep the original value. */
function withoutSecrets(value: unknown): unknown {
  if (isRpcSecret(value)) return withoutSecrets(unwrapRpcSecret(value));
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutSecrets(part)]));
}

/** The outputs: the inputs, the results, and everything derived from these. */
const outputsOf = async (inputs: Inputs, results: Result[], spec = specOf(inputs)): Promise<object> => ({
  ...Object.fromEntries(inputKeys.flatMap((key) => (inputs[key] === undefined ? [] : [[key, inputs[key]]]))),
  results,
  ...textsOf(spec, results),
  plot: await plotOf(spec, results),
  failed: results
    .filter(({ error }) => error !== undefined)
    .map(({ app, size, repeat, attempts, error, lastLines = [] }) => ({
      app,
      size,
      repeat,
      attempts,
      error,
      lastLines,
    })),
  nodeHours: nodeHoursOf(results),
  ...(costOf(results) !== undefined && { cost: costOf(results) }),
});

function sayFailures(spec: StudySpec, results: Result[], log: Log): void {
  const failed = results.filter((result) => isFinal(result, spec) && result.error !== undefined);
  for (const { app, size, repeat, error = "", lastLines = [] } of failed.slice(0, 10))
    log.warn([`${app} at ${size}, repeat ${repeat}: ${error}`, ...lastLines.map((line) => `  ${line}`)].join("\n"));
  if (failed.length > 10) log.warn(`${failed.length - 10} more runs without a result are in the output failed`);
}
