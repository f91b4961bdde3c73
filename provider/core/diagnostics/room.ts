import { setsIn, type Wanted } from "../../clouds/existing/parse/claims";
import type { Device } from "../../clouds/existing/parse/clusterObjects";
import { amount } from "../../shared/checks";
import { type Fields, fieldsOf, itemsOf } from "../../shared/reading";

/** Amounts of resources, CPUs in thousandths. */
export type Amounts = Map<string, number>;

/** The amounts in a list of quantities; a quantity that is known only later counts as 0. */
export function amountsIn(list: unknown): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, quantity] of Object.entries(fieldsOf(list))) {
    // The API server rounds up to a thousandth of a CPU.
    const value = amount(typeof quantity === "number" ? String(quantity) : quantity) ?? 0;
    amounts.set(name, name === "cpu" ? Math.ceil(value * 1000) : value);
  }
  return amounts;
}

function combined(one: Amounts, other: Amounts, combine: (a: number, b: number) => number): Amounts {
  const names = new Set([...one.keys(), ...other.keys()]);
  return new Map([...names].map((name) => [name, combine(one.get(name) ?? 0, other.get(name) ?? 0)]));
}

const sum = (one: Amounts, other: Amounts) => combined(one, other, (a, b) => a + b);
const most = (one: Amounts, other: Amounts) => combined(one, other, Math.max);

/** Requests of a container; a limit without a request is the request. */
function requestsOf(container: Fields): Amounts {
  const { limits, requests } = fieldsOf(container["resources"]);
  return amountsIn({ ...fieldsOf(limits), ...fieldsOf(requests) });
}

/**
 * The amounts that the scheduler counts for a pod (Kubernetes, "Sidecar Containers", "Resource sharing within containers", and
 * `PodRequests` of component-helpers): of all containers together, or of the largest init container beside the sidecars that
 * have started before it; requests of the whole pod replace the sum.
 */
export function podRequests(spec: Fields): Amounts {
  const containers = itemsOf(spec["containers"]).map((each) => requestsOf(fieldsOf(each)));
  let sidecars: Amounts = new Map();
  let largest: Amounts = new Map();
  for (const each of itemsOf(spec["initContainers"]).map(fieldsOf)) {
    const requests = requestsOf(each);
    if (each["restartPolicy"] === "Always") sidecars = sum(sidecars, requests);
    largest = most(largest, each["restartPolicy"] === "Always" ? sidecars : sum(sidecars, requests));
  }
  const together = most(containers.reduce(sum, sidecars), largest);
  const { limits, requests } = fieldsOf(spec["resources"]);
  // A limit of the pod is a request of huge pages, and of what no container requests (`defaultPodRequests` of the API server).
  const limited = [...amountsIn(limits)].filter(([name]) => name.startsWith("hugepages-") || !together.has(name));
  return sum(new Map([...together, ...limited, ...amountsIn(requests)]), amountsIn(spec["overhead"]));
}

/** What a node has left for pods. */
export interface NodeRoom {
  free: Amounts;
  /** Devices of drivers that no claim has. */
  devices: Device[];
}

/** Pods of one Job, each with the same needs. */
export interface PodNeeds {
  requests: Amounts;
  /** Devices of each set that a pod claims. */
  claims: Wanted[];
  claimSets: number;
  /** Attributes whose values all devices of a set share. */
  matchAttributes: string[];
  /** True if no two of these pods may share a node. */
  areApart: boolean;
}

const setsOn = ({ devices }: NodeRoom, { claims, matchAttributes }: PodNeeds) =>
  setsIn(devices, claims, matchAttributes);

/** Number of pods that fit on a node. */
function podsThatFit(node: NodeRoom, needs: PodNeeds): number {
  const { requests, claims, claimSets, areApart } = needs;
  const counts = [
    node.free.get("pods") ?? 0,
    ...[...requests].filter(([, wanted]) => wanted > 0).map(([name, wanted]) => (node.free.get(name) ?? 0) / wanted),
    ...(claims.length > 0 ? [setsOn(node, needs).length / claimSets] : []),
  ];
  const fit = Math.max(0, Math.floor(Math.min(...counts)));
  return areApart ? Math.min(1, fit) : fit;
}

/** True if not even one of these pods fits on a node. */
export const isFull = (node: NodeRoom, needs: PodNeeds) => podsThatFit(node, needs) === 0;

/** Places at most `wanted` pods on the nodes, which have less room then, and returns how many have found room. */
export function place(nodes: NodeRoom[], needs: PodNeeds, wanted: number): number {
  let placed = 0;
  for (const node of nodes) {
    const count = Math.min(podsThatFit(node, needs), wanted - placed);
    if (count === 0) continue;
    placed += count;
    for (const [name, each] of [...needs.requests, ["pods", 1] as const])
      node.free.set(name, (node.free.get(name) ?? 0) - count * each);
    const taken = new Set(
      setsOn(node, needs)
        .slice(0, count * needs.claimSets)
        .flat(),
    );
    node.devices = node.devices.filter((device) => !taken.has(device));
  }
  return placed;
}
