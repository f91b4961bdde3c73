import { connectionIfAny, FailedRead } from "../../diagnostics/apiServer";
import type { ClusterChoice } from "../../diagnostics/connection/kubeconfig";
import { exec, jsonIn } from "../../diagnostics/exec";
import { leadPodOf, messageOf, missingRights } from "../../core/diagnostics/leadPod";
import { untilAborted } from "../../shared/aborted";
import { printable } from "../../shared/printable";
import { type JournalEntry, journalEntry, studyCommand } from "../../study/flux";

/** The Job of the lead broker of a study. */
export interface Place {
  cluster: ClusterChoice;
  namespace: string;
  jobName: string;
}

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
    const { pod, container } = await leadPodOf(connection, { namespace: place.namespace, name: place.jobName });
    const command = { namespace: place.namespace, pod, container, words: studyCommand, input };
    await exec(connection, command, onLine, options);
  } catch (error) {
    // Nothing follows the last entry.
    if (!isDone) throw explained(error, place);
  }
  const written = other && `; the container has written: ${printable(other).trim().slice(0, 200)}`;
  if (!isDone) throw new Error(`the program of the study has ended without a last entry${written}`);
};

/** An error of the API server in words. A missing permission is not retried. */
function explained(error: unknown, { namespace }: Place): unknown {
  if (!(error instanceof FailedRead)) return error;
  return error.status === 403
    ? new Refused(missingRights(error, namespace))
    : new FailedRead(error.status, messageOf(error), error.retryAfter);
}
