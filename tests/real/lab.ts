import assert from "node:assert/strict";

import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../provider";
import { type Cluster, startCluster } from "../sandbox/cluster";
import { imageNames, type RealNode } from "../sandbox/real";
import { type ContainerProcess, runInContainer } from "../sandbox/real/containers";
import { waitFor } from "../sandbox/waiting";
import { type ClusterUnderTest, type StackUnderTestOptions, withCluster } from "../support/clusters";
import type { JobPod, KubeObject } from "../support/kube";

const variable = "MINICLUSTER_SANDBOX_KUBECONFIG";

let cluster: Cluster | undefined;
let formerly: string | undefined;

/** Starts the cluster with real nodes, which the tests of this process then find as the shared one. */
export async function startLab(): Promise<void> {
  formerly = process.env[variable];
  cluster = await startCluster({ real: { count: 4, lostAfter: 20 } });
  process.env[variable] = cluster.kubeconfigPath;
}

/** Stops it, and leads back to what was the shared cluster before. */
export async function stopLab(): Promise<void> {
  if (formerly === undefined) Reflect.deleteProperty(process.env, variable);
  else process.env[variable] = formerly;
  await cluster?.stop();
  cluster = undefined;
}

/** The running cluster. */
export function lab(): Cluster {
  assert.ok(cluster, "the cluster with real nodes is not running");
  return cluster;
}

/** How long a test waits for what the kubelet, the Job controller or the DNS takes its time for. */
export const patience = 90_000;

/** A MiniCluster on real nodes. */
export interface RealCluster extends ClusterUnderTest {
  /** What a container has printed; the lead's, and the one that runs Flux, unless it is said otherwise. */
  logs: (rank?: number, container?: string) => Promise<string>;
  /** The present pod of a rank. */
  pod: (rank: number) => Promise<JobPod>;
  nodeOf: (rank: number) => Promise<RealNode>;
  /** The processes of the container that runs Flux. */
  processes: (rank: number) => Promise<[ContainerProcess, ...ContainerProcess[]]>;
  /** What bash prints in the container that runs Flux, with the paths of the view. */
  bash: (rank: number, command: string) => Promise<string>;
  /** Waits until the instance has so many hosts, as the lead sees it. */
  hosts: (count: number) => Promise<void>;
  /** Deletes a rank's pod, with this grace period in seconds. */
  deletePod: (rank: number, grace?: number) => Promise<void>;
  /** Waits until so many pods are Ready, none of them one of these, and returns all. */
  ready: (count: number, without?: JobPod[]) => Promise<JobPod[]>;
  /** Waits until the Job has ended, and says how: Complete or Failed. */
  ended: () => Promise<{ verdict: string; reason?: string; message?: string }>;
}

/** Arguments with images that the nodes have. */
export function realArgs(args: Partial<MiniClusterArgs>): Partial<MiniClusterArgs> {
  const flux = { ...args.flux, container: { image: imageNames.view, ...args.flux?.container } };
  return { waitTimeoutSeconds: 90, containers: [realContainer()], ...args, flux };
}

/** A container of the sandbox's base image. */
export function realContainer(args: Partial<MiniClusterContainerArgs> = {}): MiniClusterContainerArgs {
  return { image: imageNames.base, command: "echo hello world", ...args };
}

/** Runs a test with a MiniCluster on real nodes; destroy leaves nothing, however the test ends. */
export async function withRealCluster(
  args: Partial<MiniClusterArgs>,
  body: (cluster: RealCluster) => Promise<void>,
  options: StackUnderTestOptions = {},
): Promise<void> {
  await withCluster(
    realArgs(args),
    async (under) => {
      const real = look(under);
      try {
        await body(real);
      } catch (error) {
        await tellWhatWasSeen(real);
        throw error;
      }
    },
    options,
  );
}

function look(under: ClusterUnderTest): RealCluster {
  const { namespace } = under;
  const { api, realNodes } = lab();
  const pod = async (rank: number) => {
    const found = (await under.pods()).filter(({ completionIndex, deleting }) => completionIndex === rank && !deleting);
    assert.ok(found[0], `rank ${rank} has no pod`);
    return found[0];
  };
  const nodeOf = async (rank: number) => {
    const { spec } = (await pod(rank)).pod as KubeObject & { spec: { nodeName: string } };
    const node = realNodes.find(({ name }) => name === spec.nodeName);
    assert.ok(node, `rank ${rank} is on no real node`);
    return node;
  };
  const processes = async (rank: number) => {
    const found = (await nodeOf(rank)).processesOf(containerId((await pod(rank)).pod));
    assert.ok(found[0], `rank ${rank} has no processes`);
    return found as [ContainerProcess, ...ContainerProcess[]];
  };
  const bash = async (rank: number, command: string) => {
    const [first] = await processes(rank);
    return runInContainer(first, ["bash", "-c", `. /etc/minicluster/config/flux-view.sh; ${command}`]);
  };
  return {
    ...under,
    change: (changed) => under.change(typeof changed === "function" ? changed : realArgs(changed)),
    pod,
    nodeOf,
    logs: async (rank = 0, container) => {
      const { name } = await lastPod(under, rank);
      const query = container ? `?container=${container}` : "";
      return api.request<string>("GET", `/api/v1/namespaces/${namespace}/pods/${name}/log${query}`).then(String);
    },
    processes,
    bash,
    hosts: async (count) => {
      const command = `flux proxy "$fluxsocket" flux resource list -s up -n -o {nnodes}`;
      const isSo = async () => (await bash(0, command)).trim() === String(count);
      await waitFor(`${count} hosts in the instance`, isSo, patience, 250);
    },
    deletePod: async (rank, grace) => {
      const { name } = await pod(rank);
      const options = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: grace };
      await api.request("DELETE", `/api/v1/namespaces/${namespace}/pods/${name}`, options);
    },
    ready: (count, without = []) =>
      waitFor(
        `${count} pods to be Ready`,
        async () => {
          const old = new Set(without.map(({ uid }) => uid));
          const pods = (await under.pods()).filter(({ ready, deleting }) => ready && !deleting);
          return pods.length === count && !pods.some(({ uid }) => old.has(uid)) && pods;
        },
        patience,
        250,
      ),
    ended: () => waitFor("the Job to end", async () => verdictOf(await under.job()), patience, 250),
  };
}

/** The youngest pod of a rank, which may have ended. */
async function lastPod(under: ClusterUnderTest, rank: number): Promise<JobPod> {
  const pods = (await under.pods()).filter(({ completionIndex }) => completionIndex === rank);
  const age = ({ pod }: JobPod) => String(pod.metadata["creationTimestamp"]);
  const last = pods.sort((a, b) => age(a).localeCompare(age(b))).at(-1);
  assert.ok(last, `rank ${rank} has no pod`);
  return last;
}

function verdictOf({ status }: KubeObject) {
  const { conditions = [] } = status as { conditions?: Condition[] };
  const found = conditions.find(({ type, status }) => ["Complete", "Failed"].includes(type) && status === "True");
  return found && { verdict: found.type, reason: found.reason, message: found.message };
}

interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

function containerId(pod: KubeObject): string {
  const { containerStatuses = [] } = pod["status"] as { containerStatuses?: { containerID?: string }[] };
  return containerStatuses[0]?.containerID ?? "";
}

/** What a person would ask for when a test fails: the pods, the Job's events and the logs. */
async function tellWhatWasSeen(cluster: RealCluster): Promise<void> {
  const lines: string[] = [];
  for (const { name, phase, ready, pod } of await cluster.pods()) {
    const { containerStatuses = [] } = pod["status"] as { containerStatuses?: { state: object; lastState: object }[] };
    const states = containerStatuses.map(({ state, lastState }) => [state, lastState]);
    lines.push(`${name} ${phase} ready=${ready} ${JSON.stringify(states)}`);
    lines.push(await cluster.logs(Number(name.split("-").at(-2))).catch(String));
  }
  const { items } = await lab().api.request<{ items: KubeObject[] }>(
    "GET",
    `/api/v1/namespaces/${cluster.namespace}/events`,
  );
  for (const event of items) lines.push(`${String(event["reason"])}: ${String(event["message"])}`);
  process.stderr.write(`${lines.join("\n")}\n`);
}
