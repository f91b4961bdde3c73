import { nearest } from "../shared/nearest";
import { ownValue } from "../shared/objects";
import { dnsLabelProblem, keyProblem } from "./formats";
import { isWhole, milliOf, wholeUnits } from "./quantity";
import { type At, checked, eachIn, type Fields, fieldsOf, isAbsent, isKnown, itemsOf, textOf } from "./reading";

// Source: `pkg/apis/core/validation/validation.go`, `validateResourceRequirements`, and `pkg/apis/core/helper/helpers.go`.

const containerResources = ["cpu", "memory", "ephemeral-storage"];
const podResources = ["cpu", "memory"];

const isHugePages = (name: string) => name.startsWith("hugepages-");

/** True for a resource that Kubernetes itself defines. */
const isNative = (name: string) => !name.includes("/") || name.includes("kubernetes.io/");

/** True for a resource that can be overcommitted: for all others the limit equals the request. */
const isOvercommitted = (name: string) => isNative(name) && !isHugePages(name);

/** Resources of a container, or of a pod as a whole. */
export type Holder = "container" | "pod";

function nameProblem(name: string, holder: Holder): string | undefined {
  const problem = keyProblem(name);
  if (problem !== undefined) return `${JSON.stringify(name)} ${problem}`;
  const known = holder === "container" ? containerResources : podResources;
  if (holder === "pod")
    return known.includes(name) || isHugePages(name)
      ? undefined
      : "is not a pod-level resource (cpu, memory, huge pages); set it on a container";
  if (name.includes("/")) return extendedProblem(name);
  if (known.includes(name) || isHugePages(name)) return undefined;
  const meant = nearest(name, known);
  const hint = meant === undefined ? "devices have a prefix, as in nvidia.com/gpu" : `did you mean ${meant}?`;
  return `"${name}" is not a container resource; ${hint}`;
}

function extendedProblem(name: string): string | undefined {
  if (isNative(name)) return undefined;
  if (name.startsWith("requests.")) return 'must not start with "requests.", which quotas use; correct the name';
  return keyProblem(`requests.${name}`) === undefined ? undefined : "has too long a prefix; at most 244 characters";
}

function amountProblem(name: string, amount: bigint): string | undefined {
  if (amount < 0n) return "must not be negative";
  if (!isNative(name) && !isWhole(amount)) return "must be an integer; devices are indivisible";
  if (!isHugePages(name)) return undefined;
  const page = milliOf(name.slice("hugepages-".length));
  if (page === undefined || page <= 0n || !isWhole(page))
    return `requires a page size in its name, as in hugepages-2Mi`;
  return wholeUnits(amount) % wholeUnits(page) === 0n ? undefined : "must be a multiple of the page size";
}

/** The rule on the limits and requests of a container, or of a pod as a whole. */
export function resourcesRule(resources: Fields, holder: Holder, at: At): void {
  const [limits, requests] = [fieldsOf(resources.limits), fieldsOf(resources.requests)];
  for (const [list, amounts] of Object.entries({ limits, requests }))
    for (const [name, given] of Object.entries(amounts)) {
      if (given === undefined) continue;
      const amount = milliOf(given);
      const problem = amount === undefined ? undefined : amountProblem(name, amount);
      const message = nameProblem(name, holder) ?? (problem && `${JSON.stringify(given)} ${problem}`);
      if (message !== undefined) at([list, name], message);
    }
  // A list that is known only later may have any limit.
  if (isKnown(resources.limits)) limitsRule(requests, limits, at);
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const areKnown = [resources.limits, resources.requests].every(isKnown);
  if (areKnown && names.some(isHugePages) && !podResources.some((name) => names.includes(name)))
    at([Object.keys(limits).some(isHugePages) ? "limits" : "requests"], "huge pages require cpu or memory; add one");
}

/** The rule between requests and limits. */
function limitsRule(requests: Fields, limits: Fields, at: At): void {
  for (const [name, given] of Object.entries(requests)) {
    const most = ownValue(limits, name);
    const [request, limit] = [milliOf(given), milliOf(most)];
    const place = ["requests", name];
    const shown = (value: unknown) => JSON.stringify(value);
    if (given === undefined) continue;
    if (most === undefined) {
      if (!isOvercommitted(name)) at(place, `requires an equal limit; set limits["${name}"], and remove the request`);
    } else if (request === undefined || limit === undefined) continue;
    else if (!isOvercommitted(name) && request !== limit)
      at(place, `${shown(given)} must equal the limit, ${shown(most)}; remove the request`);
    else if (request > limit)
      at(place, `${shown(given)} is above the limit, ${shown(most)}; lower it or raise the limit`);
  }
}

/** The rule that the claims of a container are claims of its pod. */
export function containerClaimsRule(resources: Fields, podClaims: ReadonlySet<unknown>, at: At): void {
  const seen = new Set<string>();
  eachIn(resources, "claims", at, (claim, at) => {
    const [name, request] = [textOf(claim.name), textOf(claim.request)];
    if (isAbsent(claim.name)) return at(["name"], "is required; add it");
    checked(claim, "request", dnsLabelProblem, at);
    if (name === undefined) return;
    const all = [...seen];
    const isTaken =
      seen.has(name) ||
      (request === undefined ? all.some((key) => key.startsWith(`${name}/`)) : seen.has(`${name}/${request}`));
    if (isTaken) at(["name"], `"${name}" is a duplicate; remove one`);
    seen.add(request === undefined ? name : `${name}/${request}`);
    if (!podClaims.has(name)) at(["name"], `"${name}" is not in resourceClaims of the pod; add it there`);
  });
}

type Amounts = Map<string, bigint>;

const amountsIn = (list: unknown): Amounts =>
  new Map(
    Object.entries(fieldsOf(list)).flatMap(([name, given]) => {
      const amount = milliOf(given);
      return amount === undefined ? [] : [[name, amount] as const];
    }),
  );

/** Amounts of a container. A limit is the default of its request. */
const needs = (container: Fields, list: "limits" | "requests"): Amounts => {
  const resources = fieldsOf(container.resources);
  const limits = amountsIn(resources.limits);
  return list === "limits" ? limits : new Map([...limits, ...amountsIn(resources.requests)]);
};

function add(total: Amounts, more: Amounts): void {
  for (const [name, amount] of more) total.set(name, (total.get(name) ?? 0n) + amount);
}

function raise(total: Amounts, other: Amounts): void {
  for (const [name, amount] of other) if (amount > (total.get(name) ?? 0n)) total.set(name, amount);
}

/**
 * Amounts of the containers that a pod runs at the same time: sidecars run beside all later containers. Source:
 * `component-helpers/resource/helpers.go`, `AggregateContainerRequests`.
 */
function aggregate(pod: Fields, list: "limits" | "requests"): Amounts {
  const total: Amounts = new Map();
  for (const container of itemsOf(pod.containers)) add(total, needs(fieldsOf(container), list));
  const sidecars: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const item of itemsOf(pod.initContainers)) {
    const container = fieldsOf(item);
    const own = needs(container, list);
    if (container.restartPolicy === "Always") {
      add(sidecars, own);
      add(total, own);
      raise(peak, sidecars);
    } else {
      const beside = new Map(own);
      add(beside, sidecars);
      raise(peak, beside);
    }
  }
  raise(total, peak);
  return total;
}

/** The rule between the resources of a pod as a whole and those of its containers. Source: there, `validatePodResourceConsistency`. */
export function podResourcesRule(pod: Fields, at: At): void {
  if (pod.resources === undefined) return;
  const resources = fieldsOf(pod.resources);
  const inPod = (path: PropertyKey[], message: string) => at(["resources", ...path], message);
  if (resources.claims !== undefined) inPod(["claims"], "is for containers; move it there");
  resourcesRule(resources, "pod", inPod);
  const [limits, requests] = [amountsIn(resources.limits), amountsIn(resources.requests)];
  const below = "is below the sum that the containers";
  for (const [name, amount] of aggregate(pod, "requests")) {
    // Kubernetes sets an absent request to the sum of the containers' requests.
    const list = requests.has(name) ? "requests" : "limits";
    const most = isOvercommitted(name) ? (requests.get(name) ?? limits.get(name)) : requests.get(name);
    if (amount > (most ?? amount))
      inPod([list, name], `${below} request; raise it or lower the requests of the containers`);
  }
  for (const [name, amount] of aggregate(pod, "limits"))
    if (isHugePages(name) && amount > (limits.get(name) ?? amount))
      inPod(["limits", name], `${below} have as limits; raise it or lower the limits of the containers`);
  eachIn(pod, "containers", at, (container, at) => {
    for (const [name, amount] of amountsIn(fieldsOf(container.resources).limits))
      if (amount > (limits.get(name) ?? amount))
        at(["resources", "limits", name], "is above the limit of the pod as a whole; lower it or raise that");
  });
}
