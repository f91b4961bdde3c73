import assert from "node:assert/strict";
import * as path from "node:path";

import { Kube, type JobPod, type KubeObject } from "../sandbox/kube";
import type { RealNode } from "../sandbox/real";
import { type ContainerProcess, runInContainer } from "../sandbox/real/containers";
import { waitFor } from "../sandbox/waiting";
import { lab, patience } from "./lab";

/** The state of a MiniCluster on real nodes, and actions on its pods. */
export interface Look {
  namespace: string;
  /** The Job, with the status that Kubernetes gives it. */
  status: () => Promise<JobStatus>;
  /** Pods of the Job, those that have ended or are ending as well. */
  pods: () => Promise<JobPod[]>;
  /** The log of a container; by default the lead's, and the one that runs Flux. */
  logs: (rank?: number, container?: string) => Promise<string>;
  /** The present pod of a rank. */
  pod: (rank: number) => Promise<JobPod>;
  nodeOf: (rank: number) => Promise<RealNode>;
  /** The processes of the container that runs Flux. */
  processes: (rank: number) => Promise<[ContainerProcess, ...ContainerProcess[]]>;
  /**
   * The output of bash in the container that runs Flux, with the paths of the view: of a rank, or of a terminating
   * pod.
   */
  bash: (which: number | JobPod, command: string) => Promise<string>;
  /** The output of a command that connects to the instance, through the lead. */
  flux: (command: string) => Promise<string>;
  /** Waits until the instance has a number of hosts, from the lead's view. */
  hosts: (count: number) => Promise<void>;
  /** Expects that a job runs on so many hosts, which are these, or else the first ones. */
  work: (count: number, ranks?: number[]) => Promise<void>;
  /** Deletes a rank's pod, with this grace period in seconds, and returns it. */
  deletePod: (rank: number, grace?: number) => Promise<JobPod>;
  /** Waits until another pod has the rank of this one and runs. */
  successor: (pod: JobPod) => Promise<JobPod>;
  /** Waits until so many pods are Ready, none of them one of these, and returns all. */
  ready: (count: number, without?: JobPod[]) => Promise<JobPod[]>;
  /** Waits until the Job has ended, and returns how: Complete or Failed. */
  ended: () => Promise<{ verdict: string; reason?: string; message?: string }>;
  /** Waits until the Job has ended or all of its pods are Ready. */
  settled: () => Promise<void>;
}

/** The status of a Job. */
export interface JobStatus {
  failed?: number;
  completionTime?: string;
  conditions?: { type: string; status: string; reason?: string; message?: string }[];
}

/** The cluster "demo", or another, of a namespace. */
export function lookAt(namespace: string, name = "demo"): Look {
  const { api, realNodes } = lab();
  const kube = new Kube(api);
  const pods = () => kube.podsOfJob(namespace, name);
  const present = (found: JobPod[], rank: number) =>
    found.find((pod) => pod.completionIndex === rank && !pod.deleting && !hasEnded(pod));
  const pod = async (rank: number) => {
    const found = present(await pods(), rank);
    assert.ok(found, `rank ${rank} has no pod`);
    return found;
  };
  const podOf = (which: number | JobPod) => (typeof which === "number" ? pod(which) : Promise.resolve(which));
  const nodeOf = async (which: number | JobPod) => {
    const { spec } = (await podOf(which)).pod as KubeObject & { spec: { nodeName: string } };
    const node = realNodes.find(({ name }) => name === spec.nodeName);
    assert.ok(node, `${spec.nodeName} is no real node`);
    return node;
  };
  const processes = async (which: number | JobPod) => {
    const seen = await podOf(which);
    const found = (await nodeOf(seen)).processesOf(statusesOf(seen)[0]?.containerID ?? "");
    assert.ok(found[0], `${seen.name} has no processes`);
    return found as [ContainerProcess, ...ContainerProcess[]];
  };
  const bash = async (which: number | JobPod, command: string) => {
    const [first] = await processes(which);
    return runInContainer(first, ["bash", "-c", `. /etc/minicluster/config/flux-view.sh; ${command}`]);
  };
  // Flux hands what it is to run to a shell once more.
  const flux = (command: string) => bash(0, `flux proxy "$fluxsocket" '${command.replaceAll("'", `'\\''`)}'`);
  const status = async () => {
    const job = await kube.get({ apiVersion: "batch/v1", kind: "Job", name, namespace });
    return job["status"] as JobStatus;
  };
  return {
    namespace,
    status,
    pods,
    pod,
    nodeOf,
    processes,
    bash,
    flux,
    logs: async (rank = 0, container) => {
      const last = (await pods())
        .filter(({ completionIndex }) => completionIndex === rank)
        .sort(byAge)
        .at(-1);
      assert.ok(last, `rank ${rank} has no pod`);
      const query = container ? `?container=${container}` : "";
      return api.text(`/api/v1/namespaces/${namespace}/pods/${last.name}/log${query}`);
    },
    hosts: async (count) => {
      const isSo = async () => (await flux("flux resource list -s up -n -o {nnodes}")).trim() === String(count);
      await waitFor(`${count} hosts in the instance`, isSo, patience, 200);
    },
    work: async (count, ranks = [...Array(count).keys()]) => {
      const names = ranks.map((rank) => `${name}-${rank}`);
      assert.deepEqual((await flux(`flux run -N ${count} hostname`)).trim().split("\n").sort(), names);
    },
    deletePod: async (rank, grace) => {
      const found = await pod(rank);
      const options = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: grace };
      await api.request("DELETE", `/api/v1/namespaces/${namespace}/pods/${found.name}`, options);
      return found;
    },
    successor: ({ uid, completionIndex }) =>
      waitFor(
        `the next pod of rank ${completionIndex} to run`,
        async () => {
          const found = present(await pods(), completionIndex);
          return found && found.uid !== uid && statusesOf(found)[0]?.state.running && found;
        },
        patience,
      ),
    ready: (count, without = []) =>
      waitFor(
        `${count} pods to be Ready`,
        async () => {
          const old = new Set(without.map(({ uid }) => uid));
          const found = (await pods()).filter(({ ready, deleting }) => ready && !deleting);
          return found.length === count && !found.some(({ uid }) => old.has(uid)) && found;
        },
        patience,
        200,
      ),
    settled: async () => {
      const isSo = async () => {
        const found = await pods();
        return verdictOf(await status()) !== undefined || (found.length > 0 && found.every(({ ready }) => ready));
      };
      await waitFor("the cluster to start or to end", isSo, patience, 500);
    },
    ended: () => waitFor("the Job to end", async () => verdictOf(await status()), patience, 200),
  };
}

/** Whether a process is a broker of Flux. */
export const isBroker = ({ words: [program = ""] }: ContainerProcess) => /(^|\/)flux(-broker)?$/.test(program);

/**
 * Kills the first process of a rank whose program begins with this text: "broker" for the lead, "flux" for the
 * others.
 */
export async function killBroker(look: Look, rank: number, program: string): Promise<void> {
  const found = (await look.processes(rank)).find(({ words: [first = ""] }) =>
    path.basename(first).startsWith(program),
  );
  process.kill((found ?? assert.fail(`rank ${rank} has no ${program}`)).pid, "SIGKILL");
}

/** The kubelet's status of a container. */
export interface ContainerStatus {
  containerID?: string;
  state: {
    running?: { startedAt: string };
    terminated?: { exitCode: number; startedAt: string; finishedAt: string };
  };
}

/** The containers of a pod, the one that runs Flux first. */
export function statusesOf({ pod }: Pick<JobPod, "pod">): ContainerStatus[] {
  return (pod["status"] as { containerStatuses?: ContainerStatus[] }).containerStatuses ?? [];
}

const hasEnded = ({ phase }: JobPod) => phase === "Failed" || phase === "Succeeded";

const byAge = (one: JobPod, other: JobPod) => ageOf(one).localeCompare(ageOf(other));

const ageOf = ({ pod }: JobPod) => String(pod.metadata["creationTimestamp"]);

function verdictOf({ conditions = [] }: JobStatus) {
  const found = conditions.find(({ type, status }) => ["Complete", "Failed"].includes(type) && status === "True");
  return found && { verdict: found.type, reason: found.reason, message: found.message };
}

/** Diagnostics of a failed test: the pods, the events and the logs. */
export async function tellWhatWasSeen(look: Look): Promise<void> {
  const lines: string[] = [];
  for (const seen of await look.pods()) {
    const states = statusesOf(seen).map(({ state }) => state);
    lines.push(`${seen.name} ${seen.phase} ready=${seen.ready} ${JSON.stringify(states)}`);
    lines.push(await look.logs(seen.completionIndex).catch(String));
  }
  const events = `/api/v1/namespaces/${look.namespace}/events`;
  const { items } = await lab().api.request<{ items: KubeObject[] }>("GET", events);
  for (const event of items) lines.push(`${String(event["reason"])}: ${String(event["message"])}`);
  process.stderr.write(`${lines.join("\n")}\n`);
}
