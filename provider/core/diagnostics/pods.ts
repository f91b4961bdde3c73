import type { Read } from "../../diagnostics/apiServer";
import { printable } from "../../shared/printable";
import { hasLateLead, leadEndpoint } from "../flux/hosts";
import { rankLabel } from "../parse/names";
import { leadVariable } from "../parse/paths";
import type { MiniClusterSpec } from "../parse/spec";

interface Container {
  name: string;
  ready?: boolean;
  state?: {
    running?: object;
    waiting?: { reason?: string; message?: string };
    terminated?: { reason?: string; exitCode: number; message?: string };
  };
}

/** The fields of a pod that show why it is not Ready. */
export interface Pod {
  metadata: { name: string; labels?: Record<string, string>; creationTimestamp?: string; deletionTimestamp?: string };
  spec?: { nodeName?: string; containers?: { name: string; env?: { name: string; value?: string }[] }[] };
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
  /** Pods that its size requires. */
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
  for (const pod of pods.filter(({ status }) => status?.phase === "Failed").slice(-1))
    await readLastWords(job, spec, pod);
  const problems = podProblems(pods);
  return problems.length === 0 ? unjoinedFollowers(spec, pods) : problems;
}

/** Adds the last line of its log to a container that has failed: the runtime writes there that it cannot execute a program. */
async function readLastWords(
  { read }: JobReader,
  spec: MiniClusterSpec,
  { metadata, status = {} }: Pod,
): Promise<void> {
  for (const { name, state = {} } of containersOf(status)) {
    const { terminated } = state;
    if (!terminated || !formatStatuses.includes(terminated.exitCode) || (terminated.message ?? "") !== "") continue;
    const path = `${podsPath(spec)}/${metadata.name}/log?container=${name}&tailLines=1`;
    terminated.message = String(await read(path).catch(() => ""));
  }
}

/** Exit statuses of runtimes that cannot execute a program. */
const formatStatuses = [1, 255];

const containersOf = ({ initContainerStatuses = [], containerStatuses = [] }: NonNullable<Pod["status"]>) => [
  ...initContainerStatuses,
  ...containerStatuses,
];

/** Followers whose container runs, but whose broker has not joined the instance, with the address of their lead broker. */
function unjoinedFollowers(spec: MiniClusterSpec, pods: Pod[]): string[] {
  // With a configuration of the user, only Flux has the address.
  if (spec.flux.brokerConfig) return [];
  const isLead = ({ labels }: Pod["metadata"]) => spec.role === "lead" && labels?.[rankLabel] === "0";
  const unjoined = pods
    .filter(({ metadata, status }) => status?.phase === "Running" && !metadata.deletionTimestamp && !isLead(metadata))
    .filter(({ status }) =>
      status?.containerStatuses?.some(({ name, ready, state }) => name === spec.main.name && !ready && state?.running),
    );
  const [first] = unjoined;
  const address = first && (hasLateLead(spec) ? lateEndpointOf(first, spec) : leadEndpoint(spec));
  if (address === undefined) return [];
  const names = unjoined.map(({ metadata }) => metadata.name);
  return [sentenceOf(names, `has not joined the lead broker at ${printable(address)}`)];
}

/** Address of a lead broker that is known only later: a variable of the pods has it. */
const lateEndpointOf = ({ spec }: Pod, { main }: MiniClusterSpec) =>
  spec?.containers?.find(({ name }) => name === main.name)?.env?.find(({ name }) => name === leadVariable)?.value;

/** The last lines in the log of the lead broker's container, if it has failed. */
export async function readLastLogLines(job: JobReader, spec: MiniClusterSpec): Promise<string[]> {
  const failed = (await podsOf(job, spec, `,${rankLabel}=0`)).filter(({ status }) => status?.phase === "Failed");
  const last = failed.at(-1);
  if (!last) return [];
  const query = `container=${spec.main.name}&tailLines=${lastLines}`;
  const log = await job.read(`${podsPath(spec)}/${last.metadata.name}/log?${query}`);
  const text = printable(String(log)).trimEnd();
  return text === "" ? [] : text.split("\n");
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

/** Maximum number of pods of a cluster that are read to find the reasons. */
export const readAtMost = 500;

const lastLines = 5;

/** Maximum number of reported reasons: further reasons are mostly consequences of these. */
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
 * Reason why a terminating pod is not removed: its node no longer responds, and only the kubelet of that node can remove the pod.
 * Undefined for a pod that may still end.
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

/** Reasons why terminating pods of a cluster are not removed, one sentence for each pod. */
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
  if (unscheduled) return withAdvice(sentence(unscheduled.reason, unscheduled.message));
  for (const { name, state = {} } of containersOf(status)) {
    const { waiting, terminated } = state;
    if (waiting?.reason !== undefined && !usual.includes(waiting.reason))
      return `container ${name}: ${withAdvice(sentence(waiting.reason, waiting.message))}`;
    if (terminated && terminated.exitCode !== 0) {
      const { exitCode, reason, message = "" } = terminated;
      const advice = adviceOn(message);
      return `container ${name} ended with status ${exitCode}${reason ? ` (${reason})` : ""}${advice === undefined ? "" : `: ${advice}`}`;
    }
  }
  return undefined;
}

/** What to do about a cause that Kubernetes or a container runtime reports. */
const advices: [cause: RegExp, advice: string][] = [
  [
    /exec: "?(\/\S*\/)?bash"?: .*(not found|no such file)/,
    "the image has no bash, with which the scripts of the component run; use an image with bash",
  ],
  [
    /exec format error|no match for platform/,
    "the image is for another architecture than the node; use an image for this architecture, or select nodes with flux.arch",
  ],
  [
    /didn't match pod anti-affinity rules/,
    'each pod needs a separate node; add nodes, or set network.affinity to "none" to run several pods on a node',
  ],
];

const adviceOn = (text: string) => advices.find(([cause]) => cause.test(text))?.[1];

/** True for the text of a problem that says what to do. */
export const hasAdvice = (problem: string) => advices.some(([, advice]) => problem.endsWith(advice));

function withAdvice(text: string): string {
  const advice = adviceOn(text);
  return advice === undefined ? text : `${text}; ${advice}`;
}

/** The reason and the message of a condition or an event as one text. */
export const sentence = (reason = "", message = "") =>
  printable([reason, message].filter((part) => part !== "").join(": "));
