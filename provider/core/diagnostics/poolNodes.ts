import {
  amountOn,
  type Device,
  type DeviceClass,
  devicesByNode,
  type Node,
  type ResourceSlice,
  testOf,
} from "../../clouds/existing/parse/clusterObjects";
import { untolerated, taintText, lastingTaints } from "../../clouds/existing/parse/taints";
import { poolLabel } from "../../clouds/nodes/parse/scheduling";
import type { PoolSpec } from "../../clouds/nodes/parse/pool";
import { labelSelector, type Read } from "../../diagnostics/apiServer";
import type { Diagnostic } from "../../diagnostics/hooks";
import { propertyPath } from "../../shared/errors";
import { type Fields, fieldsOf } from "../../shared/reading";
import { MiniClusterAffinity } from "../args";
import { buildPodTemplate } from "../objects/pods";
import { jobSelector } from "../parse/names";
import { isAutoscaled, type MiniClusterSpec } from "../parse/spec";
import { isUsable, type PlacedJob } from "./nodes";
import { amountsIn, isFull, type NodeRoom, place, podRequests, type PodNeeds } from "./room";

/** Maximum number of nodes that are read, with a request for the pods of each. */
const mostNodes = 128;

/** True for nodes that no pool of this package makes, and which exist in a preview. */
const exists = ({ nodeSelector }: PoolSpec) => !Object.hasOwn(nodeSelector, poolLabel);

/**
 * A line on the existing nodes of each pool that this package does not make: what they have, and how many pods find room now, as the
 * scheduler counts it. Without the permission to list pods, pods of others do not count.
 */
export async function poolNodeDiagnostics(jobs: PlacedJob[], read: Read): Promise<Diagnostic[]> {
  const pools = new Map<string, PlacedJob[]>();
  for (const job of jobs) {
    const { pool, suspend } = job.spec;
    if (!pool || !exists(pool) || suspend === true) continue;
    const key = JSON.stringify(pool.nodeSelector);
    pools.set(key, [...(pools.get(key) ?? []), job]);
  }
  const lines = [...pools.values()].map((each) => lineOn(each, read).catch(() => []));
  return (await Promise.all(lines)).flat();
}

interface Pod {
  metadata: { namespace: string; uid?: string; labels?: Record<string, string> };
  spec: Fields;
}

interface Claim {
  metadata: { ownerReferences?: { uid: string }[] };
  status?: { allocation?: { devices?: { results?: AllocatedDevice[] } } };
}

interface AllocatedDevice {
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean;
}

async function lineOn(jobs: PlacedJob[], read: Read): Promise<Diagnostic[]> {
  const [{ spec }] = jobs as [PlacedJob];
  const pool = spec.pool!;
  const labels = labelSelector(pool.nodeSelector);
  const query = new URLSearchParams({ limit: String(mostNodes), labelSelector: labels });
  const { items, metadata } = (await read(`/api/v1/nodes?${query.toString()}`)) as List<Node>;
  if (items.length === 0)
    return [
      {
        severity: "info",
        message: `pool ${pool.pool}: no node has its labels now (${labels}); pods wait until one is added`,
      },
    ];
  const pods = await podsOn(items, jobs, read);
  const devices = await freeDevices(jobs, pods, read);
  const isPart = (metadata?.continue ?? "") !== "";
  return [describe(jobs, { nodes: items, isPart, pods: pods?.others, ...devices })];
}

interface List<T> {
  items: T[];
  metadata?: { continue?: string };
}

interface Pods {
  /** By the name of their node, without the pods of the Jobs themselves. */
  others: Map<string, Pod[]>;
  /** UIDs of the pods of the Jobs. */
  own: Set<string>;
}

/** Pods on nodes; undefined without the permission to list pods. */
async function podsOn(nodes: Node[], jobs: PlacedJob[], read: Read): Promise<Pods | undefined> {
  const isOwn = ({ metadata: { namespace, labels = {} } }: Pod) =>
    jobs.some(
      ({ spec }) =>
        spec.namespace === namespace &&
        Object.entries(jobSelector(spec)).every(([key, value]) => labels[key] === value),
    );
  const own = new Set<string>();
  const lists = nodes.map(async ({ metadata: { name } }) => {
    const fieldSelector = `spec.nodeName=${name},status.phase!=Succeeded,status.phase!=Failed`;
    const { items } = (await read(`/api/v1/pods?${new URLSearchParams({ fieldSelector }).toString()}`)) as List<Pod>;
    for (const { metadata } of items.filter(isOwn)) own.add(metadata.uid ?? "");
    return [name, items.filter((pod) => !isOwn(pod))] as const;
  });
  return Promise.all(lists).then(
    (all) => ({ others: new Map(all), own }),
    () => undefined,
  );
}

interface Devices {
  classes: DeviceClass[];
  /** Devices that no other pod has, by the name of their node. */
  devices: Map<string, Device[]>;
}

/** Devices that no claim of other pods has, if one of the pools claims devices. */
async function freeDevices(jobs: PlacedJob[], pods: Pods | undefined, read: Read): Promise<Devices> {
  if (jobs.every(({ spec }) => spec.pool?.claims.length === 0)) return { classes: [], devices: new Map() };
  const [classes, slices, claims] = (await Promise.all(
    ["deviceclasses", "resourceslices", "resourceclaims"].map((kind) => read(`/apis/resource.k8s.io/v1/${kind}`)),
  )) as [List<DeviceClass>, List<ResourceSlice>, List<Claim>];
  const isOfOthers = ({ metadata: { ownerReferences = [] } }: Claim) =>
    pods !== undefined && !ownerReferences.some(({ uid }) => pods.own.has(uid));
  // A claim with access for administration leaves its devices to others (Kubernetes, "Dynamic Resource Allocation", "Admin access").
  const results = claims.items
    .filter(isOfOthers)
    .flatMap(({ status }) => status?.allocation?.devices?.results ?? [])
    .filter(({ adminAccess }) => adminAccess !== true);
  const taken = new Set(results.map(({ driver, pool, device }) => [driver, pool, device].join(" ")));
  const free = [...devicesByNode(slices.items)].map(
    ([node, all]) =>
      [node, all.filter(({ driver, pool, name }) => !taken.has([driver, pool, name].join(" ")))] as const,
  );
  return { classes: classes.items, devices: new Map(free) };
}

interface Found extends Devices {
  nodes: Node[];
  /** True if there are more nodes. */
  isPart: boolean;
  pods: Map<string, Pod[]> | undefined;
}

function describe(jobs: PlacedJob[], { nodes, isPart, pods, classes, devices }: Found): Diagnostic {
  const [{ spec }] = jobs as [PlacedJob];
  const pool = spec.pool!;
  const rooms = new Map(nodes.map((node) => [node, roomOf(node, pods?.get(node.metadata.name) ?? [], devices)]));
  const sizes: string[] = [];
  let isShort = false;
  let full = 0;
  for (const [index, job] of jobs.entries()) {
    const template = fieldsOf(buildPodTemplate(job.spec, {}).spec);
    const usable = nodes.filter((node) => isSchedulable(node, template)).map((node) => rooms.get(node)!);
    const needs = needsOf(job.spec, template, classes);
    if (index === 0) full = usable.filter((node) => isFull(node, needs)).length;
    const { size, maxSize } = job.spec;
    const placed = place(usable, needs, maxSize);
    const named = (...path: string[]) => propertyPath(job.sourcePathOf(path));
    const [least, most] = isAutoscaled(job.spec)
      ? [named("autoscale", "min"), named("autoscale", "max")]
      : [named("size"), named("maxSize")];
    isShort ||= placed < size && !isPart;
    if (size > 0) sizes.push(`${Math.min(placed, size)} of ${least} ${size}`);
    if (maxSize > size) sizes.push(`${placed} of ${most} ${maxSize}`);
  }
  const count = `${nodes.length}${isPart ? " or more" : ""} ${nodes.length === 1 ? "node matches" : "nodes match"}`;
  const parts = [
    `${count}: ${hardwareOf(nodes, pool)}`,
    ...taintParts(nodes, pool),
    ...stateParts(nodes),
    ...(full > 0 ? [`${full} ${full === 1 ? "is" : "are"} full`] : []),
    ...(pods ? [] : ["listing pods is not allowed, so other pods do not count"]),
    `room for ${sizes.join(", ")}${isShort ? "; add or free nodes, or lower size" : ""}`,
  ];
  return { severity: isShort ? "warning" : "info", message: `pool ${pool.pool}: ${parts.join("; ")}` };
}

function roomOf(node: Node, pods: Pod[], devices: Map<string, Device[]>): NodeRoom {
  const free = amountsIn(node.status?.allocatable);
  for (const { spec } of pods)
    for (const [name, requested] of [...podRequests(spec), ["pods", 1] as const])
      free.set(name, (free.get(name) ?? 0) - requested);
  return { free, devices: devices.get(node.metadata.name) ?? [] };
}

function isSchedulable(node: Node, template: Fields): boolean {
  const { labels = {} } = node.metadata;
  const selected = Object.entries(fieldsOf(template["nodeSelector"])).every(
    ([key, value]) => typeof value !== "string" || labels[key] === value,
  );
  return selected && node.spec?.unschedulable !== true && isUsable(node, template);
}

function needsOf({ pool, network }: MiniClusterSpec, template: Fields, classes: DeviceClass[]): PodNeeds {
  const { claims = [], claimSets = 1, matchAttributes = [] } = pool ?? {};
  return {
    requests: podRequests(template),
    claims: claims.flatMap(({ deviceClass, count }) => {
      const found = classes.find(({ metadata }) => metadata.name === deviceClass);
      const isOfClass = found && testOf(found);
      return isOfClass ? [{ isOfClass, count }] : [];
    }),
    claimSets,
    matchAttributes,
    areApart: network.affinity === MiniClusterAffinity.Required,
  };
}

/** What every node has, with the range of what differs. */
function hardwareOf(nodes: Node[], { resources }: PoolSpec): string {
  const range = (resource: string, shown: (amount: number) => string) => {
    const amounts = nodes.map((node) => amountOn(node, resource));
    const [least, greatest] = [shown(Math.min(...amounts)), shown(Math.max(...amounts))];
    return least === greatest ? least : `${least} to ${greatest}`;
  };
  const names = Object.keys(resources).filter((name) => !name.startsWith("hugepages-"));
  const versions = [...new Set(nodes.flatMap(({ status }) => status?.nodeInfo?.kubeletVersion ?? []))].sort();
  return [
    `${range("cpu", String)} CPUs`,
    range("memory", memoryText),
    ...names.map((name) => {
      const count = range(name, String);
      return count === "1" ? name : `${count} × ${name}`;
    }),
    ...(versions.length > 0 ? [`kubelet ${versions.join(", ")}`] : []),
  ].join(", ");
}

function memoryText(bytes: number): string {
  const gib = bytes / 1024 ** 3;
  return gib < 1024 ? `${Math.round(gib)} GiB` : `${(gib / 1024).toFixed(1)} TiB`;
}

function taintParts(nodes: Node[], { taints }: PoolSpec): string[] {
  const open = nodes.filter((node) => untolerated(node, taints).length === 0);
  const tolerated = [...new Set(open.flatMap(lastingTaints).map(taintText))];
  const closed = nodes.filter((node) => !open.includes(node));
  const others = [...new Set(closed.flatMap((node) => untolerated(node, taints)).map(taintText))];
  return [
    ...(tolerated.length > 0 ? [`tainted ${tolerated.join(", ")} (tolerated)`] : []),
    ...(closed.length > 0 ? [`${countOf(closed.length)} tainted ${others.join(", ")} (not tolerated)`] : []),
  ];
}

const countOf = (count: number) => `${count} ${count === 1 ? "is" : "are"}`;

function stateParts(nodes: Node[]): string[] {
  const cordoned = nodes.filter(({ spec }) => spec?.unschedulable).length;
  const broken = nodes.filter(({ spec: { taints = [] } = {} }) =>
    taints.some(({ key }) => /^node\.kubernetes\.io\/(not-ready|unreachable)$/.test(key)),
  ).length;
  return [
    ...(cordoned > 0 ? [`${countOf(cordoned)} cordoned`] : []),
    ...(broken > 0 ? [`${countOf(broken)} not ready`] : []),
  ];
}
