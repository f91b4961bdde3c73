import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { Kube, KubeObject } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";
import type { ClusterUnderTest } from "./clusters";
import { type StandInLead, startLead } from "./lead";
import { sharedCluster } from "./sandboxHooks";

/** Arguments of a cluster with autoscale and short delays. */
export const elastic = { interactive: true, autoscale: { min: 1, max: 4, idleSeconds: 3, cooldownSeconds: 0 } };

export const sizeOf = async ({ job }: ClusterUnderTest) => (await job()).spec.parallelism;
export const becomes = (cluster: ClusterUnderTest, size: number) =>
  waitFor(`a size of ${size}`, async () => (await sizeOf(cluster)) === size, 60_000, 200);

/** A cluster with autoscale, and its API server. */
export interface Followed {
  namespace: string;
  /** Default: "demo". */
  name?: string;
  /** Default: that of the cluster of the run. */
  kube?: Kube;
}

/** A token of the account of a cluster's agent, as Kubernetes mounts it into the pod. */
export async function agentToken({ namespace, name = "demo", kube = sharedCluster().kube }: Followed): Promise<string> {
  const answer = await kube.request<{ status: { token: string } } & KubeObject>(
    "POST",
    `/api/v1/namespaces/${namespace}/serviceaccounts/${name}-autoscale/token`,
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  );
  return answer.status.token;
}

/** The key by which the agent of a cluster and the lead broker's pod authenticate each other. */
export async function agentKey({ namespace, name = "demo", kube = sharedCluster().kube }: Followed): Promise<Buffer> {
  const { data } = await kube.get({ apiVersion: "v1", kind: "Secret", name: `${name}-autoscale`, namespace });
  return Buffer.from((data as { key: string }).key, "base64");
}

/** A running agent. */
export interface RunningAgent {
  log: () => string;
  /** Whether it has created the file for the readiness probe. */
  isReady: () => boolean;
  /** Kills it, as a lost node does. */
  stop: () => void;
}

/** Starts the agent of a cluster on this machine: pods of the sandbox cannot reach the API server's Service. */
export async function startAgent(followed: Followed, url: string, server?: string): Promise<RunningAgent> {
  const { namespace, name = "demo", kube = sharedCluster().kube } = followed;
  const configMap = await kube.get({ apiVersion: "v1", kind: "ConfigMap", name: `${name}-programs`, namespace });
  const { data, binaryData } = configMap as unknown as Record<"data" | "binaryData", Record<string, string>>;
  const settings = JSON.parse(data["agent.json"] ?? "") as object;
  const own = { ...settings, server: server ?? kube.server, intervalSeconds: 0.2 };
  const files = {
    "agent.pyz": Buffer.from(binaryData["agent.pyz"] ?? "", "base64"),
    "agent.json": JSON.stringify(own),
    key: await agentKey(followed),
    token: await agentToken(followed),
    "ca.crt": kube.ca ?? "",
  };
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "agent-"));
  for (const [file, content] of Object.entries(files)) fs.writeFileSync(path.join(directory, file), content);
  const ready = path.join(directory, "ready");
  const agent = spawn("python3", ["-B", "agent.pyz", "agent.json", url, directory, ready], { cwd: directory });
  let log = "";
  for (const stream of [agent.stdout, agent.stderr]) stream.on("data", (text: Buffer) => (log += text.toString()));
  return {
    log: () => log,
    isReady: () => fs.existsSync(ready),
    stop: () => {
      agent.kill("SIGKILL");
      fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Runs a test with the agent of a cluster, and a stand-in of the lead broker's pod, whose demand the test sets. */
export async function withAgent(
  followed: Followed,
  body: (it: StandInLead & RunningAgent) => Promise<void>,
  /** Where the agent finds the API server, and the key of the lead broker's pod. Default: those of the cluster. */
  { server, key }: { server?: string; key?: Buffer } = {},
): Promise<void> {
  const lead = await startLead(`/demand/${followed.name ?? "demo"}`, key ?? (await agentKey(followed)));
  const agent = await startAgent(followed, lead.url, server);
  try {
    await body({ ...lead, ...agent });
  } finally {
    agent.stop();
    lead.stop();
  }
}
