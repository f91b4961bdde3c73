import type { Read } from "../../shared/apiServer";
import { printable } from "../../shared/printable";
import { rankLabel } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";

interface Container {
  name: string;
  ready?: boolean;
  state?: {
    waiting?: { reason?: string; message?: string };
    terminated?: { reason?: string; exitCode: number };
  };
}

/** A pod, as far as it tells why it is not Ready. */
export interface Pod {
  metadata: { name: string; creationTimestamp?: string; deletionTimestamp?: string };
  status?: {
    phase?: string;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    initContainerStatuses?: Container[];
    containerStatuses?: Container[];
  };
}

/** Progress of a cluster that comes up. */
export interface Progress {
  /** Pods whose brokers have joined. */
  joined: number;
  /** Pods that are to run. */
  wanted: number;
  /** Pods that have been told to leave, and have not gone. */
  leaving: number;
}

/** A Job to look at, by its unique identifier: another cluster may have a Job of this name. */
export interface JobToLookAt {
  read: Read;
  uid: string;
}

/** Counts the brokers that have joined: their pods are Ready. */
export async function readProgress(
  { read, uid }: JobToLookAt,
  { namespace, name }: MiniClusterSpec,
): Promise<Progress> {
  const { metadata, spec, status } = (await read(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`)) as {
    metadata: { uid: string };
    spec: { parallelism?: number };
    status?: { ready?: number; terminating?: number };
  };
  if (metadata.uid !== uid) throw new Error("this is another Job");
  return { joined: status?.ready ?? 0, wanted: spec.parallelism ?? 1, leaving: status?.terminating ?? 0 };
}

/** Reasons why pods of a cluster are not Ready, one sentence each, the most frequent first. */
export const readPodProblems = async (job: JobToLookAt, spec: MiniClusterSpec) => podProblems(await podsOf(job, spec));

/** The last lines that the lead broker's container wrote, if it has failed. */
export async function readLastWords(job: JobToLookAt, spec: MiniClusterSpec): Promise<string[]> {
  const failed = (await podsOf(job, spec, `,${rankLabel}=0`)).filter(({ status }) => status?.phase === "Failed");
  const last = failed.at(-1);
  if (!last) return [];
  const query = `container=${spec.main.name}&tailLines=${lastLines}`;
  const log = await job.read(`${podsPath(spec)}/${last.metadata.name}/log?${query}`);
  return printable(String(log)).trimEnd().split("\n");
}

async function podsOf({ read, uid }: JobToLookAt, spec: MiniClusterSpec, more = ""): Promise<Pod[]> {
  const selector = encodeURIComponent(`${jobUidLabel}=${uid}${more}`);
  const { items } = (await read(`${podsPath(spec)}?labelSelector=${selector}&limit=${readAtMost}`)) as { items: Pod[] };
  return items.sort((one, other) => startOf(one).localeCompare(startOf(other)));
}

const podsPath = ({ namespace }: MiniClusterSpec) => `/api/v1/namespaces/${namespace}/pods`;

/** Label by which Kubernetes marks the pods of a Job with its unique identifier. */
const jobUidLabel = "batch.kubernetes.io/controller-uid";

const startOf = ({ metadata }: Pod) => metadata.creationTimestamp ?? "";

/** Most pods of a cluster that are read to find the reasons. */
const readAtMost = 500;

const lastLines = 5;

/** Most reasons that are reported: further ones are seldom more than consequences of these. */
const toldReasons = 3;

/** Reasons why pods are not Ready, from their own status: one sentence for each reason, the most frequent first. */
export function podProblems(pods: Pod[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const pod of pods) {
    const reason = problemOf(pod);
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name]);
  }
  return [...byReason]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, toldReasons)
    .map(
      ([reason, [first = "", ...more]]) =>
        `pod ${first}${more.length > 0 ? ` and ${more.length} more` : ""}: ${reason}`,
    );
}

/** Reasons to wait that every pod passes through. */
const usual = ["ContainerCreating", "PodInitializing"];

function problemOf({ metadata, status = {} }: Pod): string | undefined {
  if (metadata.deletionTimestamp !== undefined || status.phase === "Succeeded") return undefined;
  const unscheduled = status.conditions?.find(
    ({ type, status: state }) => type === "PodScheduled" && state === "False",
  );
  if (unscheduled) return sentence(unscheduled.reason, unscheduled.message);
  for (const { name, state = {} } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const { waiting, terminated } = state;
    if (waiting?.reason !== undefined && !usual.includes(waiting.reason))
      return `container ${name}: ${sentence(waiting.reason, waiting.message)}`;
    if (terminated && terminated.exitCode !== 0)
      return `container ${name} ended with status ${terminated.exitCode}${terminated.reason ? ` (${terminated.reason})` : ""}`;
  }
  return undefined;
}

const sentence = (reason = "", message = "") => printable([reason, message].filter((part) => part !== "").join(": "));

/** What Kueue has noted of a Job or of a resize of it, as far as it tells why it has not been admitted. */
interface Workload {
  status?: { conditions?: { type: string; status: string; message?: string }[] };
}

const group = "/apis/kueue.x-k8s.io";

/** Label by which Kueue marks what it notes of a Job with the Job's unique identifier. */
const workloadLabel = "kueue.x-k8s.io/job-uid";

/** Reasons why Kueue has not admitted a Job or its new size, one sentence each. */
export async function readQueueProblems({ read, uid }: JobToLookAt, spec: MiniClusterSpec): Promise<string[]> {
  if (spec.gang.queueName === undefined) return [];
  const workloads = async () => {
    const { preferredVersion } = (await read(group)) as { preferredVersion: { version: string } };
    const selector = encodeURIComponent(`${workloadLabel}=${uid}`);
    const path = `${group}/${preferredVersion.version}/namespaces/${spec.namespace}/workloads?labelSelector=${selector}`;
    return ((await read(path)) as { items: Workload[] }).items;
  };
  // Without Kueue nothing is admitted, and nobody holds the Job back. Not everybody may look at its notes.
  return (await workloads().catch(() => [])).flatMap(quotaProblem);
}

function quotaProblem({ status }: Workload): string[] {
  const of = (type: string) => status?.conditions?.find((condition) => condition.type === type);
  const reserved = of("QuotaReserved");
  if (of("Finished")?.status === "True" || reserved?.status !== "False") return [];
  return [`Kueue has not admitted it: ${printable(reserved.message ?? "no quota is reserved")}`];
}
