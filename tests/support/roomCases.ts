import fc from "fast-check";
import type { LookupNodesArgs, LookupNodesResult, MiniClusterArgs } from "../../provider";
import { nodesBy } from "../../provider/clouds/existing/lookup";
import { poolNodeDiagnostics } from "../../provider/core/diagnostics/poolNodes";
import { connectionIfAny, send } from "../../provider/diagnostics/apiServer";
import type { JobPod, Kube, KubeObject, NewObject } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";
import { aContainer, aMiniCluster } from "./fixtures";
import { sentFor } from "./manifests";

/** Another pod on a node. */
export interface Blocker {
  cpu: number;
  memoryGi: number;
  gpus: number;
}

/** A cluster for whose pods there is room on some nodes, or none. */
export interface RoomCase {
  size: number;
  affinity: "required" | "preferred" | "none";
  /** Request of CPUs of the container that runs Flux, in thousandths. Default: the share of the pool. */
  cpu: number | undefined;
  memoryGi: number | undefined;
}

export const blocker = fc.record<Blocker>({
  cpu: fc.integer({ min: 0, max: 3 }),
  memoryGi: fc.integer({ min: 0, max: 8 }),
  gpus: fc.constantFrom(0, 0, 0, 1),
});

export const roomCase = fc.record<RoomCase>({
  size: fc.integer({ min: 1, max: 9 }),
  affinity: fc.constantFrom("required", "required", "preferred", "none"),
  cpu: fc.option(fc.integer({ min: 100, max: 3_500 }), { nil: undefined }),
  memoryGi: fc.option(fc.integer({ min: 1, max: 24 }), { nil: undefined }),
});

/**
 * The nodes of a selector as `lookupNodes` gives them. Where the arguments leave a choice, it takes that of the first
 * node, as a user would who reads the error.
 */
export async function lookedUp(
  kubeconfig: string,
  args: LookupNodesArgs,
  first: KubeObject,
): Promise<LookupNodesResult & { choices: string[] }> {
  const { nodeInfo, capacity } = first.status as {
    nodeInfo: { architecture: string };
    capacity: Record<string, string>;
  };
  const gpus = Number(capacity["nvidia.com/gpu"] ?? 0);
  const fabric = Object.keys(capacity).find((name) => name.startsWith("rdma/")) ?? "none";
  const choices: Record<string, (given: LookupNodesArgs) => LookupNodesArgs> = {
    "node.arch": (given) => ({ ...given, node: { ...given.node, arch: nodeInfo.architecture as "amd64" } }),
    "node.gpus": (given) => ({ ...given, node: { ...given.node, gpus } }),
    fabric: (given) => ({ ...given, fabric }),
    taints: (given) => ({ ...given, taints: (first.spec as { taints: [] }).taints }),
  };
  const made: string[] = [];
  for (let given = args; ;) {
    try {
      return { ...(await nodesBy(given, { kubeconfig })), choices: made };
    } catch (error) {
      const { errors = [] } = error as { errors?: { propertyPath: string }[] };
      const path = errors
        .map(({ propertyPath }) => propertyPath)
        .find((each) => each in choices && !made.includes(each));
      if (path === undefined) throw error;
      made.push(path);
      given = choices[path]!(given);
    }
  }
}

/** The arguments of a cluster on looked-up nodes. */
const argsOf = (
  { size, affinity, cpu, memoryGi }: RoomCase,
  pool: MiniClusterArgs["pool"],
): Partial<MiniClusterArgs> => {
  const requests = {
    ...(cpu !== undefined && { cpu: `${cpu}m` }),
    ...(memoryGi !== undefined && { memory: `${memoryGi}Gi` }),
  };
  return { size, pool, network: { affinity }, containers: [aContainer({ resources: { requests } })] };
};

/** What a preview says of the room, and where the scheduler puts the pods. */
export interface RoomOutcome {
  line: string;
  foretold: number;
  /** What a preview says while the pods of the cluster have the room. */
  stays: number;
  found: number;
  /** Why kubelets rejected pods that the scheduler had placed. */
  rejected: string[];
}

type Verdict = (pod: KubeObject) => boolean;

/** True if the scheduler has tried to place a pod. */
const isJudged: Verdict = ({ status }) =>
  ((status as { conditions?: { type: string }[] }).conditions ?? []).some(({ type }) => type === "PodScheduled");

const isPlaced: Verdict = ({ spec }) => (spec as { nodeName?: string }).nodeName !== undefined;

const statusOf = ({ status }: KubeObject) =>
  status as { phase: string; reason?: string; message?: string; containerStatuses?: object[] };

/** True if a pod does not fit on any node, or the kubelet of its node has admitted or rejected it. */
export const isAdmittedOrNot: Verdict = (pod) => {
  const { phase, containerStatuses = [] } = statusOf(pod);
  return phase === "Failed" || (isPlaced(pod) ? containerStatuses.length > 0 : isJudged(pod));
};

/** Foretells the room for a cluster, creates its Job, and counts the pods that the scheduler places. */
export async function roomOutcome(
  kube: Kube,
  kubeconfig: string,
  { name, namespace }: { name: string; namespace: string },
  room: RoomCase,
  scheduling: MiniClusterArgs["pool"],
  isSettled = isJudged,
): Promise<RoomOutcome> {
  const spec = aMiniCluster({ name, namespace, ...argsOf(room, scheduling) });
  const connection = connectionIfAny({ kubeconfig })!;
  const foretell = async () => {
    const placed = [{ spec, sourcePathOf: (path: PropertyKey[]) => path }];
    const [line] = await poolNodeDiagnostics(placed, (path) => send(connection, path));
    const message = line?.message ?? "";
    return { line: message, count: Number(/room for (\d+) of size/.exec(message)?.[1] ?? 0) };
  };
  const { line, count: foretold } = await foretell();
  const { job, claimTemplate } = (await sentFor(spec)) as { job: NewObject; claimTemplate?: NewObject };
  const ref = { apiVersion: "batch/v1", kind: "Job", name, namespace };
  if (claimTemplate)
    await kube.create({ ...claimTemplate, apiVersion: "resource.k8s.io/v1", kind: "ResourceClaimTemplate" });
  await kube.create({ ...job, apiVersion: "batch/v1", kind: "Job" });
  // The size is set by a patch of the Job.
  await kube.patch(ref, { spec: { parallelism: room.size, suspend: false } });
  const pods = await waitFor(
    "the verdict of the scheduler on every pod",
    async () => {
      const all = await kube.podsOfJob(namespace, name);
      return all.length >= room.size && all.every(({ pod }) => isSettled(pod)) && all;
    },
    60_000,
  );
  const { count: stays } = await foretell();
  const isRejected = ({ phase }: JobPod) => phase === "Failed";
  const rejected = pods.filter(isRejected).map(({ pod }) => `${statusOf(pod).reason}: ${statusOf(pod).message}`);
  const found = pods.filter((pod) => isPlaced(pod.pod) && !isRejected(pod)).length;
  await kube.delete(ref);
  return { line, foretold, stays, found, rejected };
}

/** True for an outcome as a preview has foretold it. */
export const isAsForetold = ({ foretold, stays, found, rejected }: RoomOutcome) =>
  foretold === found && stays === found && rejected.length === 0;

/** A pod of others on a node, which the scheduler did not place. */
export const blockerOn = (
  node: string,
  name: string,
  namespace: string,
  { cpu, memoryGi, gpus }: Blocker,
): NewObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace },
  spec: {
    nodeName: node,
    tolerations: [{ operator: "Exists" }],
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: "other",
        image: "ubuntu:noble",
        command: ["sleep", "3600"],
        resources: {
          requests: { cpu: String(cpu), memory: `${memoryGi}Gi` },
          ...(gpus > 0 && { limits: { "nvidia.com/gpu": String(gpus) } }),
        },
      },
    ],
  },
});
