import { isDeferred, properties } from "../../../shared/checks";
import {
  MiniClusterAffinity,
  type MiniClusterArgs,
  type MiniClusterContainerArgs,
  MiniClusterPodSecurity,
  type MiniClusterResourcesArgs,
} from "../../args";
import { runsFlux } from "../containerRules";
import type { AddIssue } from "../../../shared/rules";
import { totalRequested } from "./asked";
import { containerRequests } from "./merged";
import { amount } from "./quantity";
import { countedDevices, resourceRules } from "./resourceRules";
import type { PoolSpec } from "./scheduling";

type Args = Partial<MiniClusterArgs>;
type Container = Partial<MiniClusterContainerArgs>;

/** The rules between a cluster, bound to a pool, and the pool. What the pool itself has given breaks none of them. */
export function poolRules(args: Args, pool: PoolSpec, addIssue: AddIssue): void {
  countRules(args, pool, addIssue);
  archRules(args, pool, addIssue);
  selectorRules(args, pool, addIssue);
  tolerationRules(args, pool, addIssue);
  resourceRules(containerRequests(args), pool, addIssue);
  staticCpuRules(args, pool, addIssue);
  restrictedRules(args, pool, addIssue);
}

function countRules(args: Args, pool: PoolSpec, addIssue: AddIssue): void {
  const { size = 1, maxSize = size, suspend } = args;
  const perNode = podsPerNode(args, pool);
  if (typeof size !== "number" || typeof maxSize !== "number" || perNode === undefined) return;
  const { nodes, maxNodes = Infinity } = pool;
  const room = (count: number) =>
    perNode.isByDevices
      ? `${count * perNode.pods} pods that pool ${pool.pool} has devices for`
      : `${count} nodes of pool ${pool.pool}`;
  // A suspended cluster has no pods, and its pool may be empty meanwhile.
  if (nodes !== undefined && suspend !== true && size > nodes * perNode.pods)
    addIssue(["size"], `size ${size} is above the ${room(nodes)}; raise the pool's size or lower size`);
  if (nodes !== undefined || maxSize <= maxNodes * perNode.pods) return;
  const key = args.maxSize === undefined ? "size" : "maxSize";
  addIssue(
    [key],
    `${key} ${maxSize} is above the ${room(maxNodes)} at most; raise autoscale.max of the pool or lower ${key}`,
  );
}

/** Pods of the cluster that fit on a node, if there is a limit: they keep apart, or each takes some of its devices. */
function podsPerNode(args: Args, { resources }: PoolSpec) {
  const { affinity = MiniClusterAffinity.Required } = properties(args.network);
  if (affinity === MiniClusterAffinity.Required) return { pods: 1, isByDevices: false };
  const all = containerRequests(args);
  const fits = countedDevices(resources)
    .map(([name, has]) => Math.floor(has / totalRequested(all, name)))
    .filter(Number.isFinite);
  return fits.length === 0 ? undefined : { pods: Math.min(...fits), isByDevices: true };
}

const viewOfArchitecture = /^ghcr\.io\/converged-computing\/flux-view-[a-z0-9]+:(tag|arm)-/;

function archRules({ flux }: Args, { pool, node }: PoolSpec, addIssue: AddIssue): void {
  const { arch, container } = properties(flux);
  if (typeof arch === "string" && arch !== node.arch)
    addIssue(["flux", "arch"], `"${arch}" is not the architecture of pool ${pool}, ${node.arch}; leave it out`);
  const { image } = properties(container);
  const [, tag] = (typeof image === "string" && viewOfArchitecture.exec(image)) || [];
  if (tag !== undefined && (tag === "arm") !== (node.arch === "arm64"))
    addIssue(
      ["flux", "container", "image"],
      `is a Flux view for ${tag === "arm" ? "arm64" : "amd64"}, and pool ${pool} is ${node.arch}; leave it out for the ` +
        "view that fits",
    );
}

/** A label that the nodes do not have keeps every pod from them. */
function selectorRules({ pod, podTemplate }: Args, { pool, nodeSelector, node }: PoolSpec, addIssue: AddIssue): void {
  const merged = properties(properties(podTemplate).spec as { nodeSelector?: Record<string, unknown> });
  const given: [path: PropertyKey[], labels: Record<string, unknown>][] = [
    [["pod", "nodeSelector"], properties(properties(pod).nodeSelector)],
    [["pod", "nodeAffinity"], properties(properties(pod).nodeAffinity)],
    [["podTemplate", "spec", "nodeSelector"], properties(merged.nodeSelector)],
  ];
  const excludes = (wanted: unknown, value: string) =>
    typeof wanted === "string" ? wanted !== value : Array.isArray(wanted) && !wanted.includes(value);
  for (const [key, value] of Object.entries({ ...nodeSelector, "kubernetes.io/arch": node.arch }))
    for (const [path, labels] of given)
      if (excludes(labels[key], value))
        addIssue([...path, key], `nodes of pool ${pool} have ${JSON.stringify(value)} here; leave it out`);
}

interface Toleration {
  key?: unknown;
  operator?: unknown;
  value?: unknown;
  effect?: unknown;
}

/** The pool's taints are tolerated by themselves, unless a template puts other tolerations in the place of all. */
function tolerationRules({ podTemplate }: Args, { pool, taints }: PoolSpec, addIssue: AddIssue): void {
  const { tolerations } = properties(properties(podTemplate).spec as { tolerations?: unknown });
  if (!Array.isArray(tolerations)) return;
  const all = tolerations.map((each: unknown) => properties(each as Toleration));
  if (all.some((toleration) => Object.values(toleration).some(isDeferred))) return;
  for (const { key, value = "", effect } of taints) {
    if (effect === "PreferNoSchedule") continue;
    const isTolerated = all.some(
      (toleration) =>
        (toleration.key === undefined || toleration.key === key) &&
        (toleration.operator === "Exists" || (toleration.value ?? "") === value) &&
        (toleration.effect === undefined || toleration.effect === effect),
    );
    if (!isTolerated)
      addIssue(
        ["podTemplate", "spec", "tolerations"],
        `takes the place of every toleration, and nothing tolerates the taint ${key}=${value}:${effect} of pool ${pool}; ` +
          "add it here, or use pod.tolerations, which adds to those of the pool",
      );
  }
}

/** The kubelet gives whole cores only to a pod that says of every container what it takes, no more and no less. */
function staticCpuRules({ containers, flux }: Args, pool: PoolSpec, addIssue: AddIssue): void {
  if (!pool.staticCpu || !Array.isArray(containers)) return;
  const view = properties(properties(flux).container);
  const isInPods = view.disable !== true && view.imageVolume !== true;
  const all = [
    ...containers.map((container, index) => ({ path: ["containers", index], ...properties(container) })),
    ...(isInPods ? [{ path: ["flux", "container"], resources: view.resources }] : []),
  ];
  for (const { path, resources } of all) {
    const at: AddIssue = (inner, message) => addIssue([...path, "resources", ...inner], message);
    guaranteedRules(properties(resources), pool, at);
  }
  containers.map(properties).forEach((container: Container, index) => {
    const cpu = amount(properties(properties(container.resources).limits)["cpu"]);
    if (cpu !== undefined && !Number.isInteger(cpu) && runsFlux(container, containers))
      addIssue(
        ["containers", index, "resources", "limits", "cpu"],
        "the static CPU policy gives whole CPUs only; make it an integer",
      );
  });
}

/** What makes a container one of a pod of Guaranteed quality of service. */
function guaranteedRules(
  { limits, requests }: Partial<MiniClusterResourcesArgs>,
  { pool, node }: PoolSpec,
  addIssue: AddIssue,
): void {
  const most = properties(limits);
  if (most["cpu"] === undefined || most["memory"] === undefined)
    addIssue(
      ["limits"],
      `pool ${pool} has the static CPU policy, which needs limits for cpu (whole CPUs) and memory on every container; a ` +
        `node has ${node.vcpus} CPUs and ${node.memoryMib}Mi, less what the kubelet and the system keep`,
    );
  for (const name of ["cpu", "memory"]) {
    const [limit, request] = [most, properties(requests)].map((list) => amount(list[name]));
    if (limit !== undefined && request !== undefined && limit !== request)
      addIssue(
        ["requests", name],
        `pool ${pool} has the static CPU policy, which needs what the limit is; leave it out`,
      );
  }
}

function restrictedRules({ podSecurity }: Args, { pool, lockMemory, hostPaths }: PoolSpec, addIssue: AddIssue): void {
  if (podSecurity !== MiniClusterPodSecurity.Restricted) return;
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
