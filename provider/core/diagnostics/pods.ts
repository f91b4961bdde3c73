import type { Read } from "../../diagnostics/apiServer";
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

/** The fields of a pod that show why it is not Ready. */
export interface Pod {
  metadata: { name: string; labels?: Record<string, string>; creationTimestamp?: string; deletionTimestamp?: string };
  spec?: { nodeName?: string };
  status?: {
    phase?: string;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    initContainerStatuses?: Container[];
    containerStatuses?: Container[];
  };
}

/** Progress of a cluster that starts or is resized. */
export interface Progress {
  /** Pods whose brokers have joined. */
  joined: number;
  /** Pods of its size. */
  wanted: number;
  /** Pods that are terminating. */
  terminating: number;
}

/** Read access to a Job with its unique identifier: another cluster may have a Job of the same name. */
export interface JobReader {
  read: Read;
  uid: string;
}

/** Counts the brokers that have joined: their pods are Ready. */
export async function readProgress({ read, uid }: JobReader, { namespace, name }: MiniClusterSpec): Promise<Progress> {
  const { metadata, spec, status } = (await read(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`)) as {
    metadata: { uid: string };
    spec: { parallelism?: number };
    status?: { ready?: number; terminating?: number };
  };
  if (metadata.uid !== uid) throw new Error("this is another Job");
  return { joined: status?.ready ?? 0, wanted: spec.parallelism ?? 1, terminating: status?.terminating ?? 0 };
}

/** Reasons why pods of a cluster are not Ready, one sentence each, the most frequent first. */
export async function readPodProblems(job: JobReader, spec: MiniClusterSpec): Promise<string[]> {
  const pods = await podsOf(job, spec);
  const problems = podProblems(pods);
  return problems.length === 0 ? unreachedLead(job, spec, pods) : problems;
}

/** The address of the lead broker that running followers wait for, from the log of one of them, if it is readable. */
async function unreachedLead({ read }: JobReader, spec: MiniClusterSpec, pods: Pod[]): Promise<string[]> {
  const isLead = ({ labels }: Pod["metadata"]) => spec.role === "lead" && labels?.[rankLabel] === "0";
  const waiting = pods
    .filter(({ metadata, status }) => status?.phase === "Running" && !metadata.deletionTimestamp && !isLead(metadata))
    .filter(({ status }) => status?.containerStatuses?.some(({ name, ready }) => name === spec.main.name && !ready))
    .map(({ metadata }) => metadata.name);
  if (waiting[0] === undefined) return [];
  const query = `container=${spec.main.name}&limitBytes=${logBeginning}`;
  const log = await read(`${podsPath(spec)}/${waiting[0]}/log?${query}`).catch(() => "");
  const reason = /^minicluster: (waiting for the lead broker at \S+)$/m.exec(String(log))?.[1];
  return reason === undefined ? [] : [sentenceOf(waiting, printable(reason))];
}

/** The last lines in the log of the lead broker's container, if it has failed. */
export async function readLastLogLines(job: JobReader, spec: MiniClusterSpec): Promise<string[]> {
  const failed = (await podsOf(job, spec, `,${rankLabel}=0`)).filter(({ status }) => status?.phase === "Failed");
  const last = failed.at(-1);
  if (!last) return [];
  const query = `container=${spec.main.name}&tailLines=${lastLines}`;
  const log = await job.read(`${podsPath(spec)}/${last.metadata.name}/log?${query}`);
  return printable(String(log)).trimEnd().split("\n");
}

async function podsOf({ read, uid }: JobReader, spec: MiniClusterSpec, more = ""): Promise<Pod[]> {
  const selector = encodeURIComponent(`${jobUidLabel}=${uid}${more}`);
  const { items } = (await read(`${podsPath(spec)}?labelSelector=${selector}&limit=${readAtMost}`)) as { items: Pod[] };
  return items.sort((one, other) => startOf(one).localeCompare(startOf(other)));
}

const podsPath = ({ namespace }: MiniClusterSpec) => `/api/v1/namespaces/${namespace}/pods`;

/** Label of a Job's pods with its unique identifier. */
const jobUidLabel = "batch.kubernetes.io/controller-uid";

const startOf = ({ metadata }: Pod) => metadata.creationTimestamp ?? "";

/** Most pods of a cluster that are read to find the reasons. */
export const readAtMost = 500;

const lastLines = 5;

/** Bytes at the beginning of a log, where the script of a follower prints the address. */
const logBeginning = 20_000;

/** Most reasons that are reported: further ones are mostly consequences of these. */
const reportedReasons = 3;

/** Reasons why pods are not Ready, from their own status: one sentence for each reason, the most frequent first. */
export function podProblems(pods: Pod[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const pod of pods) {
    const reason = problemOf(pod);
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name]);
  }
  return [...byReason]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, reportedReasons)
    .map(([reason, names]) => sentenceOf(names, reason));
}

/** A sentence on pods that share a reason. */
const sentenceOf = ([first = "", ...more]: string[], reason: string) =>
  `pod ${first}${more.length > 0 ? ` and ${more.length} more` : ""}: ${reason}`;

/** Reasons to wait that apply to every new pod. */
const usual = ["ContainerCreating", "PodInitializing"];

/** Milliseconds after the end of its grace period for which a pod may still be terminating. */
const lateMillis = 60_000;

/**
 * Reason why a terminating pod does not go: its node no longer responds, and only the kubelet of that node removes the pod. Undefined for
 * one that may still end.
 */
function lostNodeProblem({ metadata, spec = {}, status = {} }: Pod): string | undefined {
  const end = Date.parse(metadata.deletionTimestamp ?? "");
  if (spec.nodeName === undefined || ["Succeeded", "Failed"].includes(status.phase ?? "")) return undefined;
  if (Number.isNaN(end) || Date.now() - end < lateMillis) return undefined;
  const node = printable(spec.nodeName);
  return (
    `has been terminating since ${printable(metadata.deletionTimestamp ?? "")} on node ${node}, and its rank is not replaced until it ` +
    `has gone; if the machine is lost, delete its Node: kubectl delete node ${node}`
  );
}

/** Reasons why terminating pods of a cluster do not go, one sentence for each pod. */
export async function readLostPods(job: JobReader, spec: MiniClusterSpec): Promise<string[]> {
  return (await podsOf(job, spec)).flatMap((pod) => {
    const problem = lostNodeProblem(pod);
    return problem === undefined ? [] : [`pod ${pod.metadata.name} ${problem}`];
  });
}

function problemOf(pod: Pod): string | undefined {
  const { metadata, status = {} } = pod;
  if (metadata.deletionTimestamp !== undefined) return lostNodeProblem(pod);
  if (status.phase === "Succeeded") return undefined;
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

/** The reason and the message of a condition or an event as one text. */
export const sentence = (reason = "", message = "") =>
  printable([reason, message].filter((part) => part !== "").join(": "));
