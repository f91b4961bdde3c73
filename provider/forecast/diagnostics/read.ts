import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { leadPodOf, missingRights } from "../../core/diagnostics/leadPod";
import { clusterSelector, rankLabel } from "../../core/parse/names";
import type { LeadSpec } from "../../core/parse/spec";
import { connectionOf, FailedRead, labelSelector, send } from "../../diagnostics/apiServer";
import type { Connection } from "../../diagnostics/connection/kubeconfig";
import { exec, jsonIn } from "../../diagnostics/exec";
import { untilAborted } from "../../shared/aborted";
import { queueCommand } from "../flux/scripts";
import { parseReading, type Reading } from "../parse/reading";

/** What a preview finds out about the instance of a cluster: its queue, or why it may not read it. */
export type InstanceReading =
  | {
      reading: Reading;
      /** Time that the pods which were created last took to become Ready, in seconds. */
      arrivalSeconds?: number;
    }
  | { refused: string };

/** The cluster whose instance is read. */
type Cluster = Pick<LeadSpec, "namespace" | "name" | "groups">;

/** Milliseconds in which the API server has to answer, and then the program: a busy lead broker needs some seconds to start it. */
const [answerMillis, readMillis] = [2_000, 10_000];

/**
 * Reads the instance of a cluster in the pod of its lead broker. Undefined without a connection, a running lead broker or an answer
 * in time, and for a cluster of a version of this package without the program.
 */
export async function readInstance(component: pulumi.Resource, cluster: Cluster): Promise<InstanceReading | undefined> {
  const controller = new AbortController();
  const endAfter = (millis: number) => setTimeout(() => controller.abort(new Error("no answer in time")), millis);
  let timer = endAfter(answerMillis);
  const answered = () => {
    clearTimeout(timer);
    timer = endAfter(readMillis);
  };
  try {
    return await untilAborted(controller.signal, readBy(component, cluster, { signal: controller.signal, answered }));
  } catch (error) {
    const isRefused = error instanceof FailedRead && error.status === 403;
    return isRefused ? { refused: missingRights(error, cluster.namespace) } : undefined;
  } finally {
    clearTimeout(timer);
    // Ends the requests that are still open: the program of the user does not end before them.
    controller.abort();
  }
}

async function readBy(
  component: pulumi.Resource,
  cluster: Cluster,
  { signal, answered }: { signal: AbortSignal; answered: () => void },
) {
  const connection = await connectionOf(component);
  if (!connection) return undefined;
  const place = await leadPodOf(connection, cluster, signal);
  answered();
  const [reading, arrivalSeconds] = await Promise.all([
    readQueue(connection, { ...place, namespace: cluster.namespace }, signal),
    readArrival(connection, cluster, place.pod, signal),
  ]);
  return reading && { reading, ...(arrivalSeconds !== undefined && { arrivalSeconds }) };
}

/** The line of the program that is a reading. The entrypoint of the image may write other lines. */
const readQueue = (
  connection: Connection,
  place: { namespace: string; pod: string; container: string },
  signal: AbortSignal,
): Promise<Reading | undefined> =>
  new Promise((resolve, reject) => {
    const onLine = (line: string) => {
      const reading = parseReading(jsonIn(line));
      if (reading) resolve(reading);
      return reading !== undefined;
    };
    const command = { ...place, words: queueCommand };
    exec(connection, command, onLine, { signal, silentMillis: readMillis }).then(() => resolve(undefined), reject);
  });

const createdPods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string(), creationTimestamp: z.string() }),
      status: z.object({
        conditions: z
          .array(z.object({ type: z.string(), status: z.string(), lastTransitionTime: z.string().nullish() }))
          .nullish(),
      }),
    }),
  ),
});

// Pods that were created within this time of the newest one belong to the same growth.
const [mostPods, growthMillis] = [250, 60_000];

/** Longest time from creation to Ready of the brokers' pods that were created last, in seconds; undefined without such pods. */
async function readArrival(
  connection: Connection,
  { namespace, ...cluster }: Cluster,
  lead: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const selector = `${labelSelector(clusterSelector(cluster))},${rankLabel}`;
  const query = new URLSearchParams({ labelSelector: selector, limit: String(mostPods) });
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?${query}`;
  // The reading of the queue is useful without it.
  const answer = await send(connection, path, undefined, signal).catch(() => undefined);
  const items = createdPods.safeParse(answer).data?.items ?? [];
  const times = items.flatMap(({ metadata, status }) => {
    const ready = status.conditions?.find((condition) => condition.type === "Ready" && condition.status === "True");
    const [created, arrived] = [metadata.creationTimestamp, ready?.lastTransitionTime ?? ""].map(Date.parse);
    const isWorker = metadata.name !== lead && created! <= arrived!;
    return isWorker ? [{ created: created!, millis: arrived! - created! }] : [];
  });
  const newest = Math.max(...times.map(({ created }) => created));
  const last = times.filter(({ created }) => newest - created <= growthMillis);
  return last.length > 0 ? Math.max(...last.map(({ millis }) => millis)) / 1000 : undefined;
}
