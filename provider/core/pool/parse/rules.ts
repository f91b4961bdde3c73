import { NodePoolFabric, MiniClusterTaintEffect } from "../../../clouds/nodes/args";
import {
  isAccelerator,
  isCountedDevice,
  isFraction,
  isSameHardware,
  type PoolSpec,
  wholeNumber,
} from "../../../clouds/nodes/parse/pool";
import { amount, properties } from "../../../shared/checks";
import { isDeferred } from "../../../shared/deferred";
import { type AddIssue, type FieldOf, type Rule, type Picked, ruleOn } from "../../../shared/rules";
import { MiniClusterAffinity } from "../../args";
import { runsFlux } from "../../parse/container";
import type { BrokerPodsFields } from "../../parse/fields";
import { isRestricted } from "../../parse/restricted";
import { type MaxSizeFields, maxSizeOf, initialSizeOf } from "../../parse/sizes";
import { boundDevices } from "./deviceDefaults";
import { staticCpuRules } from "./staticCpuRules";
import {
  containerRequests,
  requested,
  requestFields,
  requestingList,
  resourceLists,
  totalRequested,
} from "./givenRequests";

const rule = ruleOn<BrokerPodsFields>();

/** The rules between a cluster and its pool, except for the rules on the number of pods. */
export const poolRules: Rule<BrokerPodsFields>[] = [
  rule(["pool", "flux.arch"], archRule),
  rule(["pool", "flux.container.image"], viewRule),
  rule(["pool", "pod.nodeSelector[]", "pod.nodeAffinity[]", "podTemplate"], selectorRule),
  rule(["pool", "podTemplate"], tolerationRule),
  rule(["pool", ...requestFields], nodeRule),
  rule(["pool", ...requestFields], amountRule),
  ...staticCpuRules,
  rule(["pool", "podSecurity"], restrictedRule),
];

type Fields<Names extends FieldOf<BrokerPodsFields>> = Picked<BrokerPodsFields, "pool" | Names>;

/** Pods that a cluster runs and may run, and the arguments that set them. */
export interface PodCounts {
  size: number;
  maxSize: number;
  /** True for a cluster without pods, whose pool may be empty. */
  isSuspended: boolean;
  /** Path and name of the largest size, and the end of a message with the change that lowers it. */
  largest: { path: PropertyKey[]; named: string; lower: string };
}

/** The counts of a MiniCluster or of one of its groups, by the argument that the user has set. */
export function countsOf(fields: MaxSizeFields): Omit<PodCounts, "isSuspended"> {
  const key = fields.maxSize === undefined ? "size" : "maxSize";
  const largest = { path: [key], named: key, lower: `lower ${key}` };
  return { size: initialSizeOf(fields), maxSize: maxSizeOf(fields), largest };
}

/** Fields that `countRule` reads. */
export const podCountFields = ["pool", "network.affinity", ...requestFields] as const;

type CountFields = Picked<BrokerPodsFields, (typeof podCountFields)[number]>;

/** The rule that the pool has nodes for all pods. */
export function countRule(fields: CountFields, counts: PodCounts, addIssue: AddIssue): void {
  const { pool } = fields;
  if (!pool) return;
  const perNode = podsPerNode(fields, pool);
  if (perNode === undefined) return;
  const { size, maxSize, isSuspended, largest } = counts;
  const { nodes, maxNodes = Infinity } = pool;
  const room = (count: number) =>
    perNode.isByDevices
      ? `${count * perNode.pods} pods that pool ${pool.pool} has devices for`
      : `${count} nodes of pool ${pool.pool}`;
  if (nodes !== undefined && !isSuspended && size > nodes * perNode.pods)
    addIssue(["size"], `size ${size} is above the ${room(nodes)}; raise the pool's size or lower size`);
  if (nodes !== undefined || maxSize <= maxNodes * perNode.pods) return;
  addIssue(
    largest.path,
    `${largest.named} ${maxSize} is above the ${room(maxNodes)} at most; raise maxSize of the pool or ${largest.lower}`,
  );
}

/** The devices of a node that one container holds exclusively, with their number. */
const countedDevices = ({ resources }: PoolSpec): [name: string, count: number][] =>
  Object.entries(resources)
    .filter(([name]) => isCountedDevice(name))
    .map(([name, quantity]) => [name, amount(quantity) ?? 0]);

/** Number of pods of the cluster that fit on a node, if there is a limit: one per node, or as many as the node has devices for. */
function podsPerNode(fields: CountFields, pool: PoolSpec) {
  if (fields.network.affinity === MiniClusterAffinity.Required) return { pods: 1, isByDevices: false };
  // A pod claims all devices.
  if (pool.claims.length > 0) return { pods: 1, isByDevices: true };
  const all = containerRequests(fields);
  const main = all.find(({ index }) => index !== undefined && isBroker(fields, index));
  const given = main ? boundDevices(main, all, pool) : {};
  const isGiven = (name: string) => resourceLists.every((list) => main?.resources[list]?.[name] === undefined);
  const taken = (name: string) => totalRequested(all, name) + (isGiven(name) ? (amount(given[name]) ?? 0) : 0);
  const fits = countedDevices(pool)
    .map(([name, has]) => Math.floor(has / taken(name)))
    .filter(Number.isFinite);
  return fits.length === 0 ? undefined : { pods: Math.min(...fits), isByDevices: true };
}

function isBroker({ containers }: CountFields, index: number): boolean {
  const container = containers[index];
  return container !== undefined && runsFlux(container, containers);
}

function archRule({ pool, flux: { arch } }: Fields<"flux.arch">, addIssue: AddIssue): void {
  if (pool?.node.arch !== undefined && arch !== undefined && arch !== pool.node.arch)
    addIssue(
      ["flux", "arch"],
      `"${arch}" is not the architecture of pool ${pool.pool}, ${pool.node.arch}; leave it out`,
    );
}

const viewOfArchitecture = /^ghcr\.io\/converged-computing\/flux-view-[a-z0-9]+:(tag|arm)-/;

function viewRule({ pool: given, flux }: Fields<"flux.container.image">, addIssue: AddIssue): void {
  if (!given) return;
  const { pool, node } = given;
  const { image } = flux.container;
  const [, tag] = (typeof image === "string" && viewOfArchitecture.exec(image)) || [];
  if (tag !== undefined && node.arch !== undefined && (tag === "arm") !== (node.arch === "arm64"))
    addIssue(
      ["flux", "container", "image"],
      `is a Flux view for ${tag === "arm" ? "arm64" : "amd64"}, and pool ${pool} is ${node.arch}; leave it out for the ` +
        "matching view",
    );
}

/** The rule on node labels: a pod that requires a label that the nodes do not have stays Pending. */
function selectorRule(
  { pool, pod, podTemplate }: Fields<"pod.nodeSelector[]" | "pod.nodeAffinity[]" | "podTemplate">,
  addIssue: AddIssue,
): void {
  if (!pool) return;
  const merged = properties(properties(podTemplate).spec as { nodeSelector?: Record<string, unknown> });
  const given: [path: PropertyKey[], labels: Record<string, unknown>][] = [
    [["pod", "nodeSelector"], pod.nodeSelector],
    [["pod", "nodeAffinity"], pod.nodeAffinity],
    [["podTemplate", "spec", "nodeSelector"], properties(merged.nodeSelector)],
  ];
  const excludes = (wanted: unknown, value: string) =>
    typeof wanted === "string" ? wanted !== value : Array.isArray(wanted) && !wanted.includes(value);
  const { arch } = pool.node;
  for (const [key, value] of Object.entries({ ...pool.nodeSelector, ...(arch && { "kubernetes.io/arch": arch }) }))
    for (const [path, labels] of given)
      if (excludes(labels[key], value))
        addIssue([...path, key], `is ${JSON.stringify(value)} on the nodes of pool ${pool.pool}; leave it out`);
}

interface Toleration {
  key?: unknown;
  operator?: unknown;
  value?: unknown;
  effect?: unknown;
}

/** The rule on tolerations: the pool's taints are tolerated by default, unless a template replaces all tolerations. */
function tolerationRule({ pool: given, podTemplate }: Fields<"podTemplate">, addIssue: AddIssue): void {
  if (!given) return;
  const { pool, taints } = given;
  const { tolerations } = properties(properties(podTemplate).spec as { tolerations?: unknown });
  if (!Array.isArray(tolerations)) return;
  const all = tolerations.map((each: unknown) => properties(each as Toleration));
  if (all.some((toleration) => Object.values(toleration).some(isDeferred))) return;
  for (const { key, value = "", effect } of taints) {
    if (effect === MiniClusterTaintEffect.PreferNoSchedule || typeof value !== "string") continue;
    const isTolerated = all.some(
      (toleration) =>
        (toleration.key === undefined || toleration.key === key) &&
        (toleration.operator === "Exists" || (toleration.value ?? "") === value) &&
        (toleration.effect === undefined || toleration.effect === effect),
    );
    if (!isTolerated)
      addIssue(
        ["podTemplate", "spec", "tolerations"],
        `replaces all tolerations, and none tolerates the taint ${key}=${value}:${effect} of pool ${pool}; ` +
          "add it here, or use pod.tolerations, which adds to the tolerations of the pool",
      );
  }
}

interface Offer {
  resource: string;
  exceeds: (total: number) => boolean;
  message: (total: number) => string;
}

/** Capacity of a node: a pod never gets all CPUs and memory, because the node itself needs some. */
function offersOf(pool: PoolSpec): Offer[] {
  const { node, resources } = pool;
  // Memory that a node reserves for huge pages has no other use.
  const hugePages = Object.entries(resources).filter(([name]) => name.startsWith("hugepages-"));
  const hugeMib = hugePages.reduce((sum, [, quantity]) => sum + (amount(quantity) ?? 0), 0) / 1024 ** 2;
  const memoryMib = node.memoryMib === undefined ? undefined : node.memoryMib - hugeMib;
  const remedy = "lower it or choose a larger machine";
  const partly = (resource: string, capacity: number, unit: string, shown: (total: number) => string): Offer => ({
    resource,
    exceeds: (total) => total >= capacity,
    message: (total) =>
      `the pod requests ${shown(total)} in total; a node of pool ${pool.pool} has ${unit}, less what the kubelet and ` +
      `the system keep; ${remedy}`,
  });
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)}Mi`;
  return [
    ...(node.vcpus === undefined ? [] : [partly("cpu", node.vcpus, `${node.vcpus} CPUs`, (total) => `${total} CPUs`)]),
    ...(memoryMib === undefined ? [] : [partly("memory", memoryMib * 1024 ** 2, `${memoryMib}Mi`, mebibytes)]),
    ...countedDevices(pool).map(([resource, count]): Offer => ({
      resource,
      exceeds: (total) => total > count,
      message: (total) => `the pod requests ${total} in total; a node of pool ${pool.pool} has ${count}; ${remedy}`,
    })),
  ];
}

/** The rule that the requests of the containers of one pod fit on one node together. */
function nodeRule(fields: Fields<(typeof requestFields)[number]>, addIssue: AddIssue): void {
  const { pool } = fields;
  if (!pool) return;
  const all = containerRequests(fields);
  for (const { resource, exceeds, message } of offersOf(pool)) {
    const requesting = all.filter((request) => requested(request, resource) > 0);
    const totals = requesting.map((_, index) => totalRequested(requesting.slice(0, index + 1), resource));
    // Only the first amount that exceeds the node is reported: all later amounts also exceed it.
    const first = requesting[totals.findIndex(exceeds)];
    if (first)
      addIssue(first.pathTo(requestingList(first, resource), resource), message(totalRequested(requesting, resource)));
  }
}

/** The rule that a node can provide each amount. */
function amountRule(fields: Fields<(typeof requestFields)[number]>, addIssue: AddIssue): void {
  const { pool } = fields;
  if (!pool) return;
  for (const { resources, pathTo } of containerRequests(fields))
    for (const list of resourceLists)
      for (const [name, quantity] of Object.entries(resources[list] ?? {})) {
        if (isMissing(name, pool) && amount(quantity) !== 0)
          addIssue(pathTo(list, name), `nodes of pool ${pool.pool} have none; remove it or choose another pool`);
        else if (isAccelerator(name) && (amount(quantity) ?? 0) > (pool.gpusPerContainer ?? Infinity))
          addIssue(
            pathTo(list, name),
            `pods of pool ${pool.pool} share its GPUs, and a container may request at most ${pool.gpusPerContainer}; lower it`,
          );
        else if (isFraction(name, quantity)) addIssue(pathTo(list, name), `${JSON.stringify(quantity)} ${wholeNumber}`);
      }
}

/** True for a device that no node has: a pod would stay pending indefinitely. */
function isMissing(name: string, { node, resources }: PoolSpec): boolean {
  const hasRdma = node.fabric === NodePoolFabric.Infiniband || node.fabric === NodePoolFabric.Rdma;
  if (name.startsWith("rdma/")) return resources[name] === undefined && !hasRdma;
  return isCountedDevice(name) && !Object.keys(resources).some((has) => isSameHardware(has, name));
}

function restrictedRule({ pool: given, ...fields }: Fields<"podSecurity">, addIssue: AddIssue): void {
  if (!given || !isRestricted(fields)) return;
  const { pool, lockMemory, hostPaths } = given;
  const needs = [
    ...(lockMemory ? ["the capability IPC_LOCK"] : []),
    ...(Object.keys(hostPaths).length > 0 ? ["directories of the node"] : []),
  ];
  if (needs.length > 0)
    addIssue(
      ["podSecurity"],
      `pods on pool ${pool} need ${needs.join(" and ")}, which restricted pods cannot have; use "baseline" or another pool`,
    );
}
