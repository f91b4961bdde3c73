import { z } from "zod";
import { type ClusterChoice, type Connection } from "../../diagnostics/connection/kubeconfig";
import { connectionIfAny, read } from "../../diagnostics/apiServer";
import { configDirectory } from "../../brokers/parse/paths";
import { jobNameLabel, rankLabel } from "../../brokers/parse/names";
import { type JournalEntry, studyCommand } from "../../study/flux";
import { exec } from "./exec";

/** Where the lead broker of a study runs. */
export interface Place {
  cluster: ClusterChoice;
  namespace: string;
  jobName: string;
}

// The program sends a sign of life every 10 s.
const silentMillis = 60_000;

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

/** Runs the program of a study in the container of the lead broker, and passes on the entries of its journal. */
export async function talk(
  place: Place,
  input: string,
  onEntry: (entry: JournalEntry) => void,
  signal: AbortSignal,
): Promise<void> {
  const connection = connectionIfAny(place.cluster);
  if (!connection) throw new Error("no connection to the Kubernetes cluster: no kubeconfig was found");
  const { pod, container } = await leadOf(connection, place);
  const command = { namespace: place.namespace, pod, container, words: studyCommand, input };
  const onLine = (line: string) => onEntry(JSON.parse(line) as JournalEntry);
  await exec(connection, command, onLine, { signal, silentMillis });
}

/** The pod of the lead broker, and the container that runs Flux in it. */
async function leadOf(connection: Connection, { namespace, jobName }: Place) {
  const labelSelector = `${jobNameLabel}=${jobName},${rankLabel}=0`;
  const query = new URLSearchParams({ labelSelector, fieldSelector: "status.phase=Running" });
  const { items } = pods.parse(await read(connection, `/api/v1/namespaces/${namespace}/pods?${query}`));
  // A pod is Ready once its broker runs.
  const lead = items.find(({ status }) =>
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
