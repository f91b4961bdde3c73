import { z } from "zod";
import { type ClusterChoice, type Connection } from "../../diagnostics/connection/kubeconfig";
import { connectionIfAny, FailedRead, send } from "../../diagnostics/apiServer";
import { configDirectory } from "../../core/parse/paths";
import { jobNameLabel, rankLabel } from "../../core/parse/names";
import { type JournalEntry, journalEntry, studyCommand } from "../../study/flux";
import { printable } from "../../shared/printable";
import { exec, jsonIn } from "./exec";

/** The Job of the lead broker of a study. */
export interface Place {
  cluster: ClusterChoice;
  namespace: string;
  jobName: string;
}

const pods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      status: z.object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })).nullish() }),
      spec: z.object({
        containers: z.array(
          z.object({ name: z.string(), volumeMounts: z.array(z.object({ mountPath: z.string() })).nullish() }),
        ),
      }),
    }),
  ),
});

/** Error that another attempt would not solve. */
export class Refused extends Error {}

/** Runs the program of a study in the container of the lead broker, and passes on the entries of its journal. */
export const runStudyProgram: RunProgram = (place, input, onEntry, options) =>
  untilAborted(options.signal, runProgram(place, input, onEntry, options));

type RunProgram = (
  place: Place,
  input: string,
  onEntry: (entry: JournalEntry) => void,
  options: { signal: AbortSignal; silentMillis: number },
) => Promise<void>;

const runProgram: RunProgram = async (place, input, onEntry, options) => {
  const connection = connectionIfAny(place.cluster);
  if (!connection)
    throw new Refused(
      "no connection to the Kubernetes cluster: no kubeconfig was found; set kubeconfig of the Kubernetes provider",
    );
  let isDone = false;
  let other = "";
  const onLine = (line: string) => {
    const { success, data } = journalEntry.safeParse(jsonIn(line));
    // The entrypoint of the image may write other text first.
    if (!success) other ||= line.trim();
    else if (data.at === "done") isDone = true;
    else onEntry(data);
    return success;
  };
  try {
    const { pod, container } = await leadOf(connection, place);
    const command = { namespace: place.namespace, pod, container, words: studyCommand, input };
    await exec(connection, command, onLine, options);
  } catch (error) {
    // Nothing follows the last entry.
    if (!isDone) throw explained(error);
  }
  const written = other && `; the container has written: ${printable(other).trim().slice(0, 200)}`;
  if (!isDone) throw new Error(`the program of the study has ended without a last entry${written}`);
};

/** An error of the API server in words. A missing permission is not retried. */
function explained(error: unknown): unknown {
  if (!(error instanceof FailedRead)) return error;
  const { success, data } = z.object({ message: z.string() }).safeParse(jsonIn(error.body));
  const message = printable(success ? data.message : error.body)
    .trim()
    .slice(0, 1000);
  if (error.status !== 403) return new FailedRead(error.status, message, error.retryAfter);
  const needed = "grant it list on pods, and get and create on pods/exec";
  return new Refused(`the API server refuses the user of the Kubernetes provider: ${message}; ${needed}`);
}

/** The value of a promise, unless the signal is aborted first. */
function untilAborted<T>(signal: AbortSignal, value: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    void value.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The pod of the lead broker, and the container that runs Flux in it. */
async function leadOf(connection: Connection, { namespace, jobName }: Place) {
  const labelSelector = `${jobNameLabel}=${jobName},${rankLabel}=0`;
  const query = new URLSearchParams({ labelSelector, fieldSelector: "status.phase=Running" });
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?${query}`;
  const { success, data } = pods.safeParse(await send(connection, path));
  if (!success) throw new Error("the API server has sent a list of pods that is not valid");
  // A pod is Ready once its broker runs.
  const lead = data.items.find(({ status }) =>
    status.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True"),
  );
  if (!lead) throw new Error(`Job ${namespace}/${jobName} has no Ready pod of the lead broker`);
  // Admission may have added further containers.
  const container = lead.spec.containers.find(({ volumeMounts }) =>
    volumeMounts?.some(({ mountPath }) => mountPath === configDirectory),
  );
  if (!container) throw new Error(`pod ${lead.metadata.name} of namespace ${namespace} runs no Flux broker`);
  return { pod: lead.metadata.name, container: container.name };
}
