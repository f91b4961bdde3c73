import { labelSelector, type Read } from "../../diagnostics/apiServer";
import type { Diagnostic } from "../../diagnostics/hooks";
import { propertyPath } from "../../shared/errors";
import { getOrMake } from "../../shared/objects";
import { type Fields, fieldsOf, itemsOf } from "../../shared/reading";
import type { Node, Taint } from "../../clouds/existing/parse/clusterObjects";
import { MiniClusterArch } from "../../clouds/nodes/args";
import { MiniClusterAffinity } from "../args";
import { buildPodTemplate } from "../objects/pods";
import { defaultViews, hasGroups, type MiniClusterSpec } from "../parse/spec";

/** A Job, and the argument of the cluster behind each path of its arguments. */
export interface PlacedJob {
  spec: MiniClusterSpec;
  sourcePathOf: (path: PropertyKey[]) => PropertyKey[];
}

interface Nodes {
  items: Node[];
  /** True if the Kubernetes cluster has more nodes with these labels. */
  isPart: boolean;
}

/** Nodes that are requested beyond those that the pods need, because a control plane and others do not run pods. */
const spareNodes = 16;

/** Maximum number of nodes that are requested: a Node has about 10 kB. */
const mostNodes = 500;

/**
 * Diagnostics on Jobs without a pool whose pods have fewer nodes than they need, or nodes of another architecture. None without
 * the permission to list nodes.
 */
export async function nodeDiagnostics(jobs: PlacedJob[], read: Read): Promise<Diagnostic[]> {
  const lists = new Map<string, Promise<Nodes | undefined>>();
  const all = jobs.map(async (job): Promise<Diagnostic[]> => {
    const pods = podsOf(job.spec);
    if (!pods) return [];
    const path = nodesPath(pods);
    const nodes = await getOrMake(lists, path, () => readNodes(path, read).catch(() => undefined));
    return nodes ? [...shortages(job, pods, nodes), ...wrongArchitectures(job, pods, nodes)] : [];
  });
  const found = (await Promise.all(all)).flat();
  return found.filter(({ message }, index) => found.findIndex((other) => other.message === message) === index);
}

/** The pods of a Job that run beside each other. */
interface Pods {
  needed: number;
  areApart: boolean;
  selector: Record<string, string>;
  template: Fields;
}

/** Undefined if a pool has the nodes of a Job, or no pods run. */
function podsOf(spec: MiniClusterSpec): Pods | undefined {
  if (spec.pool || spec.suspend === true || spec.size === 0) return undefined;
  const template = fieldsOf(buildPodTemplate(spec, {}).spec);
  const entries = Object.entries(fieldsOf(template["nodeSelector"]));
  const known = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const areApart = spec.network.affinity === MiniClusterAffinity.Required;
  return { needed: areApart ? spec.size : 1, areApart, selector: Object.fromEntries(known), template };
}

function nodesPath({ needed, selector }: Pods): string {
  const query = new URLSearchParams({
    limit: String(Math.min(needed + spareNodes, mostNodes)),
    fieldSelector: "spec.unschedulable=false",
    ...(Object.keys(selector).length > 0 && { labelSelector: labelSelector(selector) }),
  });
  return `/api/v1/nodes?${query.toString()}`;
}

async function readNodes(path: string, read: Read): Promise<Nodes> {
  const { items, metadata } = (await read(path)) as { items: Node[]; metadata?: { continue?: string } };
  return { items, isPart: (metadata?.continue ?? "") !== "" };
}

const usableOf = ({ template }: Pods, { items }: Nodes) => items.filter((node) => isUsable(node, template));

/** True if the scheduler may place the pods of a template on a node, by its labels and taints. */
export function isUsable({ metadata: { labels = {} }, spec: { taints = [] } = {} }: Node, template: Fields): boolean {
  const tolerations = itemsOf(template["tolerations"]).map(fieldsOf);
  const repels = taints.filter(({ effect }) => effect !== "PreferNoSchedule");
  if (repels.some((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)))) return false;
  const required = fieldsOf(fieldsOf(template["affinity"])["nodeAffinity"])[
    "requiredDuringSchedulingIgnoredDuringExecution"
  ];
  const terms = itemsOf(fieldsOf(required)["nodeSelectorTerms"]).map(fieldsOf);
  const isSelected =
    terms.length === 0 ||
    terms.some((term) => itemsOf(term["matchExpressions"]).every((each) => matches(fieldsOf(each), labels)));
  return isSelected && labels["kubernetes.io/os"] !== "windows";
}

/** A value that is known only later may match. */
function tolerates({ key, operator, value, effect }: Fields, taint: Taint): boolean {
  const isEqual = (one: unknown, other: string) => (typeof one === "object" ? true : (one ?? "") === other);
  if (effect !== undefined && effect !== "" && effect !== taint.effect) return false;
  if (key !== undefined && key !== "" && !isEqual(key, taint.key)) return false;
  return operator === "Exists" || isEqual(value, taint.value ?? "");
}

function matches({ key, operator, values }: Fields, labels: Record<string, string>): boolean {
  const value = labels[String(key)];
  const isListed = value !== undefined && itemsOf(values).some((each) => typeof each !== "string" || each === value);
  switch (operator) {
    case "In":
      return isListed || (value !== undefined && !Array.isArray(values));
    case "NotIn":
      return !isListed;
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return true;
  }
}

function shortages({ spec, sourcePathOf }: PlacedJob, pods: Pods, nodes: Nodes): Diagnostic[] {
  const usable = usableOf(pods, nodes).length;
  if (!pods.areApart || usable >= pods.needed || nodes.isPart) return [];
  const count = pods.needed === 1 ? "1 node" : `${pods.needed} nodes, one for each pod`;
  const remedy =
    usable === 0
      ? "add nodes, or correct pod.nodeSelector, pod.nodeAffinity, pod.tolerations or flux.arch"
      : 'set network.affinity to "none" to run several pods on a node, or add nodes';
  const what = hasGroups(spec) ? "the lead broker" : `${propertyPath(sourcePathOf(["size"]))} ${pods.needed}`;
  const message = `${what} needs ${count}, and this Kubernetes cluster has ${usable} that these pods can use; ${remedy}`;
  return [{ severity: "info", message }];
}

/** A warning of nodes on which the default Flux view cannot run. */
function wrongArchitectures({ spec, sourcePathOf }: PlacedJob, pods: Pods, nodes: Nodes): Diagnostic[] {
  const { arch, container } = spec.flux;
  if (arch !== undefined || container.disable || container.image !== defaultViews[MiniClusterArch.Amd64]) return [];
  const found = usableOf(pods, nodes).map(({ metadata }) => metadata.labels?.["kubernetes.io/arch"]);
  const other = found.find((each) => each !== undefined && each !== MiniClusterArch.Amd64);
  if (other === undefined) return [];
  const own = found.includes(MiniClusterArch.Amd64) ? `, or to "${MiniClusterArch.Amd64}" to use no other nodes` : "";
  const message =
    `these pods can use nodes of architecture ${other}, and the default Flux view is for ${MiniClusterArch.Amd64}; set ` +
    `${propertyPath(sourcePathOf(["flux", "arch"]))} to "${other}"${own}`;
  return [{ severity: "warning", message }];
}
